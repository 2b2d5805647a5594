#include "engine/make_map.h"

#include <vector>

#include "base/aligned_buffer.h"
#include "base/log.h"
#include "base/round_up.h"
#include "engine/accepted_pictures.h"
#include "engine/feature_list.h"

namespace vmaf {
namespace {

/// Planes of a picture in host memory, with copies of those that are not plain.
class ReadablePlanes {
  public:
    explicit ReadablePlanes(const VmafPicture &picture) : handle_(PictureHandle::share(picture)) {}

    void read(PlaneMask planes, PlaneView (&views)[3])
    {
        for (unsigned plane = 0; plane < handle_.format().plane_count(); ++plane)
            if ((planes >> plane & 1) != 0)
                views[plane] = handle_.source(plane).is_plain() ? handle_.plane(plane) : copy_of(plane);
    }

  private:
    PlaneView copy_of(unsigned plane)
    {
        PlaneView view = handle_.plane(plane);
        view.stride_bytes = static_cast<std::ptrdiff_t>(round_up(view.row_bytes(), copies_[plane].kAlignment));
        copies_[plane] = AlignedBuffer<std::byte>(static_cast<std::size_t>(view.stride_bytes) * view.height_px);
        view.data = copies_[plane].data();
        if (!view.is_empty())
            copy_samples(handle_.source(plane), view);
        return view;
    }

    PictureHandle handle_;
    AlignedBuffer<std::byte> copies_[3];
};

OptionDict without_folders(const FeatureSpec &spec, const OptionDict &options)
{
    OptionDict kept;
    for (const auto &[key, value] : options.entries()) {
        bool is_folder = false;
        for (const VmafOptionInfo *option : listed(spec.options))
            is_folder |= option->role == VMAF_ROLE_FOLDER && key == option->name;
        if (!is_folder)
            kept.set(key, value);
    }
    return kept;
}

/// Pictures of any session's pool are taken: none is kept.
Status check_pictures(const VmafPicture &ref, const VmafPicture &dis)
{
    const auto session_of = [](const VmafPicture &picture) {
        return picture.ref != nullptr ? picture.ref->session_id() : 0;
    };
    return AcceptedPictures(session_of(dis)).check(ref, dis, session_of(ref));
}

} // namespace

Result<MetricMap> make_map(const FeatureSpec &spec, const OptionDict &options, const VmafPicture &ref,
                           const VmafPicture &dis)
{
    if (spec.make_map == nullptr) {
        log(LogLevel::error, "%s has no map: vmaf_feature_list() says which features have one", spec.name);
        return Status::error(ENOTSUP);
    }
    VMAF_TRY(check_pictures(ref, dis));
    VMAF_TRY_ASSIGN(const OptionValues values, accepted_options(spec, without_folders(spec, options)));
    const PictureFormat format = format_of(ref);
    VMAF_TRY(check_picture_size(spec, format));
    const std::unique_ptr<Feature> feature = spec.create(values);
    VMAF_TRY(feature->check_format(format));
    const PairMask read = feature->window(format).pair;
    ReadablePlanes ref_planes(ref), dis_planes(dis);
    FramePlanes planes;
    ref_planes.read(read.ref, planes.ref);
    dis_planes.read(read.dis, planes.dis);
    return spec.make_map(values, format, planes, cpu_target(cpu_mask()));
}

} // namespace vmaf
