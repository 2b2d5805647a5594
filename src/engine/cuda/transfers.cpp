#include "engine/cuda/transfers.h"

#include <algorithm>

#include "base/round_up.h"
#include "engine/frame_work.h"
#include "engine/session_feature.h"

namespace vmaf {
namespace {

constexpr std::size_t kRowAlignment = 256;

CudaPlane device_plane(const SampleSource &source)
{
    return {reinterpret_cast<const unsigned char *>(source.data), static_cast<long long>(source.stride_bytes)};
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

PlaneMask planes_of(const PictureHandle &picture)
{
    return picture ? (1U << picture.format().plane_count()) - 1 : kNoPlanes;
}

/// The planes of a picture that later frames look back at, if `earlier` is what they read of earlier pairs.
PlaneMask wanted_later(const Frame &frame, const PictureHandle &picture, const Earlier<PairMask> &earlier)
{
    for (unsigned age = 0; age < earlier.count(); ++age) {
        const PicturePair &pair = frame.pair_at(age);
        if (pair.ref && picture.is_same(pair.ref))
            return read_later(earlier, age).ref;
        if (pair.dis && picture.is_same(pair.dis))
            return read_later(earlier, age).dis;
    }
    return kNoPlanes;
}

PlaneMask plain_planes_of(const PictureHandle &picture)
{
    PlaneMask plain = kNoPlanes;
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane)
        plain |= picture.source(plane).is_plain() ? 1U << plane : 0U;
    return plain;
}

} // namespace

void CudaTransfers::add(const ReadingWindow &window)
{
    add_earlier(window, earlier_read_);
}

Status CudaTransfers::prepare_for(const ForeignPicture &picture)
{
    for (const SampleSource &source : picture.planes().plane)
        if (source.scaling)
            VMAF_TRY(scaler_.load(context_, *source.scaling));
        else if (!source.is_plain())
            VMAF_TRY(normaliser_.load(context_));
    return {};
}

PlaneMask CudaTransfers::reference_planes(const Frame &frame) const
{
    const PlaneMask on_device = planes_read(frame, Runs::on_device, 0).ref | read_later(earlier_read_, 0).ref;
    return frame.pair.ref.kind() == MemoryKind::device ? on_device | planes_read(frame, Runs::on_cpu, 0).ref
                                                       : on_device;
}

Status CudaTransfers::stage(CudaStagedFrame &staged, Frame &frame, CUstream stream, SharedReference *shared)
{
    staged.planes = {};
    staged.planes.frame_index = frame.index;
    VMAF_TRY(stage_on_device(staged, frame, stream, shared));
    return frame.pair.ref.kind() == MemoryKind::device ? stage_downloads(staged, frame, stream) : Status();
}

// Where device features find the planes that they read, and what is downloaded from. Planes of device pictures lie there already if they
// are plain.
Status CudaTransfers::stage_on_device(CudaStagedFrame &staged, const Frame &frame, CUstream stream,
                                      SharedReference *shared)
{
    const bool takes_part = shared != nullptr && reference_planes(frame) != kNoPlanes;
    if (takes_part && shared->copy)
        VMAF_TRY(take_shared(frame.pair.ref, *shared, stream));
    const auto stage_picture = [&](const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu,
                                   CudaPlane(&views)[3]) -> Status {
        if (!picture)
            return {};
        for (unsigned plane = 0; plane < 3 && picture.kind() == MemoryKind::device; ++plane)
            if ((plain_planes_of(picture) >> plane & 1) != 0)
                views[plane] = device_plane(picture.source(plane));
        const PlaneMask planes = planes_to_copy(picture, on_device, on_cpu);
        if (planes == kNoPlanes)
            return {};
        VMAF_TRY_ASSIGN(const UploadLease copy, uploaded(picture, planes, stream));
        for (unsigned plane = 0; plane < 3; ++plane)
            if (copy->plane[plane].data != nullptr)
                views[plane] = copy->plane[plane];
        staged.keep(copy);
        return {};
    };
    for (unsigned age = 0, oldest = frame.look_back(); age <= oldest; ++age) {
        PairMask on_device = planes_read(frame, Runs::on_device, age);
        const PairMask on_cpu = planes_read(frame, Runs::on_cpu, age);
        if (age == 0)
            on_device |= read_later(earlier_read_, 0); // they go over the bus together
        if (age == 0 && takes_part)
            on_device.ref = shared->planes;
        PairOf<CudaPlane> &planes = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        VMAF_TRY(stage_picture(frame.pair_at(age).ref, on_device.ref, on_cpu.ref, planes.ref));
        VMAF_TRY(stage_picture(frame.pair_at(age).dis, on_device.dis, on_cpu.dis, planes.dis));
    }
    VMAF_TRY(send_jobs(frame.pair.ref.format().bpc, stream));
    if (takes_part && !shared->copy)
        VMAF_TRY(share(frame.pair.ref, *shared, stream));
    keep_uploads(frame);
    return {};
}

// Of a host picture what the device reads; of a device picture what is not plain and either side reads.
PlaneMask CudaTransfers::planes_to_copy(const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu) const
{
    if (picture.kind() != MemoryKind::device)
        return on_device & planes_of(picture);
    for (unsigned plane = 0; plane < 3; ++plane)
        if (find_download(picture, plane) != nullptr)
            on_cpu &= ~(1U << plane);
    return (on_device | on_cpu) & planes_of(picture) & ~plain_planes_of(picture);
}

// The reference's copy that another session had made, as if this one had.
Status CudaTransfers::take_shared(const PictureHandle &picture, const SharedReference &shared, CUstream stream)
{
    const auto &made = *static_cast<const SharedCopy *>(shared.copy.get());
    uploaded_.reserve(uploaded_.size() + 1);
    CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(stream, made.ready, 0));
    uploaded_.push_back({picture, made.copy});
    return {};
}

