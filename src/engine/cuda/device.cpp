#include "engine/cuda/device.h"

#include <algorithm>

#include "base/log.h"
#include "engine/cuda/picture_memory.h"
#include "engine/session_feature.h"
#include "feature/cuda_backends.h"

namespace vmaf {
namespace {

// Pixels that fill the device for long enough. Larger pictures go in smaller batches, which take
// less memory.
constexpr std::uint64_t kBatchPixels = 12ULL * 1920 * 1080;

Status check_size(const SessionFeature &feature, const PictureFormat &format)
{
    if (format.width <= kLargestCudaSidePx && format.height <= kLargestCudaSidePx)
        return {};
    log(LogLevel::error, "%s: picture is %ux%u, largest size on the CUDA device is %ux%u", feature.spec().name,
        format.width, format.height, kLargestCudaSidePx, kLargestCudaSidePx);
    return Status::error(EINVAL);
}

} // namespace

unsigned CudaDevice::batch_frames(const PictureFormat &format) const
{
    const std::uint64_t pixels = std::max<std::uint64_t>(std::uint64_t{format.width} * format.height, 1);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(kBatchPixels / pixels, 1, kMaxBatchFrames));
}

Result<bool> CudaDevice::may_run(const SessionFeature &feature, const PictureFormat &format) const
{
    if (find_cuda_backend(feature.spec()) == nullptr)
        return false;
    VMAF_TRY(check_size(feature, format));
    return true;
}

Result<std::unique_ptr<DeviceBackend>> CudaDevice::make_backend(const SessionFeature &feature,
                                                                const PictureFormat &format)
{
    const CudaRequest request{context_, format, feature.values(), batch_frames(format)};
    VMAF_TRY_ASSIGN(std::unique_ptr<CudaExtractor> extractor, find_cuda_backend(feature.spec())->make(request));
    if (!extractor)
        return std::unique_ptr<DeviceBackend>();
    VMAF_TRY(
        reserve_scratch(extractor->runs_beside() ? streams_.beside : streams_.kernels, extractor->scratch_bytes()));
    return std::unique_ptr<DeviceBackend>(std::make_unique<CudaBackendOfFeature>(std::move(extractor)));
}

Status CudaDevice::reserve_scratch(CudaStreams::Kernels &kernels, std::size_t bytes)
{
    if (bytes <= kernels.scratch_bytes)
        return {};
    VMAF_TRY_ASSIGN(CudaDeviceMemory larger, make_cuda_device_memory(context_, bytes));
    for (CUstream stream : streams()) // kernels may still use the one that goes
        if (stream != nullptr)
            CHECK_CUDA_RETURN(context_->driver(), cuStreamSynchronize(stream));
    kernels.scratch = std::move(larger);
    kernels.scratch_bytes = bytes;
    return {};
}

Status CudaDevice::open()
{
    if (client_work_)
        return {};
    const CudaDriver &driver = context_->driver();
    std::array<CUstream, 4> made{};
    CUevent client_work = nullptr;
    Status status;
    for (CUstream &stream : made)
        CHECK_CUDA_GOTO(driver, cuStreamCreate(&stream, kCudaStreamFlags), undo);
    CHECK_CUDA_GOTO(driver, cuEventCreate(&client_work, kCudaEventFlags), undo);
    streams_.transfers_in = CudaStream(context_, made[0]);
    streams_.kernels.stream = CudaStream(context_, made[1]);
    streams_.beside.stream = CudaStream(context_, made[2]);
    streams_.results_out = CudaStream(context_, made[3]);
    client_work_ = CudaEvent(context_, client_work);
    return {};

undo:
    for (CUstream stream : made)
        if (stream != nullptr)
            CHECK_CUDA_RELEASE(*context_, cuStreamDestroy(stream));
    return status;
}

Result<std::unique_ptr<DeviceWork>> CudaDevice::make_work()
{
    VMAF_TRY_ASSIGN(std::unique_ptr<CudaWork> work, CudaWork::create(context_, streams_));
    return std::unique_ptr<DeviceWork>(std::move(work));
}

void CudaDevice::settle()
{
    for (CUstream stream : streams())
        if (stream != nullptr)
            CHECK_CUDA_AFTERMATH(context_->driver(), cuStreamSynchronize(stream));
}

Status CudaDevice::prepare_for(const ForeignPicture &picture)
{
    if (picture.planes().device_context != nullptr)
        VMAF_TRY(check_memory(picture));
    return copies_.prepare_for(picture);
}

Status CudaDevice::check_memory(const ForeignPicture &picture) const
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

Status CudaDevice::wait_for_client(void *stream)
{
    CHECK_CUDA_RETURN(context_->driver(), cuEventRecord(client_work_.get(), static_cast<CUstream>(stream)));
    CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(streams_.transfers_in.get(), client_work_.get(), 0));
    return {};
}

Result<const void *> CudaDevice::mark_transfers()
{
    if (!shared_ready_) {
        VMAF_TRY_ASSIGN(shared_ready_, make_cuda_event(context_));
    }
    CHECK_CUDA_RETURN(context_->driver(), cuEventRecord(shared_ready_.get(), streams_.transfers_in.get()));
    return static_cast<const void *>(shared_ready_.get());
}

Status CudaDevice::wait_for(const void *mark)
{
    auto *const event = static_cast<CUevent>(const_cast<void *>(mark));
    CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(streams_.transfers_in.get(), event, 0));
    return {};
}

Result<std::unique_ptr<PictureMemory>> CudaDevice::picture_memory(const PictureFormat &format, MemoryKind kind,
                                                                  std::uint64_t session_id)
{
    if (!CudaPictureMemory::can_fit(format, kind)) {
        log(LogLevel::error, "pictures of %ux%u are larger than any memory", format.width, format.height);
        return Status::error(ENOMEM);
    }
    if (kind == MemoryKind::host)
        return plain_picture_memory(format);
    return std::unique_ptr<PictureMemory>(std::make_unique<CudaPictureMemory>(context_, format, kind, session_id));
}

void CudaDevice::finish()
{
    const CudaContextGuard guard(*context_, CudaContextGuard::Purpose::release);
    for (CUstream stream : streams())
        if (stream != nullptr)
            CHECK_CUDA_RELEASE(*context_, cuStreamSynchronize(stream));
}

Status CudaDevice::close()
{
    copies_.close();
    shared_ready_ = {};
    streams_ = {};
    client_work_ = {};
    // The context may go with this session, and that may fail too.
    const std::shared_ptr<CudaReleaseFailures> failures = context_->release_failures();
    context_.reset();
    return failures->take();
}

} // namespace vmaf
