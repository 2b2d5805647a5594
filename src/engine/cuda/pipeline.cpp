#include "engine/cuda/pipeline.h"

#include <algorithm>
#include <cstring>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/registration.h"

namespace vmaf {
namespace {

// What the pool has pictures for: one batch runs while the next one is gathered.
constexpr unsigned kBatchesAtOnce = 2;
// Pixels that fill the device for long enough. Larger pictures go in smaller batches, which take less memory.
constexpr std::uint64_t kBatchPixels = 12ULL * 1920 * 1080;
constexpr std::size_t kSumsAlignment = 256;
// What the driver answers while work goes on: an answer, not a failure.
constexpr CUresult kNotReady = CUDA_ERROR_NOT_READY;

unsigned batch_limit(const PictureFormat &format)
{
    const std::uint64_t pixels = std::max<std::uint64_t>(std::uint64_t{format.width} * format.height, 1);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(kBatchPixels / pixels, 1, kMaxBatchFrames));
}

CudaPlane device_plane(const PlaneView &view)
{
    return {reinterpret_cast<const unsigned char *>(view.data), static_cast<long long>(view.stride_bytes)};
}

std::size_t row_bytes(const PlaneView &view)
{
    return std::size_t{view.width_px} * (view.bpc > 8 ? 2 : 1);
}

CUDA_MEMCPY2D plane_copy(const PlaneView &view)
{
    CUDA_MEMCPY2D copy{};
    copy.WidthInBytes = row_bytes(view);
    copy.Height = view.height_px;
    return copy;
}

} // namespace

CudaPipeline::~CudaPipeline()
{
    {
        const CudaContextGuard guard(*context_);
        for (const Status status : {guard.status(), synchronize()})
            if (!status.ok())
                context_->note_release_failure(status);
    }
    staged_.reset();
    filling_.reset();
    running_.clear();
    spare_.clear();
    remembered_ = {};
    downloaded_.clear();
    uploads_.clear();
    host_copies_.clear();
    backends_.clear();
    scratch_ = {};
    if (pool_)
        pool_->retire();
    for (const std::shared_ptr<CudaPicturePool> &pool : old_pools_)
        pool->retire();
    transfers_in_ = {};
    kernels_ = {};
    results_out_ = {};
    client_work_ = {};
    context_->report_release_failures();
}

Status CudaPipeline::synchronize()
{
    Status first;
    const auto wait = [&](const CudaStream &stream) -> Status {
        if (stream)
            CHECK_CUDA_RETURN(context_->driver(), cuStreamSynchronize(stream.get()));
        return {};
    };
    const auto note = [&first](Status status) {
        if (first.ok())
            first = status;
    };
    note(wait(transfers_in_));
    note(wait(kernels_));
    note(wait(results_out_));
    return first;
}

// The streams and events that every frame needs.
Status CudaPipeline::open()
{
    if (client_work_)
        return {};
    VMAF_TRY_ASSIGN(CudaStream in, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaStream kernels, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaStream out, make_cuda_stream(context_));
    VMAF_TRY_ASSIGN(CudaEvent client_work, make_cuda_event(context_));
    transfers_in_ = std::move(in);
    kernels_ = std::move(kernels);
    results_out_ = std::move(out);
    client_work_ = std::move(client_work);
    return {};
}

Result<bool> CudaPipeline::start(const Registration &registration, const Feature &feature, const PictureFormat &format)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    format_ = format;
    VMAF_TRY_ASSIGN(std::unique_ptr<CudaExtractor> extractor, feature.make_cuda(context_, format, batch_limit(format)));
    if (!extractor)
        return false;
    VMAF_TRY(reserve_scratch(extractor->scratch_bytes()));
    auto backend = std::make_unique<Backend>();
    backend->registration = &registration;
    backend->feature = &feature;
    backend->extractor = std::move(extractor);

    const std::size_t bytes = round_up(feature.sums_bytes(), kSumsAlignment);
    const auto existing = std::find_if(backends_.begin(), backends_.end(),
                                       [&](const auto &other) { return other->registration == &registration; });
    if (existing != backends_.end()) {
        backend->sums_offset = (*existing)->sums_offset;
        *existing = std::move(backend);
    } else {
        backend->sums_offset = frame_sums_bytes_;
        backends_.push_back(std::move(backend));
        frame_sums_bytes_ += bytes;
    }
    planes_on_device_ |= feature.planes_read(format);
    return true;
}

