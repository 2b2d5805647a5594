#include "engine/cuda/copies.h"

#include <algorithm>
#include <iterator>

#include "base/round_up.h"

namespace vmaf {
namespace {

CudaPlane device_plane(const SampleSource &source)
{
    return {reinterpret_cast<const unsigned char *>(source.data), static_cast<long long>(source.stride_bytes)};
}

/// 1: samples of one byte become such of two.
unsigned is_widened(const SampleSource &source, unsigned scored_bpc)
{
    return source.stored_bytes(scored_bpc) < sample_bytes(scored_bpc) ? 1 : 0;
}

/// Into device memory.
CUDA_MEMCPY2D host_copy(const SampleSource &from, std::size_t row_bytes, unsigned rows, const CudaPlane &to)
{
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from.data;
    copy.srcPitch = static_cast<std::size_t>(from.stride_bytes);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = reinterpret_cast<CUdeviceptr>(to.data);
    copy.dstPitch = static_cast<std::size_t>(to.stride_bytes);
    copy.WidthInBytes = row_bytes;
    copy.Height = rows;
    return copy;
}

} // namespace

Status queue_cuda_download(const CudaDriver &driver, const DevicePlane &from, std::size_t row_bytes, unsigned rows,
                           void *to, CUstream stream)
{
    CUDA_MEMCPY2D transfer{};
    transfer.WidthInBytes = row_bytes;
    transfer.Height = rows;
    transfer.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    transfer.srcDevice = reinterpret_cast<CUdeviceptr>(from.data);
    transfer.srcPitch = static_cast<std::size_t>(from.stride_bytes);
    transfer.dstMemoryType = CU_MEMORYTYPE_HOST;
    transfer.dstHost = to;
    transfer.dstPitch = row_bytes;
    CHECK_CUDA_RETURN(driver, cuMemcpy2DAsync(&transfer, stream));
    return {};
}

Status CudaCopies::prepare_for(const ForeignPicture &picture)
{
    for (const SampleSource &source : picture.planes().plane)
        if (source.scaling)
            VMAF_TRY(scaler_.load(context_, *source.scaling));
        else if (!source.is_plain())
            VMAF_TRY(normaliser_.load(context_));
    return {};
}

Result<PlanesOnDevice> CudaCopies::upload(const PictureHandle &picture, PlaneMask planes)
{
    VMAF_TRY_ASSIGN(const ReusePool<Upload>::Lease copy,
                    uploads_.take(planes, [&] { return make_upload(picture.format(), planes); }));
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
        const PlaneView view = picture.plane(plane);
        const SampleSource source = picture.source(plane);
        if ((planes >> plane & 1) == 0 || view.is_empty())
            continue;
        if (!source.is_plain()) {
            VMAF_TRY(add_normalising(picture, plane, planes, *copy));
            continue;
        }
        const CUDA_MEMCPY2D transfer = host_copy(source, view.row_bytes(), view.height_px, copy->plane[plane]);
        CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream_.get()));
    }
    PlanesOnDevice made{copy, planes, {}};
    std::copy(std::begin(copy->plane), std::end(copy->plane), made.plane);
    return made;
}

// Both planes of a pair go out with the first of `planes` that it has.
Status CudaCopies::add_normalising(const PictureHandle &picture, unsigned plane, PlaneMask planes, const Upload &to)
{
    const SampleSource source = picture.source(plane);
    if (source.first > 0 && (planes >> (plane - 1) & 1) != 0)
        return {};
    const PlaneView view = picture.plane(plane);
    if (jobs_ + source.step > kMaxNormaliseJobs)
        VMAF_TRY(send_jobs(view.bpc));
    VMAF_TRY_ASSIGN(const CudaPlane from, plane_on_device(picture, plane));
    NormaliseJob job{from,
                     {},
                     to.plane[plane].stride_bytes,
                     static_cast<int>(view.width_px),
                     static_cast<int>(view.height_px),
                     source.shift,
                     source.step - 1,
                     source.raise,
                     is_widened(source, view.bpc)};
    for (unsigned which = source.first; which < source.step; ++which) {
        const unsigned written = plane - source.first + which;
        if ((planes >> written & 1) == 0)
            continue;
        job.to[which] = const_cast<unsigned char *>(to.plane[written].data);
        if (source.scaling)
            VMAF_TRY(add_scaling(picture, written, from, to.plane[written]));
    }
    if (!source.scaling)
        normaliser_.add(job);
    jobs_ += source.step; // as many as the scaler has been given
    return {};
}

Status CudaCopies::send_jobs(unsigned bpc)
{
    VMAF_TRY(normaliser_.launch(context_, bpc, stream_.get()));
    VMAF_TRY(scaler_.launch(context_, bpc, stream_.get()));
    raw_in_use_ = {};
    raw_count_ = 0;
    jobs_ = 0;
    return {};
}

