#include "engine/cuda/pipeline.h"

#include <algorithm>
#include <new>

#include "base/log.h"
#include "feature/cuda_backends.h"

namespace vmaf {
namespace {

// Pixels that fill the device for long enough. Larger pictures go in smaller batches, which take less memory.
constexpr std::uint64_t kBatchPixels = 12ULL * 1920 * 1080;

unsigned batch_limit(const PictureFormat &format)
{
    const std::uint64_t pixels = std::max<std::uint64_t>(std::uint64_t{format.width} * format.height, 1);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(kBatchPixels / pixels, 1, kMaxBatchFrames));
}

Status check_size(const SessionFeature &feature, const PictureFormat &format)
{
    if (format.width <= kLargestCudaSidePx && format.height <= kLargestCudaSidePx)
        return {};
    log(LogLevel::error, "%s: picture is %ux%u, largest size on the CUDA device is %ux%u", feature.spec().name,
        format.width, format.height, kLargestCudaSidePx, kLargestCudaSidePx);
    return Status::error(EINVAL);
}

} // namespace

Status CudaPipeline::close()
{
    if (!context_)
        return {};
    {
        const CudaContextGuard guard(*context_, CudaContextGuard::Purpose::release);
        for (const CudaStream *stream : streams())
            if (*stream)
                CHECK_CUDA_RELEASE(*context_, cuStreamSynchronize(stream->get()));
    }
    filling_.reset();
    for (const std::unique_ptr<CudaFrameBatch> &batch : running_)
        load_->forget(batch->done().get());
    running_.clear();
    spare_.clear();
    transfers_.close();
    extractors_.clear();
    kernels_ = {};
    beside_ = {};
    if (pool_)
        pool_->retire();
    for (const std::shared_ptr<CudaPicturePool> &pool : old_pools_)
        pool->retire();
    transfers_in_ = {};
    results_out_ = {};
    client_work_ = {};
    // The context may go with this pipeline, and that may fail too.
    const std::shared_ptr<CudaReleaseFailures> failures = context_->release_failures();
    context_.reset();
    return failures->take();
}

Status CudaPipeline::synchronize() const
{
    for (const CudaStream *stream : streams())
        if (*stream)
            CHECK_CUDA_RETURN(context_->driver(), cuStreamSynchronize(stream->get()));
    return {};
}

// After a failure that was said: what did get queued still uses memory that is about to be used otherwise.
void CudaPipeline::settle() const
{
    for (const CudaStream *stream : streams())
        if (*stream)
            CHECK_CUDA_AFTERMATH(context_->driver(), cuStreamSynchronize(stream->get()));
}

// The streams and events that every frame needs.
Status CudaPipeline::open()
{
    if (client_work_)
        return {};
    load_ = CudaLoad::of(context_->get());
    VMAF_TRY_ASSIGN(CudaStream in, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaStream kernels, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaStream beside, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaStream out, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaEvent client_work, make_cuda_event(context_));
    transfers_in_ = std::move(in);
    kernels_.stream = std::move(kernels);
    beside_.stream = std::move(beside);
    results_out_ = std::move(out);
    client_work_ = std::move(client_work);
    return {};
}

Result<bool> CudaPipeline::start(const SessionFeature &feature, const PictureFormat &format)
{
    const CudaBackend *backend = find_cuda_backend(feature.spec());
    if (backend == nullptr)
        return false;
    VMAF_TRY(check_size(feature, format));
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    submit(); // what was gathered keeps the layout that it began with
    const CudaRequest request{context_, format, feature.values(), batch_limit(format)};
    VMAF_TRY_ASSIGN(std::unique_ptr<CudaExtractor> extractor, backend->make(request));
    if (!extractor)
        return false;
    VMAF_TRY(reserve_scratch(extractor->runs_beside() ? beside_ : kernels_, extractor->scratch_bytes()));
    extractors_.reserve(extractors_.size() + 1);
    layout_ = layout_->with(feature, *extractor);
    extractors_.push_back(std::move(extractor));
    transfers_.add(feature.window());
    batch_limit_ = batch_limit(format);
    look_back_ = std::max(look_back_, feature.window().look_back());
    if (pool_)
        pool_->expect(usual_pictures(pool_->format()));
    return true;
}