Status CudaPipeline::stage(unsigned slot, Frame &frame)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    VMAF_TRY(open());
    if (!filling_)
        filling_ = new_batch();
    running_.reserve(running_.size() + 1); // taking in cannot fail
    auto staged = std::make_unique<Staged>();
    staged->slot = slot;
    staged->frame = &frame;
    if (frame.ref.kind() != MemoryKind::host || frame.dis.kind() != MemoryKind::host) {
        // Whatever the client has queued on the default stream comes before our reads (spec cuda 5).
        CHECK_CUDA_RETURN(context_->driver(), cuEventRecord(client_work_.get(), nullptr));
        CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(transfers_in_.get(), client_work_.get(), 0));
    }
    Status status = frame.ref.kind() == MemoryKind::device ? stage_device_picture(*staged, frame)
                                                           : stage_host_picture(*staged, frame);
    if (status.ok() && frame.ref.kind() == MemoryKind::device && has_cpu_work(frame))
        status = download_for_cpu(frame);
    if (!status.ok()) {
        // Transfers that were queued still use the frame's pictures and copies.
        const Status waited = synchronize();
        downloaded_.clear();
        return status.ok() ? waited : status;
    }
    forget_downloads(frame);
    staged_ = std::move(staged);
    return {};
}

Status CudaPipeline::stage_device_picture(Staged &staged, const Frame &frame)
{
    for (unsigned plane = 0; plane < frame.ref.format().plane_count(); ++plane) {
        staged.planes.ref[plane] = device_plane(frame.ref.plane(plane));
        staged.planes.dis[plane] = device_plane(frame.dis.plane(plane));
    }
    for (std::size_t i = 0; i < kHistory; ++i)
        if (frame.previous_ref[i])
            staged.previous_ref_luma[i] = device_plane(frame.previous_ref[i].plane(0));
    return {};
}

Status CudaPipeline::stage_host_picture(Staged &staged, const Frame &frame)
{
    staged.uploads.reserve(2 + kHistory);
    for (std::size_t i = 0; i < kHistory; ++i) {
        if (!frame.previous_ref[i])
            continue;
        VMAF_TRY_ASSIGN(UploadLease previous, uploaded_ref(frame.previous_ref[i]));
        staged.previous_ref_luma[i] = previous->plane[0];
        staged.uploads.push_back(std::move(previous));
    }
    VMAF_TRY_ASSIGN(UploadLease ref, upload(frame.ref, planes_on_device_));
    VMAF_TRY_ASSIGN(UploadLease dis, upload(frame.dis, planes_on_device_));
    for (unsigned plane = 0; plane < 3; ++plane) {
        staged.planes.ref[plane] = ref->plane[plane];
        staged.planes.dis[plane] = dis->plane[plane];
    }
    remembered_[1] = std::move(remembered_[0]);
    remembered_[0] = {frame.ref, ref};
    staged.uploads.push_back(std::move(ref));
    staged.uploads.push_back(std::move(dis));
    return {};
}

Result<CudaPipeline::UploadLease> CudaPipeline::upload(const PictureHandle &picture, PlaneMask planes)
{
    VMAF_TRY_ASSIGN(UploadLease copy,
                    uploads_.take(planes, [&] { return make_cuda_upload(context_, picture.format(), planes); }));
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
        const PlaneView from = picture.plane(plane);
        if ((planes >> plane & 1) == 0 || from.width_px == 0 || from.height_px == 0)
            continue;
        CUDA_MEMCPY2D transfer = plane_copy(from);
        transfer.srcMemoryType = CU_MEMORYTYPE_HOST;
        transfer.srcHost = from.data;
        transfer.srcPitch = static_cast<std::size_t>(from.stride_bytes);
        transfer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        transfer.dstDevice = reinterpret_cast<CUdeviceptr>(copy->plane[plane].data);
        transfer.dstPitch = static_cast<std::size_t>(copy->plane[plane].stride_bytes);
        CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, transfers_in_.get()));
    }
    return copy;
}

