#include "map.h"

#include <cerrno>
#include <memory>
#include <optional>

#include <nanobind/ndarray.h>

#include "call.h"
#include "context.h"
#include "frames/library.h"
#include "lent_picture.h"
#include "libvmaf/libvmaf_ext.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

using OwnedMap = std::unique_ptr<VmafMap, tool::ReleasedBy<vmaf_map_destroy>>;

/// One frame as a picture. Those in a device's memory need a context there.
int wrap(const std::optional<Context> &device, const LentPicture &lent, tool::Picture &picture)
{
    return lent.is_on_device() ? vmaf_picture_wrap(device->handle(), &picture.raw(), &lent.foreign)
                               : vmaf_picture_scale(&picture.raw(), &lent.foreign);
}

nb::object as_array(OwnedMap owned)
{
    VmafMap *const map = owned.get();
    const nb::capsule owner(owned.release(),
                            [](void *released) noexcept { vmaf_map_destroy(static_cast<VmafMap *>(released)); });
    const std::size_t shape[] = {map->h, map->w};
    const std::int64_t strides[] = {map->stride / static_cast<std::ptrdiff_t>(sizeof(float)), 1};
    // The array is the only one that has the values.
    return nb::cast(
        nb::ndarray<nb::numpy, float, nb::ndim<2>>(const_cast<float *>(map->data), 2, shape, owner, strides));
}

} // namespace

nb::object map_of(const std::string &feature, const OptionTexts &options, nb::handle ref, nb::handle dis, unsigned bpc)
{
    const LendingRules rules{bpc, kDefaultStream, std::nullopt, true};
    const LentPicture lent_ref = lend(ref, rules), lent_dis = lend(dis, rules);
    if (lent_ref.device != lent_dis.device)
        throw nb::value_error("the frames lie in different memories");
    std::optional<Context> device; // closed after the pictures are given up
    if (lent_ref.is_on_device())
        device.emplace(ContextOptions{1, 1, 0, 0, lent_ref.device, std::nullopt});
    tool::FeatureDictionary dictionary;
    fill(dictionary, options);
    OwnedMap map;
    const int error = without_gil([&] {
        tool::Picture ref_picture, dis_picture;
        int failed = wrap(device, lent_ref, ref_picture);
        if (failed == 0)
            failed = wrap(device, lent_dis, dis_picture);
        VmafMap *made = nullptr;
        if (failed == 0)
            failed = vmaf_map_create(&made, feature.c_str(), dictionary.get(), &ref_picture.raw(), &dis_picture.raw());
        map.reset(made);
        return failed;
    });
    if (error == -ENOTSUP)
        throw nb::value_error((feature + " has no map: features() says which have one").c_str());
    check(error, ("map of " + feature).c_str());
    return as_array(std::move(map));
}

} // namespace vmaf::python