Status CudaPipeline::reserve_scratch(KernelLane &lane, std::size_t bytes)
{
    if (bytes <= lane.scratch_bytes)
        return {};
    VMAF_TRY_ASSIGN(CudaDeviceMemory larger, make_cuda_device_memory(context_, bytes));
    VMAF_TRY(synchronize()); // kernels may still use the one that goes
    lane.scratch = std::move(larger);
    lane.scratch_bytes = bytes;
    return {};
}

Status CudaPipeline::begin_batch()
{
    if (filling_ && filling_->count() > 0)
        return {};
    running_.reserve(running_.size() + 1);               // sending cannot fail
    spare_.reserve(spare_.size() + running_.size() + 2); // nor giving back what is out
    if (!filling_ && !spare_.empty()) {
        filling_ = std::move(spare_.back());
        spare_.pop_back();
    }
    if (!filling_) {
        VMAF_TRY_ASSIGN(filling_, CudaFrameBatch::create(context_));
    }
    return filling_->begin(layout_);
}

// Whatever the client has queued on the pictures' streams comes before our reads (spec cuda 5, device_pictures 2): on the default stream,
// or the one that came with a foreign picture. Of earlier pictures too: a frame that was refused left its pictures behind without this.
Status CudaPipeline::wait_for_client(const Frame &frame) const
{
    std::array<CUstream, 2 * (1 + kMaxLookBack)> known;
    auto end = known.begin();
    const auto wait_for = [&](const PictureHandle &picture) -> Status {
        if (!picture || picture.kind() == MemoryKind::host)
            return {};
        const ForeignPicture *const lent = picture.foreign();
        auto *const stream = lent != nullptr ? static_cast<CUstream>(lent->planes().stream) : nullptr;
        if (std::find(known.begin(), end, stream) != end)
            return {};
        *end++ = stream;
        CHECK_CUDA_RETURN(context_->driver(), cuEventRecord(client_work_.get(), stream));
        CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(transfers_in_.get(), client_work_.get(), 0));
        return {};
    };
    for (unsigned age = 0; age <= frame.earlier_count; ++age) {
        VMAF_TRY(wait_for(frame.pair_at(age).ref));
        VMAF_TRY(wait_for(frame.pair_at(age).dis));
    }
    return {};
}

Status CudaPipeline::prepare_for(const ForeignPicture &picture)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    if (picture.planes().device_context != nullptr)
        VMAF_TRY(check_memory(picture));
    return transfers_.prepare_for(picture);
}

Status CudaPipeline::check_memory(const ForeignPicture &picture) const
{
    for (const SampleSource &source : picture.planes().plane) {
        if (source.data == nullptr || source.first > 0) // that plane's memory was asked for already
            continue;
        VMAF_TRY_ASSIGN(const bool is_elsewhere,
                        cuda_is_of_another_context(*context_, reinterpret_cast<CUdeviceptr>(source.data)));
        if (is_elsewhere) {
            log(LogLevel::error, "vmaf_picture_wrap: the memory belongs to another CUDA context than the state's");
            return Status::error(EINVAL);
        }
    }
    return {};
}

Status CudaPipeline::stage(unsigned slot, Frame &frame, SharedReference *shared)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    VMAF_TRY(open());
    VMAF_TRY(begin_batch());
    VMAF_TRY(wait_for_client(frame));
    CudaStagedFrame &staged = filling_->next();
    staged.slot = slot;
    staged.frame = &frame;
    try {
        const Status status = transfers_.stage(staged, frame, transfers_in_.get(), shared);
        if (!status.ok())
            give_up(staged);
        return status;
    } catch (const std::bad_alloc &) {
        give_up(staged);
        throw;
    }
}

// What was queued for the frame is done, and nothing of it is used.
void CudaPipeline::give_up(CudaStagedFrame &staged)
{
    settle();
    staged.drop_uploads();
    transfers_.forget_all();
}

void CudaPipeline::unstage()
{
    const CudaContextGuard guard(*context_);
    give_up(filling_->next());
}

void CudaPipeline::enqueue()
{
    filling_->add();
    if (filling_->count() >= batch_limit_)
        submit();
    else
        send_if_idle();
}

void CudaPipeline::send_if_idle()
{
    if (running_.empty() && filling_ && filling_->count() > 0 && load_->is_idle(*context_))
        submit();
}