// The copy that an earlier frame made, or a new one if that frame had no work on the device.
Result<CudaPipeline::UploadLease> CudaPipeline::uploaded_ref(const PictureHandle &picture)
{
    for (const Remembered &earlier : remembered_)
        if (earlier.upload && earlier.picture.is_same(picture))
            return earlier.upload;
    return upload(picture, planes_on_device_);
}

// Features without a CUDA backend read host memory: of pictures on the device copies of the planes that one of them reads.
Status CudaPipeline::download_for_cpu(Frame &frame)
{
    PlaneMask planes = 0, previous_planes = 0;
    bool reads_pair = false;
    for (const Frame::Work &work : frame.due)
        if (!work.feature->on_device()) {
            const Feature &feature = work.feature->feature();
            const PlaneMask read = feature.planes_read(frame.ref.format());
            const bool pair = feature.reads_previous_pair() && !work.first;
            planes |= read;
            if (pair || feature.previous_ref(frame.index) > 0)
                previous_planes |= read | kLumaOnly;
            reads_pair |= pair;
        }
    frame.planes.frame_index = frame.index;
    for (unsigned plane = 0; plane < frame.ref.format().plane_count(); ++plane) {
        if ((planes >> plane & 1) == 0)
            continue;
        VMAF_TRY_ASSIGN(frame.planes.ref[plane], download(frame, frame.ref, plane));
        VMAF_TRY_ASSIGN(frame.planes.dis[plane], download(frame, frame.dis, plane));
    }
    for (std::size_t i = 0; previous_planes != 0 && i < kHistory; ++i) {
        if (!frame.previous_ref[i])
            continue;
        VMAF_TRY_ASSIGN(frame.planes.previous_ref_luma[i], download(frame, frame.previous_ref[i], 0));
    }
    for (unsigned plane = 1; frame.previous_ref[0] && plane < frame.ref.format().plane_count(); ++plane)
        if ((previous_planes >> plane & 1) != 0) {
            VMAF_TRY_ASSIGN(frame.planes.previous_ref_chroma[plane - 1], download(frame, frame.previous_ref[0], plane));
        }
    if (reads_pair) {
        VMAF_TRY_ASSIGN(frame.planes.previous_dis_luma, download(frame, frame.previous_dis, 0));
    }
    return {};
}

Result<PlaneView> CudaPipeline::download(Frame &frame, const PictureHandle &picture, unsigned plane)
{
    PlaneView view = picture.plane(plane);
    if (view.width_px == 0 || view.height_px == 0)
        return view;
    frame.host_copies.reserve(frame.host_copies.size() + 1);
    for (const Downloaded &earlier : downloaded_)
        if (earlier.plane == plane && earlier.picture.is_same(picture)) {
            frame.host_copies.push_back(earlier.copy);
            return earlier.view;
        }
    downloaded_.reserve(downloaded_.size() + 1);
    const std::size_t bytes = row_bytes(view) * view.height_px;
    VMAF_TRY_ASSIGN(CudaReuse<CudaHostCopy>::Lease copy, host_copies_.take(bytes, [&]() -> Result<CudaHostCopy> {
        VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, bytes));
        return CudaHostCopy{bytes, std::move(memory)};
    }));
    CUDA_MEMCPY2D transfer = plane_copy(view);
    transfer.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    transfer.srcDevice = reinterpret_cast<CUdeviceptr>(view.data);
    transfer.srcPitch = static_cast<std::size_t>(view.stride_bytes);
    transfer.dstMemoryType = CU_MEMORYTYPE_HOST;
    transfer.dstHost = copy->memory.get();
    transfer.dstPitch = row_bytes(view);
    view.data = static_cast<const std::byte *>(copy->memory.get());
    view.stride_bytes = static_cast<std::ptrdiff_t>(row_bytes(view));
    frame.host_copies.push_back(copy);
    CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, transfers_in_.get()));
    downloaded_.push_back({picture, plane, view, std::move(copy)});
    return view;
}