Status CudaCopies::add_scaling(const PictureHandle &picture, unsigned plane, const CudaPlane &from, const CudaPlane &to)
{
    const SampleSource source = picture.source(plane);
    const PlaneView view = picture.plane(plane);
    ScaleJob job{};
    VMAF_TRY_ASSIGN(const CUdeviceptr between,
                    take_raw(std::size_t{view.width_px} * source.scaling->from().height_px * sizeof(std::int32_t)));
    job.from = from;
    job.to = to;
    job.between = reinterpret_cast<std::int32_t *>(between);
    job.step = source.step;
    job.first = source.first;
    job.shift = source.shift;
    job.raise = source.raise;
    job.is_widened = is_widened(source, view.bpc);
    job.max_sample = (1U << view.bpc) - 1;
    return scaler_.add(context_, *source.scaling, job);
}

// Until the kernels are queued that use it.
Result<CUdeviceptr> CudaCopies::take_raw(std::size_t bytes)
{
    VMAF_TRY_ASSIGN(ReusePool<Raw>::Lease raw, raw_.take(bytes, [&]() -> Result<Raw> {
        VMAF_TRY_ASSIGN(CudaDeviceMemory memory, make_cuda_device_memory(context_, bytes));
        return Raw{bytes, std::move(memory)};
    }));
    raw_in_use_[raw_count_++] = raw;
    return raw->memory.get();
}

// The plane as the client lends it.
Result<CudaPlane> CudaCopies::plane_on_device(const PictureHandle &picture, unsigned plane)
{
    const SampleSource source = picture.source(plane);
    if (picture.kind() == MemoryKind::device)
        return device_plane(source);
    const PlaneView view = picture.plane(plane);
    const PlaneSize size = source.size({view.width_px, view.height_px});
    const std::size_t row_bytes = std::size_t{size.width_px} * source.step * source.stored_bytes(view.bpc);
    const std::size_t stride = round_up(row_bytes, kDeviceRowAlignment);
    VMAF_TRY_ASSIGN(const CUdeviceptr memory, take_raw(stride * size.height_px));
    const CudaPlane to{reinterpret_cast<const unsigned char *>(memory), static_cast<long long>(stride)};
    const CUDA_MEMCPY2D transfer = host_copy(source, row_bytes, size.height_px, to);
    CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream_.get()));
    return to;
}

// The features have accepted the format (kLargestCudaSidePx), so sizes fit.
Result<CudaCopies::Upload> CudaCopies::make_upload(const PictureFormat &format, PlaneMask planes) const
{
    Upload copy;
    std::size_t offset[3] = {}, bytes = kDeviceRowAlignment; // never an empty block
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if ((planes >> plane & 1) == 0)
            continue;
        const std::size_t stride = round_up(format.plane_width(plane) * format.sample_bytes(), kDeviceRowAlignment);
        offset[plane] = bytes - kDeviceRowAlignment;
        copy.plane[plane].stride_bytes = static_cast<long long>(stride);
        bytes += stride * format.plane_height(plane);
    }
    VMAF_TRY_ASSIGN(copy.memory, make_cuda_device_memory(context_, bytes));
    for (unsigned plane = 0; plane < format.plane_count(); ++plane)
        if ((planes >> plane & 1) != 0)
            copy.plane[plane].data = reinterpret_cast<const unsigned char *>(copy.memory.get()) + offset[plane];
    return copy;
}

Result<PlaneOnHost> CudaCopies::download(const PlaneView &plane, const DevicePlane &from)
{
    const std::size_t bytes = plane.row_bytes() * plane.height_px;
    VMAF_TRY_ASSIGN(const ReusePool<HostCopy>::Lease copy, host_copies_.take(bytes, [&]() -> Result<HostCopy> {
        VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, bytes));
        return HostCopy{bytes, std::move(memory)};
    }));
    VMAF_TRY(queue_cuda_download(context_->driver(), from, plane.row_bytes(), plane.height_px, copy->memory.get(),
                                 stream_.get()));
    PlaneOnHost made{copy, plane};
    made.view.data = static_cast<const std::byte *>(copy->memory.get());
    made.view.stride_bytes = static_cast<std::ptrdiff_t>(plane.row_bytes());
    return made;
}

void CudaCopies::forget_jobs()
{
    normaliser_.clear();
    scaler_.clear();
    raw_in_use_ = {};
    raw_count_ = 0;
    jobs_ = 0;
}

void CudaCopies::close()
{
    forget_jobs();
    normaliser_.close();
    scaler_.close();
    uploads_.clear();
    raw_.clear();
    host_copies_.clear();
    context_.reset();
}

} // namespace vmaf