void CudaPipeline::submit()
{
    if (!filling_ || filling_->count() == 0)
        return;
    const CudaContextGuard guard(*context_);
    Status status = guard.status();
    if (status.ok())
        status = filling_->launch(transfers_in_.get(), kernels_.view(), beside_.view(), results_out_.get());
    if (status.ok())
        load_->note(filling_->done().get());
    else
        settle();
    filling_->fail(status);
    running_.push_back(std::move(filling_));
}

unsigned CudaPipeline::in_flight() const
{
    unsigned frames = filling_ ? filling_->count() : 0;
    for (const std::unique_ptr<CudaFrameBatch> &batch : running_)
        frames += batch->count();
    return frames;
}

// Whether the batch is done; with `for_oldest`, waits until it is.
Result<bool> CudaPipeline::wait_or_ask(const CudaFrameBatch &batch, Wait wait) const
{
    VMAF_TRY(batch.status());
    if (wait == Wait::no)
        return cuda_is_done(batch.done());
    CHECK_CUDA_RETURN(context_->driver(), cuEventSynchronize(batch.done().get()));
    return true;
}

void CudaPipeline::collect(Wait wait, std::vector<Returned> &returned)
{
    if (running_.empty())
        return;
    const CudaContextGuard guard(*context_);
    while (!running_.empty()) {
        const Result<bool> done = guard.status().ok() ? wait_or_ask(*running_.front(), wait) : guard.status();
        if (done.ok() && !done.value())
            break;
        if (!done.ok())
            settle();
        wait = Wait::no;
        std::unique_ptr<CudaFrameBatch> batch = std::move(running_.front());
        running_.erase(running_.begin());
        load_->forget(batch->done().get());
        batch->hand_back(done.status(), returned);
        spare_.push_back(std::move(batch));
    }
    send_if_idle();
}

// So many that batches are full: those of the frames in flight, of the frames before that features still read, and the client's.
unsigned CudaPipeline::usual_pictures(const PictureFormat &format) const
{
    constexpr unsigned kHeldByClient = 1, kLeastLookBack = 2; // of features that may come yet
    return 2 * (kBatchesAtOnce * batch_limit(format) + std::max(look_back_, kLeastLookBack)) + kHeldByClient;
}

Status CudaPipeline::preallocate(const PictureFormat &format, MemoryKind kind)
{
    if (!CudaPicturePool::can_fit(format, kind)) {
        log(LogLevel::error, "pictures of %ux%u are larger than any memory", format.width, format.height);
        return Status::error(ENOMEM);
    }
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    VMAF_TRY_ASSIGN(std::shared_ptr<CudaPicturePool> pool,
                    CudaPicturePool::create(context_, format, kind, session_id_, usual_pictures(format)));
    old_pools_.reserve(old_pools_.size() + 1);
    drop_idle_pools();
    std::swap(pool, pool_);
    if (pool && pool->idle())
        pool->retire();
    else if (pool)
        old_pools_.push_back(std::move(pool));
    return {};
}

void CudaPipeline::drop_idle_pools()
{
    std::erase_if(old_pools_, [](const std::shared_ptr<CudaPicturePool> &old) {
        if (!old->idle())
            return false;
        old->retire();
        return true;
    });
}

// Pictures that only their own session's context takes are those of CUDA pools.
void CudaPipeline::borrow(const std::shared_ptr<PictureOwner> &pool)
{
    const auto lender = std::static_pointer_cast<CudaPicturePool>(pool);
    if (std::find(old_pools_.begin(), old_pools_.end(), lender) != old_pools_.end())
        return;
    drop_idle_pools();
    old_pools_.reserve(old_pools_.size() + 1);
    lender->add_user();
    old_pools_.push_back(lender);
}

std::optional<PictureFormat> CudaPipeline::device_pool_format() const
{
    if (!pool_ || pool_->kind() != MemoryKind::device)
        return std::nullopt;
    return pool_->format();
}

Result<VmafPicture> CudaPipeline::fetch(Grow grow)
{
    if (!pool_) {
        log(LogLevel::error, "no pictures were preallocated for the device");
        return Status::error(EINVAL);
    }
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    return pool_->fetch(grow == Grow::yes);
}

} // namespace vmaf