// Keeps what the next frame may look back at, of pictures that the session keeps too: a plane is downloaded once.
void CudaPipeline::forget_downloads(const Frame &frame)
{
    bool keep_ref = false, keep_dis = false;
    for (const Frame::Work &work : frame.due)
        if (!work.feature->on_device()) {
            keep_ref |= work.feature->feature().history() > 0;
            keep_dis |= work.feature->feature().reads_previous_pair();
        }
    std::erase_if(downloaded_, [&](const Downloaded &copy) {
        const bool is_ref =
            copy.picture.is_same(frame.ref) || (frame.previous_ref[0] && copy.picture.is_same(frame.previous_ref[0]));
        return !(keep_ref && is_ref) && !(keep_dis && copy.picture.is_same(frame.dis));
    });
}

std::unique_ptr<CudaPipeline::Batch> CudaPipeline::new_batch()
{
    if (spare_.empty()) {
        auto batch = std::make_unique<Batch>();
        batch->frames.reserve(kMaxBatchFrames);
        spare_.reserve(running_.size() + 2); // for giving back what is out
        return batch;
    }
    std::unique_ptr<Batch> batch = std::move(spare_.back());
    spare_.pop_back();
    return batch;
}

void CudaPipeline::enqueue()
{
    filling_->frames.push_back(std::move(*staged_));
    staged_.reset();
    if (filling_->frames.size() >= batch_limit(format_))
        submit();
    else
        send_if_idle();
}

void CudaPipeline::send_if_idle()
{
    if (running_.empty())
        submit();
}

void CudaPipeline::submit()
{
    if (!filling_ || filling_->frames.empty())
        return;
    Batch &batch = *filling_;
    {
        const CudaContextGuard guard(*context_);
        batch.status = guard.status();
        if (batch.status.ok())
            batch.status = launch(batch);
        if (!batch.status.ok())
            static_cast<void>(synchronize().code()); // what did get queued still uses the batch's memory
    }
    running_.push_back(std::move(filling_));
}

Status CudaPipeline::reserve_sums(Batch &batch)
{
    if (!batch.done) {
        VMAF_TRY_ASSIGN(batch.inputs_ready, make_cuda_event(context_));
        VMAF_TRY_ASSIGN(batch.kernels_done, make_cuda_event(context_));
        VMAF_TRY_ASSIGN(batch.done, make_cuda_event(context_));
    }
    const std::size_t bytes = frame_sums_bytes_ * kMaxBatchFrames;
    if (batch.sums_capacity >= bytes)
        return {};
    VMAF_TRY_ASSIGN(CudaDeviceMemory device, make_cuda_device_memory(context_, bytes));
    VMAF_TRY_ASSIGN(CudaPinnedMemory host, make_cuda_pinned_memory(context_, bytes));
    batch.device_sums = std::move(device);
    batch.host_sums = std::move(host);
    batch.sums_capacity = bytes;
    return {};
}

Status CudaPipeline::reserve_scratch(std::size_t bytes)
{
    if (bytes <= scratch_bytes_)
        return {};
    VMAF_TRY_ASSIGN(CudaDeviceMemory larger, make_cuda_device_memory(context_, bytes));
    VMAF_TRY(synchronize()); // kernels may still use the one that goes
    scratch_ = std::move(larger);
    scratch_bytes_ = bytes;
    return {};
}

Status CudaPipeline::launch(Batch &batch)
{
    const CudaDriver &driver = context_->driver();
    VMAF_TRY(reserve_sums(batch));
    const std::size_t bytes = frame_sums_bytes_ * batch.frames.size();
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver, cuMemsetD8Async(batch.device_sums.get(), 0, bytes, transfers_in_.get()));
    CHECK_CUDA_RETURN(driver, cuEventRecord(batch.inputs_ready.get(), transfers_in_.get()));
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(kernels_.get(), batch.inputs_ready.get(), 0));
    for (const std::unique_ptr<Backend> &backend : backends_)
        VMAF_TRY(launch_backend(batch, *backend));
    CHECK_CUDA_RETURN(driver, cuEventRecord(batch.kernels_done.get(), kernels_.get()));
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(results_out_.get(), batch.kernels_done.get(), 0));
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver,
                          cuMemcpyDtoHAsync(batch.host_sums.get(), batch.device_sums.get(), bytes, results_out_.get()));
    CHECK_CUDA_RETURN(driver, cuEventRecord(batch.done.get(), results_out_.get()));
    return {};
}