// With the sessions that are staged after this one, if it was copied.
Status CudaTransfers::share(const PictureHandle &picture, SharedReference &shared, CUstream stream)
{
    for (const Uploaded &made : uploaded_) {
        if (!made.picture.is_same(picture))
            continue;
        if (!shared_ready_) {
            VMAF_TRY_ASSIGN(shared_ready_, make_cuda_event(context_));
        }
        auto copy = std::make_shared<const SharedCopy>(SharedCopy{made.copy, shared_ready_.get()});
        CHECK_CUDA_RETURN(context_->driver(), cuEventRecord(shared_ready_.get(), stream));
        shared.copy = std::move(copy);
        break;
    }
    return {};
}

// The copy that this or an earlier frame made, if it holds the planes.
Result<CudaTransfers::UploadLease> CudaTransfers::uploaded(const PictureHandle &picture, PlaneMask planes,
                                                           CUstream stream)
{
    for (const Uploaded &earlier : uploaded_)
        if (earlier.picture.is_same(picture) && (earlier.copy->key & planes) == planes)
            return earlier.copy;
    uploaded_.reserve(uploaded_.size() + 1);
    VMAF_TRY_ASSIGN(UploadLease copy, upload(picture, planes, stream));
    uploaded_.push_back({picture, copy});
    return copy;
}

Result<CudaTransfers::UploadLease> CudaTransfers::upload(const PictureHandle &picture, PlaneMask planes,
                                                         CUstream stream)
{
    VMAF_TRY_ASSIGN(UploadLease copy, uploads_.take(planes, [&] { return make_upload(picture.format(), planes); }));
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
        const PlaneView view = picture.plane(plane);
        const SampleSource source = picture.source(plane);
        if ((planes >> plane & 1) == 0 || view.is_empty())
            continue;
        if (!source.is_plain()) {
            VMAF_TRY(add_normalising(picture, plane, planes, *copy, stream));
            continue;
        }
        const CUDA_MEMCPY2D transfer = host_copy(source, view.row_bytes(), view.height_px, copy->plane[plane]);
        CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream));
    }
    return copy;
}

