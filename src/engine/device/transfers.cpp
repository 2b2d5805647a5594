#include "engine/device/transfers.h"

#include <algorithm>

#include "engine/frame_work.h"
#include "engine/session_feature.h"

namespace vmaf {
namespace {

DevicePlane device_plane(const SampleSource &source)
{
    return {reinterpret_cast<const unsigned char *>(source.data), static_cast<long long>(source.stride_bytes)};
}

PlaneMask planes_of(const PictureHandle &picture)
{
    return picture ? (1U << picture.format().plane_count()) - 1 : kNoPlanes;
}

/// The planes of a picture that later frames look back at, if `earlier` is what they read of
/// earlier pairs.
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

PlaneMask DeviceTransfers::reference_planes(const Frame &frame) const
{
    const PlaneMask on_device = planes_read(frame, Runs::on_device, 0).ref | read_later(earlier_read_, 0).ref;
    return frame.pair.ref.kind() == MemoryKind::device ? on_device | planes_read(frame, Runs::on_cpu, 0).ref
                                                       : on_device;
}

// Whatever the client has queued on the pictures' streams comes before our reads (spec cuda 5,
// device_pictures 2): on the default stream, or the one that came with a foreign picture. Of
// earlier pictures too: a frame that was refused left its pictures behind without this. An event on
// the default stream lets all blocking streams of the context wait for each other. So there is one
// for a batch, unless a transfer comes first.
Status DeviceTransfers::wait_for_clients(const Frame &frame)
{
    client_streams_.clear();
    const auto wait_for = [&](const PictureHandle &picture) -> Status {
        if (!picture || picture.kind() == MemoryKind::host)
            return {};
        const ForeignPicture *const lent = picture.foreign();
        void *const stream = lent != nullptr ? lent->planes().stream : nullptr;
        if (stream == nullptr) {
            default_stream_is_due_ = true;
            return {};
        }
        if (std::find(client_streams_.begin(), client_streams_.end(), stream) != client_streams_.end())
            return {};
        client_streams_.push_back(stream);
        return device_.wait_for_client(stream);
    };
    for (unsigned age = 0; age <= frame.earlier.size(); ++age) {
        VMAF_TRY(wait_for(frame.pair_at(age).ref));
        VMAF_TRY(wait_for(frame.pair_at(age).dis));
    }
    return {};
}

Status DeviceTransfers::wait_for_default_stream()
{
    if (!default_stream_is_due_)
        return {};
    VMAF_TRY(device_.wait_for_client(nullptr));
    default_stream_is_due_ = false;
    return {};
}

Status DeviceTransfers::stage(StagedFrame &staged, Frame &frame, SharedReference *shared)
{
    staged.planes.begin(frame.index);
    VMAF_TRY(stage_on_device(staged, frame, shared));
    return frame.pair.ref.kind() == MemoryKind::device ? stage_downloads(staged, frame) : Status();
}

// Where device features find the planes that they read, and what is downloaded from.
Status DeviceTransfers::stage_on_device(StagedFrame &staged, const Frame &frame, SharedReference *shared)
{
    const bool takes_part = shared != nullptr && reference_planes(frame) != kNoPlanes;
    if (takes_part && shared->copy)
        VMAF_TRY(take_shared(frame.pair.ref, *shared));
    for (unsigned age = 0, oldest = frame.look_back(); age <= oldest; ++age) {
        PairMask on_device = planes_read(frame, Runs::on_device, age);
        const PairMask on_cpu = planes_read(frame, Runs::on_cpu, age);
        if (age == 0)
            on_device |= read_later(earlier_read_, 0); // they go over the bus together
        if (age == 0 && takes_part)
            on_device.ref = shared->planes;
        PairOf<DevicePlane> &planes = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        VMAF_TRY(stage_picture(staged, frame.pair_at(age).ref, on_device.ref, on_cpu.ref, planes.ref));
        VMAF_TRY(stage_picture(staged, frame.pair_at(age).dis, on_device.dis, on_cpu.dis, planes.dis));
    }
    VMAF_TRY(device_.finish_uploads(frame.pair.ref.format().bpc));
    if (takes_part && !shared->copy)
        VMAF_TRY(share(frame.pair.ref, *shared));
    keep_uploads(frame);
    return {};
}

// Planes of device pictures lie there already if they are plain.
Status DeviceTransfers::stage_picture(StagedFrame &staged, const PictureHandle &picture, PlaneMask on_device,
                                      PlaneMask on_cpu, DevicePlane (&views)[3])
{
    if (!picture)
        return {};
    for (unsigned plane = 0; plane < 3 && picture.kind() == MemoryKind::device; ++plane)
        if ((plain_planes_of(picture) >> plane & 1) != 0)
            views[plane] = device_plane(picture.source(plane));
    const PlaneMask planes = planes_to_copy(picture, on_device, on_cpu);
    if (planes == kNoPlanes)
        return {};
    VMAF_TRY_ASSIGN(const PlanesOnDevice copy, uploaded(picture, planes));
    for (unsigned plane = 0; plane < 3; ++plane)
        if (copy.plane[plane].data != nullptr)
            views[plane] = copy.plane[plane];
    staged.uploads.push_back(copy.memory);
    return {};
}

// Planes to copy. From a host picture: what the device reads. From a device picture: what is not
// plain and either side reads.
PlaneMask DeviceTransfers::planes_to_copy(const PictureHandle &picture, PlaneMask on_device, PlaneMask on_cpu) const
{
    if (picture.kind() != MemoryKind::device)
        return on_device & planes_of(picture);
    for (unsigned plane = 0; plane < 3; ++plane)
        if (find_download(picture, plane) != nullptr)
            on_cpu &= ~(1U << plane);
    return (on_device | on_cpu) & planes_of(picture) & ~plain_planes_of(picture);
}

// The reference's copy that another session had made, as if this one had.
Status DeviceTransfers::take_shared(const PictureHandle &picture, const SharedReference &shared)
{
    const auto &made = *static_cast<const SharedCopy *>(shared.copy.get());
    uploaded_.reserve(uploaded_.size() + 1);
    VMAF_TRY(device_.wait_for(made.made));
    uploaded_.push_back({picture, made.copy});
    return {};
}

// With the sessions that are admitted after this one, if it was copied.
Status DeviceTransfers::share(const PictureHandle &picture, SharedReference &shared)
{
    const auto copied = std::find_if(uploaded_.begin(), uploaded_.end(),
                                     [&](const Uploaded &copy) { return copy.picture.is_same(picture); });
    if (copied == uploaded_.end())
        return {};
    VMAF_TRY_ASSIGN(const void *made, device_.mark_transfers());
    shared.copy = std::make_shared<const SharedCopy>(SharedCopy{copied->copy, made});
    return {};
}

// The copy that this or an earlier frame made, if it holds the planes.
Result<PlanesOnDevice> DeviceTransfers::uploaded(const PictureHandle &picture, PlaneMask planes)
{
    for (const Uploaded &earlier : uploaded_)
        if (earlier.picture.is_same(picture) && (earlier.copy.planes & planes) == planes)
            return earlier.copy;
    uploaded_.reserve(uploaded_.size() + 1);
    VMAF_TRY(wait_for_default_stream());
    VMAF_TRY_ASSIGN(PlanesOnDevice copy, device_.upload(picture, planes));
    uploaded_.push_back({picture, copy});
    return copy;
}

// Keeps the uploads of pictures that the session keeps too.
void DeviceTransfers::keep_uploads(const Frame &frame)
{
    std::erase_if(uploaded_,
                  [&](const Uploaded &copy) { return wanted_later(frame, copy.picture, earlier_read_) == kNoPlanes; });
}

// Features without a backend on the device read host memory.
Status DeviceTransfers::stage_downloads(const StagedFrame &staged, Frame &frame)
{
    for (unsigned age = 0, oldest = frame.look_back(); age <= oldest; ++age) {
        const PairMask mask = planes_read(frame, Runs::on_cpu, age);
        const PairOf<DevicePlane> &from = age == 0 ? staged.planes : staged.planes.earlier[age - 1];
        PairOf<PlaneView> &views = age == 0 ? frame.planes : frame.planes.earlier[age - 1];
        VMAF_TRY(download(frame, frame.pair_at(age).ref, from.ref, mask.ref, views.ref));
        VMAF_TRY(download(frame, frame.pair_at(age).dis, from.dis, mask.dis, views.dis));
    }
    keep_downloads(frame);
    return {};
}

Status DeviceTransfers::download(Frame &frame, const PictureHandle &picture, const DevicePlane (&from)[3],
                                 PlaneMask planes, PlaneView (&views)[3])
{
    planes &= planes_of(picture);
    for (unsigned plane = 0; plane < 3; ++plane)
        if ((planes >> plane & 1) != 0) {
            VMAF_TRY_ASSIGN(views[plane], download(frame, picture, from[plane], plane));
        }
    return {};
}

const DeviceTransfers::Downloaded *DeviceTransfers::find_download(const PictureHandle &picture, unsigned plane) const
{
    const auto found = std::find_if(downloaded_.begin(), downloaded_.end(), [&](const Downloaded &copy) {
        return copy.plane == plane && copy.picture.is_same(picture);
    });
    return found != downloaded_.end() ? &*found : nullptr;
}

Result<PlaneView> DeviceTransfers::download(Frame &frame, const PictureHandle &picture, const DevicePlane &from,
                                            unsigned plane)
{
    const PlaneView view = picture.plane(plane);
    if (view.is_empty())
        return view;
    frame.host_copies.reserve(frame.host_copies.size() + 1);
    if (const Downloaded *const earlier = find_download(picture, plane)) {
        frame.host_copies.push_back(earlier->copy.memory);
        return earlier->copy.view;
    }
    downloaded_.reserve(downloaded_.size() + 1);
    VMAF_TRY(wait_for_default_stream());
    VMAF_TRY_ASSIGN(const PlaneOnHost copy, device_.download(view, from));
    frame.host_copies.push_back(copy.memory);
    downloaded_.push_back({picture, plane, copy});
    return copy.view;
}

void DeviceTransfers::keep_downloads(const Frame &frame)
{
    earlier_read_on_cpu_.clear();
    for (const Frame::Work &work : frame.due)
        if (!work.feature->on_device())
            add_earlier(work.feature->window(), earlier_read_on_cpu_);
    std::erase_if(downloaded_, [&](const Downloaded &copy) {
        return (wanted_later(frame, copy.picture, earlier_read_on_cpu_) >> copy.plane & 1) == 0;
    });
}

void DeviceTransfers::forget_all()
{
    uploaded_.clear();
    downloaded_.clear();
    device_.forget_uploads();
}

} // namespace vmaf
