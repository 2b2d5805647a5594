#include "engine/cuda/transfers.h"

#include <algorithm>

#include "base/round_up.h"
#include "engine/session_feature.h"

namespace vmaf {
namespace {

CudaPlane device_plane(const PlaneView &view)
{
    return {reinterpret_cast<const unsigned char *>(view.data), static_cast<long long>(view.stride_bytes)};
}

CUDA_MEMCPY2D plane_copy(const PlaneView &view)
{
    CUDA_MEMCPY2D copy{};
    copy.WidthInBytes = view.row_bytes();
    copy.Height = view.height_px;
    return copy;
}

PlaneMask planes_of(const PictureHandle &picture)
{
    return picture ? (1U << picture.format().plane_count()) - 1 : kNoPlanes;
}

enum class Runs { on_device, on_cpu };

/// What the frame's features on that side read of the pair that was read `age` calls before.
PairMask read_of(const Frame &frame, Runs runs, unsigned age)
{
    PairMask mask;
    for (const Frame::Work &work : frame.due)
        if (work.feature->on_device() == (runs == Runs::on_device) && age <= work.look_back)
            mask |= age == 0 ? work.feature->window().pair : work.feature->window().earlier[age - 1];
    return mask;
}

/// The planes of a picture that later frames look back at, if `earlier` is what they read of earlier pairs.
PlaneMask wanted_later(const Frame &frame, const PictureHandle &picture,
                       const std::array<PairMask, kMaxLookBack> &earlier)
{
    for (unsigned age = 0; age < kMaxLookBack; ++age) {
        const PicturePair &pair = frame.pair_at(age);
        if (pair.ref && picture.is_same(pair.ref))
            return read_later(earlier, age).ref;
        if (pair.dis && picture.is_same(pair.dis))
            return read_later(earlier, age).dis;
    }
    return kNoPlanes;
}

void take_device_planes(const PictureHandle &picture, CudaPlane (&planes)[3])
{
    for (unsigned plane = 0; picture && plane < picture.format().plane_count(); ++plane)
        planes[plane] = device_plane(picture.plane(plane));
}

} // namespace

void CudaTransfers::add(const ReadingWindow &window)
{
    for (unsigned i = 0; i < kMaxLookBack; ++i)
        earlier_read_[i] |= window.earlier[i];
}

Status CudaTransfers::stage(CudaStagedFrame &staged, Frame &frame, CUstream stream)
{
    staged.planes = {};
    staged.planes.frame_index = frame.index;
    if (frame.pair.ref.kind() != MemoryKind::device)
        return stage_uploads(staged, frame, stream);
    for (unsigned age = 0; age <= kMaxLookBack; ++age) {
        PairOf<CudaPlane> &planes = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        take_device_planes(frame.pair_at(age).ref, planes.ref);
        take_device_planes(frame.pair_at(age).dis, planes.dis);
    }
    return stage_downloads(frame, stream);
}

Status CudaTransfers::stage_uploads(CudaStagedFrame &staged, const Frame &frame, CUstream stream)
{
    std::size_t held = 0;
    const auto stage_picture = [&](const PictureHandle &picture, PlaneMask planes, CudaPlane(&views)[3]) -> Status {
        planes &= planes_of(picture);
        if (planes == kNoPlanes)
            return {};
        VMAF_TRY_ASSIGN(const UploadLease copy, uploaded(picture, planes, stream));
        std::copy_n(copy->plane, 3, views);
        staged.uploads[held++] = copy;
        return {};
    };
    for (unsigned age = 0; age <= kMaxLookBack; ++age) {
        PairMask mask = read_of(frame, Runs::on_device, age);
        if (age == 0)
            mask |= read_later(earlier_read_, 0); // they go over the bus together
        PairOf<CudaPlane> &planes = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        VMAF_TRY(stage_picture(frame.pair_at(age).ref, mask.ref, planes.ref));
        VMAF_TRY(stage_picture(frame.pair_at(age).dis, mask.dis, planes.dis));
    }
    keep_uploads(frame);
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
        const PlaneView from = picture.plane(plane);
        if ((planes >> plane & 1) == 0 || from.is_empty())
            continue;
        CUDA_MEMCPY2D transfer = plane_copy(from);
        transfer.srcMemoryType = CU_MEMORYTYPE_HOST;
        transfer.srcHost = from.data;
        transfer.srcPitch = static_cast<std::size_t>(from.stride_bytes);
        transfer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        transfer.dstDevice = reinterpret_cast<CUdeviceptr>(copy->plane[plane].data);
        transfer.dstPitch = static_cast<std::size_t>(copy->plane[plane].stride_bytes);
        CHECK_CUDA_RETURN(context_->driver(), cuMemcpy2DAsync(&transfer, stream));
    }
    return copy;
}