// Both planes of a pair go out with the first of `planes` that it has.
Status CudaTransfers::add_normalising(const PictureHandle &picture, unsigned plane, PlaneMask planes, const Upload &to,
                                      CUstream stream)
{
    const SampleSource source = picture.source(plane);
    if (source.first > 0 && (planes >> (plane - 1) & 1) != 0)
        return {};
    const PlaneView view = picture.plane(plane);
    if (jobs_ + source.step > kMaxNormaliseJobs)
        VMAF_TRY(send_jobs(view.bpc, stream));
    VMAF_TRY_ASSIGN(const CudaPlane from, plane_on_device(picture, plane, stream));
    NormaliseJob job{from,
                     {},
                     to.plane[plane].stride_bytes,
                     static_cast<int>(view.width_px),
                     static_cast<int>(view.height_px),
                     source.shift,
                     source.step - 1};
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

Status CudaTransfers::send_jobs(unsigned bpc, CUstream stream)
{
    VMAF_TRY(normaliser_.launch(context_, bpc, stream));
    VMAF_TRY(scaler_.launch(context_, bpc, stream));
    raw_in_use_ = {};
    raw_count_ = 0;
    jobs_ = 0;
    return {};
}

Status CudaTransfers::add_scaling(const PictureHandle &picture, unsigned plane, const CudaPlane &from,
                                  const CudaPlane &to)
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
    job.max_sample = (1U << view.bpc) - 1;
    return scaler_.add(context_, *source.scaling, job);
}

// Until the kernels are queued that use it.
Result<CUdeviceptr> CudaTransfers::take_raw(std::size_t bytes)
{
    VMAF_TRY_ASSIGN(ReusePool<Raw>::Lease raw, raw_.take(bytes, [&]() -> Result<Raw> {
        VMAF_TRY_ASSIGN(CudaDeviceMemory memory, make_cuda_device_memory(context_, bytes));
        return Raw{bytes, std::move(memory)};
    }));
    raw_in_use_[raw_count_++] = raw;
    return raw->memory.get();
}

// The plane as the client lends it.
Result<CudaPlane> CudaTransfers::plane_on_device(const PictureHandle &picture, unsigned plane, CUstream stream)
{
    const SampleSource source = picture.source(plane);
    if (picture.kind() == MemoryKind::device)
        return device_plane(source);
    const PlaneView view = picture.plane(plane);
    const PlaneSize size = source.size({view.width_px, view.height_px});
    const std::size_t row_bytes = std::size_t{size.width_px} * source.step * sample_bytes(view.bpc);
    const std::size_t stride = round_up(row_bytes, kRowAlignment);
    VMAF_TRY_ASSIGN(const CUdeviceptr memory, take_raw(stride * size.height_px));
    const CudaPlane to{reinterpret_cast<const unsigned char *>(memory), static_cast<long long>(stride)};
    const CUDA_MEMCPY2D transfer = host_copy(source, row_bytes, size.height_px, to);
    CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream));
    return to;
}

// The features have accepted the format (kLargestCudaSidePx), so sizes fit.
Result<CudaTransfers::Upload> CudaTransfers::make_upload(const PictureFormat &format, PlaneMask planes) const
{
    Upload copy;
    std::size_t offset[3] = {}, bytes = kRowAlignment; // never an empty block
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if ((planes >> plane & 1) == 0)
            continue;
        const std::size_t stride = round_up(format.plane_width(plane) * format.sample_bytes(), kRowAlignment);
        offset[plane] = bytes - kRowAlignment;
        copy.plane[plane].stride_bytes = static_cast<long long>(stride);
        bytes += stride * format.plane_height(plane);
    }
    VMAF_TRY_ASSIGN(copy.memory, make_cuda_device_memory(context_, bytes));
    for (unsigned plane = 0; plane < format.plane_count(); ++plane)
        if ((planes >> plane & 1) != 0)
            copy.plane[plane].data = reinterpret_cast<const unsigned char *>(copy.memory.get()) + offset[plane];
    return copy;
}

// Of pictures that the session keeps too.
void CudaTransfers::keep_uploads(const Frame &frame)
{
    std::erase_if(uploaded_,
                  [&](const Uploaded &copy) { return wanted_later(frame, copy.picture, earlier_read_) == kNoPlanes; });
}

