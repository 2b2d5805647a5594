/// The module libvmaf._core: the library's objects for the package's Python code.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "columns.h"
#include "common/failure.h"
#include "context.h"
#include "library/lists.h"
#include "machine/machine.h"
#include "map.h"
#include "model_choice.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace vmaf::python;

namespace {

nb::str format_name(const Frame &frame)
{
    constexpr const char *kNames[] = {"", "420", "422", "444", "400"};
    return nb::str(kNames[frame.pix_fmt]);
}

void bind_frame(nb::module_ &module)
{
    nb::class_<Frame>(module, "Frame",
                      "A picture of arrays that are lent, not copied: until the library has released them they must "
                      "not be written to.\n\n"
                      "planes   one array (luma alone) or a sequence of them, of uint8 or uint16\n"
                      "pix_fmt  '400', '420', '422' or '444'\n"
                      "bpc      bits of a sample: 8, 10, 12 or 16\n"
                      "shift    unused bits below a sample: 6 of P010\n"
                      "layout   'planar', or 'semi-planar': luma and pairs of chroma, as of NV12\n"
                      "copy     True: the arrays may be written to at once")
        .def(
            "__init__",
            [](Frame *self, nb::handle planes, const std::string &pix_fmt, unsigned bpc, unsigned shift,
               const std::string &layout,
               bool copy) { new (self) Frame(Frame::make(planes, pix_fmt, bpc, shift, layout, copy)); },
            "planes"_a, "pix_fmt"_a = "420", "bpc"_a = 8, "shift"_a = 0, "layout"_a = "planar", "copy"_a = false)
        .def_ro("planes", &Frame::planes)
        .def_prop_ro("pix_fmt", format_name)
        .def_ro("bpc", &Frame::bpc)
        .def_ro("shift", &Frame::shift)
        .def_prop_ro("layout", [](const Frame &frame) {
            return frame.layout == VMAF_PLANE_LAYOUT_PLANAR ? "planar" : "semi-planar";
        });
}

void bind_model(nb::module_ &module)
{
    nb::class_<Model>(module, "Model")
        .def_static("load", &Model::load, "source"_a, "is_file"_a, "name"_a, "flags"_a)
        .def("overload", &Model::overload, "feature"_a, "options"_a)
        .def_prop_ro("name", &Model::name)
        .def_prop_ro("is_collection", &Model::is_collection);
}

void bind_context(nb::module_ &module)
{
    nb::class_<Context>(module, "Context")
        .def(
            "__init__",
            [](Context *self, unsigned threads, unsigned subsample, std::uint64_t cpumask, std::uint64_t gpumask,
               std::optional<int> device, std::optional<unsigned> vulkan, bool demanded) {
                new (self) Context({threads, subsample, cpumask, gpumask, device, vulkan,
                                    demanded ? VMAF_VULKAN_CHECK_FAIL : VMAF_VULKAN_CHECK_FALL_BACK});
            },
            "threads"_a, "subsample"_a, "cpumask"_a, "gpumask"_a, "device"_a.none(), "vulkan"_a.none(), "demanded"_a)
        .def("use_feature", &Context::use_feature, "name"_a, "options"_a)
        .def("use_model", &Context::use_model, "model"_a)
        .def("import_feature_score", &Context::import_feature_score, "name"_a, "value"_a, "index"_a)
        .def("read", &Context::read, "ref"_a, "dis"_a, "index"_a, "bpc"_a, "stream"_a)
        .def_static("read_shared", &Context::read_shared, "contexts"_a, "ref"_a, "dis"_a, "index"_a, "bpc"_a,
                    "stream"_a)
        .def("save_segment", &Context::save_segment, "skip"_a, "count"_a)
        .def("append_saved", &Context::append_saved, "saved"_a)
        .def("note_read", &Context::note_read, "first_index"_a, "count"_a)
        .def("flush", &Context::flush)
        .def("latest", &Context::latest, "model"_a.none(), "names"_a, "wait"_a)
        .def("predict", &Context::predict, "model"_a)
        .def("pooled", &Context::pooled, "model"_a, "method"_a, "first"_a, "last"_a)
        .def("feature_pooled", &Context::feature_pooled, "name"_a, "method"_a, "first"_a, "last"_a)
        .def("columns", &Context::columns)
        .def("write", &Context::write, "path"_a, "format"_a, "score_format"_a.none())
        .def("segment_overlap", &Context::segment_overlap)
        .def("frames_held", &Context::frames_held)
        .def_prop_ro("indices", &Context::indices)
        .def_prop_ro("device", &Context::device)
        .def_prop_ro("vulkan", &Context::vulkan)
        .def_prop_ro("is_open", &Context::is_open)
        .def_prop_ro("handle",
                     [](const Context &context) { return reinterpret_cast<std::uintptr_t>(context.handle()); })
        .def("close", &Context::close);
}

} // namespace

NB_MODULE(_core, module)
{
    device_error =
        PyErr_NewExceptionWithDoc("libvmaf.DeviceError", "There is no GPU that can be used.", PyExc_OSError, nullptr);
    module.attr("DeviceError") = nb::borrow(device_error);
    take_messages();
    bind_frame(module);
    bind_model(module);
    bind_context(module);
    module.def("map", map_of, "feature"_a, "options"_a, "ref"_a, "dis"_a, "bpc"_a);
    module.def("statistics", statistics_of, "scores"_a);
    module.def(
        "direction", [](const std::string &column) { return int{vmaf::tool::direction_of(column)}; }, "column"_a);
    module.def(
        "may_write",
        [](const std::string &feature, const std::string &column) { return vmaf::tool::may_write(feature, column); },
        "feature"_a, "column"_a);
    module.def(
        "model_for_height",
        [](unsigned height) {
            vmaf::tool::ClipFacts facts;
            facts.form.format.height_px = height;
            return vmaf::tool::choose_model({std::string(vmaf::tool::kAutoVersion)}, facts).version;
        },
        "height"_a);
    module.def("version", [] { return vmaf_version(); });
    // The last error of what another module of the package called on this thread.
    module.def(
        "check", [](int error, const char *what) { check(error, what); }, "error"_a, "what"_a);
    module.def("tidy_up", tidy_up);
    module.def("available_cores", vmaf::tool::available_cores);
    module.def("gpus", [] {
        nb::list list;
        for (const auto &[index, name, memory_bytes] : vmaf::tool::gpus())
            list.append(nb::make_tuple(index, name, memory_bytes));
        return list;
    });
    module.def("vulkan_devices", [] {
        nb::list list;
        for (const VmafVulkanDeviceInfo *info : vmaf::tool::library_vulkan_devices())
            list.append(nb::make_tuple(info->device, info->name, vmaf::tool::type_text(info->type), info->driver,
                                       info->memory_bytes));
        return list;
    });
    module.def("default_vulkan_device", []() -> std::optional<unsigned> {
        const VmafVulkanDeviceInfo *const info = vmaf::tool::default_vulkan_device();
        return info ? std::optional(info->device) : std::nullopt;
    });
    module.def("_drop_released", &Released::drop_all);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        Released::stop_asking();
        vmaf_set_log_callback(nullptr, nullptr);
    }));
}