Status CudaPipeline::launch_backend(const Batch &batch, Backend &backend)
{
    CudaBatch work{};
    for (std::size_t i = 0; i < batch.frames.size(); ++i) {
        const Staged &staged = batch.frames[i];
        const bool due = std::any_of(staged.frame->due.begin(), staged.frame->due.end(),
                                     [&](const Frame::Work &w) { return w.feature == backend.registration; });
        if (!due)
            continue;
        CudaFrame &frame = work.frames[work.count++];
        frame = staged.planes;
        if (const unsigned back = backend.feature->previous_ref(staged.frame->index); back > 0)
            frame.previous_ref = staged.previous_ref_luma[back - 1];
        frame.sums = reinterpret_cast<void *>(batch.device_sums.get() + i * frame_sums_bytes_ + backend.sums_offset);
    }
    if (work.count == 0)
        return {};
    return backend.extractor->submit(kernels_.get(), work, reinterpret_cast<unsigned char *>(scratch_.get()));
}

unsigned CudaPipeline::in_flight() const
{
    std::size_t frames = filling_ ? filling_->frames.size() : 0;
    for (const std::unique_ptr<Batch> &batch : running_)
        frames += batch->frames.size();
    return static_cast<unsigned>(frames);
}

void CudaPipeline::collect(Wait wait, std::vector<Finished> &finished)
{
    if (running_.empty())
        return;
    const CudaDriver &driver = context_->driver();
    const CudaContextGuard guard(*context_);
    while (!running_.empty()) {
        Batch &oldest = *running_.front();
        Status status = oldest.status.ok() ? guard.status() : oldest.status;
        if (status.ok()) {
            const CUresult result = wait == Wait::for_oldest ? driver.cuEventSynchronize(oldest.done.get())
                                                             : driver.cuEventQuery(oldest.done.get());
            if (result == kNotReady)
                break;
            if (result != CUDA_SUCCESS) {
                status = cuda_failure(driver, result, __FILE__, __LINE__, "cuEventQuery(done)");
                static_cast<void>(synchronize().code());
            }
        }
        wait = Wait::no;
        std::unique_ptr<Batch> batch = std::move(running_.front());
        running_.erase(running_.begin());
        finish(*batch, status, finished);
        spare_.push_back(std::move(batch));
    }
    send_if_idle();
}

void CudaPipeline::finish(Batch &batch, Status status, std::vector<Finished> &finished)
{
    for (std::size_t i = 0; i < batch.frames.size(); ++i) {
        Frame &frame = *batch.frames[i].frame;
        const auto *sums = static_cast<const std::byte *>(batch.host_sums.get()) + i * frame_sums_bytes_;
        for (const Frame::Work &work : frame.due)
            for (const std::unique_ptr<Backend> &backend : backends_)
                if (status.ok() && backend->registration == work.feature)
                    std::memcpy(frame.sums.data() + work.sums_offset, sums + backend->sums_offset,
                                backend->feature->sums_bytes());
        finished.push_back({batch.frames[i].slot, status});
    }
    batch.frames.clear();
    batch.status = {};
}

Status CudaPipeline::preallocate(const PictureFormat &format, MemoryKind kind)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    constexpr unsigned kHeldByClientAndHistory = 5;
    VMAF_TRY_ASSIGN(std::shared_ptr<CudaPicturePool> pool,
                    CudaPicturePool::create(context_, format, kind, session_id_,
                                            2 * kBatchesAtOnce * batch_limit(format) + kHeldByClientAndHistory));
    old_pools_.reserve(old_pools_.size() + 1);
    std::erase_if(old_pools_, [](const std::shared_ptr<CudaPicturePool> &old) {
        if (!old->idle())
            return false;
        old->retire();
        return true;
    });
    std::swap(pool, pool_);
    if (pool && pool->idle())
        pool->retire();
    else if (pool)
        old_pools_.push_back(std::move(pool));
    return {};
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