// The features have accepted the format (kLargestCudaSidePx), so sizes fit.
Result<CudaTransfers::Upload> CudaTransfers::make_upload(const PictureFormat &format, PlaneMask planes) const
{
    constexpr std::size_t kRowAlignment = 256;
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
Status CudaTransfers::stage_downloads(Frame &frame, CUstream stream)
{
    for (unsigned age = 0; age <= kMaxLookBack; ++age) {
        const PairMask mask = read_of(frame, Runs::on_cpu, age);
        PairOf<PlaneView> &views = age == 0 ? frame.planes : frame.planes.earlier[age - 1];
        VMAF_TRY(download(frame, frame.pair_at(age).ref, mask.ref, views.ref, stream));
        VMAF_TRY(download(frame, frame.pair_at(age).dis, mask.dis, views.dis, stream));
    }
    keep_downloads(frame);
    return {};
}

Status CudaTransfers::download(Frame &frame, const PictureHandle &picture, PlaneMask planes, PlaneView (&views)[3],
                               CUstream stream)
{
    planes &= planes_of(picture);
    for (unsigned plane = 0; plane < 3; ++plane)
        if ((planes >> plane & 1) != 0) {
            VMAF_TRY_ASSIGN(views[plane], download(frame, picture, plane, stream));
        }
    return {};
}

Result<PlaneView> CudaTransfers::download(Frame &frame, const PictureHandle &picture, unsigned plane, CUstream stream)
{
    PlaneView view = picture.plane(plane);
    if (view.is_empty())
        return view;
    frame.host_copies.reserve(frame.host_copies.size() + 1);
    for (const Downloaded &earlier : downloaded_)
        if (earlier.plane == plane && earlier.picture.is_same(picture)) {
            frame.host_copies.push_back(earlier.copy);
            return earlier.view;
        }
    downloaded_.reserve(downloaded_.size() + 1);
    const std::size_t bytes = view.row_bytes() * view.height_px;
    VMAF_TRY_ASSIGN(ReusePool<HostCopy>::Lease copy, host_copies_.take(bytes, [&]() -> Result<HostCopy> {
        VMAF_TRY_ASSIGN(CudaPinnedMemory memory, make_cuda_pinned_memory(context_, bytes));
        return HostCopy{bytes, std::move(memory)};
    }));
    CUDA_MEMCPY2D transfer = plane_copy(view);
    transfer.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    transfer.srcDevice = reinterpret_cast<CUdeviceptr>(view.data);
    transfer.srcPitch = static_cast<std::size_t>(view.stride_bytes);
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
    std::array<PairMask, kMaxLookBack> earlier;
    for (const Frame::Work &work : frame.due)
        for (unsigned i = 0; i < kMaxLookBack && !work.feature->on_device(); ++i)
            earlier[i] |= work.feature->window().earlier[i];
    std::erase_if(downloaded_, [&](const Downloaded &copy) {
        return (wanted_later(frame, copy.picture, earlier) >> copy.plane & 1) == 0;
    });
}

void CudaTransfers::forget_all()
{
    uploaded_.clear();
    downloaded_.clear();
}

void CudaTransfers::close()
{
    forget_all();
    uploads_.clear();
    host_copies_.clear();
    context_.reset();
}

} // namespace vmaf
