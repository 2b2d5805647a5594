#include "map.h"

#include <cerrno>
#include <memory>

#include <nanobind/ndarray.h>

#include "call.h"
#include "frames/library.h"
#include "lent_picture.h"
#include "libvmaf/libvmaf_ext.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

using OwnedMap = std::unique_ptr<VmafMap, tool::ReleasedBy<vmaf_map_destroy>>;

LentPicture lend_host(nb::handle frame, unsigned bpc)
{
    LentPicture lent = lend(frame, {bpc, kNoOrder, std::nullopt});
    if (lent.is_on_device())
        throw nb::value_error("maps are made of arrays in host memory: copy these from the device's");
    return lent;
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
    const LentPicture lent_ref = lend_host(ref, bpc), lent_dis = lend_host(dis, bpc);
    tool::FeatureDictionary dictionary;
    fill(dictionary, options);
    OwnedMap map;
    const int error = without_gil([&] {
        tool::Picture ref_picture, dis_picture;
        int failed = vmaf_picture_scale(&ref_picture.raw(), &lent_ref.foreign);
        if (failed == 0)
            failed = vmaf_picture_scale(&dis_picture.raw(), &lent_dis.foreign);
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