// Features without a CUDA backend read host memory.
Status CudaTransfers::stage_downloads(const CudaStagedFrame &staged, Frame &frame, CUstream stream)
{
    for (unsigned age = 0, oldest = frame.look_back(); age <= oldest; ++age) {
        const PairMask mask = planes_read(frame, Runs::on_cpu, age);
        const PairOf<CudaPlane> &from = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        PairOf<PlaneView> &views = age == 0 ? frame.planes : frame.planes.earlier[age - 1];
        VMAF_TRY(download(frame, frame.pair_at(age).ref, from.ref, mask.ref, views.ref, stream));
        VMAF_TRY(download(frame, frame.pair_at(age).dis, from.dis, mask.dis, views.dis, stream));
    }
    keep_downloads(frame);
    return {};
}

Status CudaTransfers::download(Frame &frame, const PictureHandle &picture, const CudaPlane (&from)[3], PlaneMask planes,
                               PlaneView (&views)[3], CUstream stream)
{
    planes &= planes_of(picture);
    for (unsigned plane = 0; plane < 3; ++plane)
        if ((planes >> plane & 1) != 0) {
            VMAF_TRY_ASSIGN(views[plane], download(frame, picture, from[plane], plane, stream));
        }
    return {};
}

const CudaTransfers::Downloaded *CudaTransfers::find_download(const PictureHandle &picture, unsigned plane) const
{
    const auto found = std::find_if(downloaded_.begin(), downloaded_.end(), [&](const Downloaded &copy) {
        return copy.plane == plane && copy.picture.is_same(picture);
    });
    return found != downloaded_.end() ? &*found : nullptr;
}

Result<PlaneView> CudaTransfers::download(Frame &frame, const PictureHandle &picture, const CudaPlane &from,
                                          unsigned plane, CUstream stream)
{
    PlaneView view = picture.plane(plane);
    if (view.is_empty())
        return view;
    frame.host_copies.reserve(frame.host_copies.size() + 1);
    if (const Downloaded *const earlier = find_download(picture, plane)) {
        frame.host_copies.push_back(earlier->copy);
        return earlier->view;
    }
    downloaded_.reserve(downloaded_.size() + 1);
    const std::size_t bytes = view.row_bytes() * view.height_px;
    VMAF_TRY_ASSIGN(ReusePool<HostCopy>::Lease copy, host_copies_.take(bytes, [&]() -> Result<HostCopy> {
        VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, bytes));
        return HostCopy{bytes, std::move(memory)};
    }));
    CUDA_MEMCPY2D transfer{};
    transfer.WidthInBytes = view.row_bytes();
    transfer.Height = view.height_px;
    transfer.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    transfer.srcDevice = reinterpret_cast<CUdeviceptr>(from.data);
    transfer.srcPitch = static_cast<std::size_t>(from.stride_bytes);
    transfer.dstMemoryType = CU_MEMORYTYPE_HOST;
    transfer.dstHost = copy->memory.get();
    transfer.dstPitch = view.row_bytes();
    view.data = static_cast<const std::byte *>(copy->memory.get());
    view.stride_bytes = static_cast<std::ptrdiff_t>(view.row_bytes());
    frame.host_copies.push_back(copy);
    CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream));
    downloaded_.push_back({picture, plane, view, std::move(copy)});
    return view;
}

void CudaTransfers::keep_downloads(const Frame &frame)
{
    Earlier<PairMask> earlier;
    for (const Frame::Work &work : frame.due)
        if (!work.feature->on_device())
            add_earlier(work.feature->window(), earlier);
    std::erase_if(downloaded_, [&](const Downloaded &copy) {
        return (wanted_later(frame, copy.picture, earlier) >> copy.plane & 1) == 0;
    });
}

void CudaTransfers::forget_all()
{
    uploaded_.clear();
    downloaded_.clear();
    normaliser_.clear();
    scaler_.clear();
    raw_in_use_ = {};
    raw_count_ = 0;
    jobs_ = 0;
}

void CudaTransfers::close()
{
    forget_all();
    normaliser_.close();
    scaler_.close();
    uploads_.clear();
    raw_.clear();
    host_copies_.clear();
    shared_ready_ = {};
    context_.reset();
}

} // namespace vmaf
