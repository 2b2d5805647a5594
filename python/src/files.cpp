/// The module libvmaf._files: video files for sessions of libvmaf._core. A module of its own, since it needs ffmpeg's libraries.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "clips.h"
#include "common/console.h"
#include "common/failure.h"
#include "input/media.h"
#include "messages.h"
#include "scoring/scoring_models.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace vmaf;
using namespace vmaf::python;

namespace {

PyObject *video_error = nullptr;
PyObject *parts_do_not_fit = nullptr;

[[noreturn]] void raise(const tool::Failure &failure)
{
    std::string text = failure.what();
    while (text.ends_with('\n'))
        text.pop_back();
    PyErr_SetString(video_error, text.c_str());
    nb::raise_python_error();
}

/// Lines of the readers: what they convert, and warnings.
void take_line(std::string_view line)
{
    constexpr std::string_view kWarning = "warning: ";
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    if (line.starts_with(kWarning))
        add_message(VMAF_LOG_LEVEL_WARNING, line.substr(kWarning.size()));
    else
        add_message(VMAF_LOG_LEVEL_INFO, line);
}

template <class Choice>
Choice chosen(const char *option, const std::string &text, std::optional<Choice> (*parse)(std::string_view))
{
    if (const auto choice = parse(text))
        return *choice;
    throw nb::value_error((std::string(option) + " is '" + text + "', which it cannot be").c_str());
}

tool::Selection selection_of(const std::vector<std::string> &models, const std::vector<std::string> &features)
{
    tool::Selection selection;
    for (const std::string &version : models) {
        tool::ModelSpec model;
        model.version = version;
        selection.models.push_back(model);
    }
    for (const std::string &name : features)
        selection.features.push_back({name, {}});
    return selection;
}

VmafPixelFormat pix_fmt_named(const std::string &name)
{
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        if (name == tool::pixel_format_text(pix_fmt))
            return pix_fmt;
    throw nb::value_error(("raw: pix_fmt is '" + name + "': '400', '420', '422' or '444' is needed").c_str());
}

std::unique_ptr<Clips> open_clips(const std::string &reference, const std::vector<std::string> &distorted,
                                  const std::vector<std::string> &models, const std::vector<std::string> &features,
                                  const nb::dict &reading)
{
    tool::Options options;
    options.reference = reference;
    options.distorted = distorted;
    options.selection = selection_of(models, features);
    const auto text = [&](const char *key) { return nb::cast<std::string>(reading[key]); };
    options.input.ref_format = chosen("ref_format", text("ref_format"), tool::parse_container_format);
    options.input.dis_format = chosen("dist_format", text("dist_format"), tool::parse_container_format);
    options.input.scale = chosen("scale", text("scale"), tool::parse_scale);
    options.input.scaler = chosen("scaler", text("scaler"), tool::parse_scaler);
    options.input.pix_fmt = chosen("pix_fmt", text("pix_fmt"), tool::parse_common_format);
    options.input.decoding = chosen("decoder", text("decoder"), tool::parse_decoding);
    options.input.allow_fps_mismatch = nb::cast<bool>(reading["allow_fps_mismatch"]);
    options.input.allow_network = nb::cast<bool>(reading["allow_network"]);
    options.strict = nb::cast<bool>(reading["strict"]);
    options.frame_skip_ref = nb::cast<unsigned>(reading["skip_ref"]);
    options.frame_skip_dist = nb::cast<unsigned>(reading["skip_dist"]);
    options.frame_cnt = nb::cast<unsigned>(reading["count"]);
    if (const nb::object raw = reading["raw"]; !raw.is_none())
        options.input.raw = tool::VideoFormat{nb::cast<unsigned>(raw[0]), nb::cast<unsigned>(raw[1]),
                                              pix_fmt_named(nb::cast<std::string>(raw[2])), nb::cast<unsigned>(raw[3])};
    const auto gpu = nb::cast<std::optional<unsigned>>(reading["gpu"]);
    std::unique_ptr<Clips> clips;
    std::optional<tool::Failure> failure;
    {
        const nb::gil_scoped_release released;
        try {
            clips = std::make_unique<Clips>(std::move(options), gpu);
        } catch (const tool::Failure &thrown) {
            failure = thrown;
        }
    }
    log_messages();
    if (failure)
        raise(*failure);
    return clips;
}

/// (time stamp that leads to the key frame or None, the key frame's, frames dropped, frames checked, digest of their time stamps)
using StretchValues =
    std::tuple<std::optional<std::int64_t>, std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

StretchValues values_of(const tool::FrameStretch &stretch)
{
    const tool::KeyFrame from = stretch.from.value_or(tool::KeyFrame());
    return {stretch.from ? std::optional(from.asked) : std::nullopt, from.pts, stretch.dropped, stretch.checked,
            stretch.time_stamps};
}

tool::FrameStretch stretch_of(const StretchValues &values)
{
    const auto &[asked, pts, dropped, checked, time_stamps] = values;
    tool::FrameStretch stretch;
    stretch.dropped = dropped;
    stretch.checked = checked;
    stretch.time_stamps = time_stamps;
    if (asked)
        stretch.from = tool::KeyFrame{*asked, pts};
    return stretch;
}

void start_at(Clips &clips, const std::vector<std::optional<StretchValues>> &values)
{
    std::vector<std::optional<tool::FrameStretch>> stretches;
    for (const auto &each : values)
        stretches.push_back(each ? std::optional(stretch_of(*each)) : std::nullopt);
    clips.start_at(std::move(stretches));
}

/// With the GIL: whatever the callback or a signal's handler raises ends the reading.
void report(const nb::object &progress, unsigned frames)
{
    const nb::gil_scoped_acquire acquired;
    log_messages();
    if (PyErr_CheckSignals() != 0)
        nb::raise_python_error();
    if (!progress.is_none())
        progress(frames);
}

/// (frames, which ended first or None, the library's error, why a video could not be read to its end or None)
nb::tuple read_clips(Clips &clips, const std::vector<std::uintptr_t> &handles, bool on_gpu, bool in_parts,
                     const nb::object &progress)
{
    std::vector<VmafContext *> contexts;
    for (const std::uintptr_t handle : handles)
        contexts.push_back(reinterpret_cast<VmafContext *>(handle));
    const auto decoders = in_parts ? tool::DecodersInFlight::several : tool::DecodersInFlight::one;
    ClipsRead read;
    {
        const nb::gil_scoped_release released;
        read = clips.read(contexts, on_gpu, decoders, [&](unsigned frames) { report(progress, frames); });
    }
    log_messages();
    try {
        if (read.failure)
            std::rethrow_exception(std::exchange(read.failure, nullptr));
    } catch (const tool::Failure &failure) {
        raise(failure);
    } catch (const tool::PartsDoNotFit &reason) {
        PyErr_SetString(parts_do_not_fit, reason.why);
        nb::raise_python_error();
    }
    return nb::make_tuple(read.frames, read.ended_first, read.error, read.stopped);
}

} // namespace

NB_MODULE(_files, module)
{
    nb::dict no_scores;
    no_scores["result"] = nb::none();
    no_scores["results"] = nb::tuple();
    video_error =
        PyErr_NewExceptionWithDoc("libvmaf.VideoError",
                                  "A video cannot be read, or not be compared with another. Where it was read "
                                  "in part, `result` has the scores so far, of several encodes `results`.",
                                  PyExc_ValueError, no_scores.ptr());
    module.attr("VideoError") = nb::borrow(video_error);
    parts_do_not_fit = PyErr_NewExceptionWithDoc(
        "libvmaf._files.PartsDoNotFit", "A video cannot be read in parts with the result that it has as a whole.",
        nullptr, nullptr);
    module.attr("PartsDoNotFit") = nb::borrow(parts_do_not_fit);
    tool::redirect_console(take_line);
    nb::class_<Clips>(module, "Clips")
        .def_static("open", open_clips, "reference"_a, "distorted"_a, "models"_a, "features"_a, "reading"_a)
        .def("read", read_clips, "handles"_a, "on_gpu"_a, "in_parts"_a, "progress"_a.none())
        .def("index_frames", &Clips::index_frames, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "stretch",
            [](Clips &clips, std::size_t video, std::uint64_t first, std::uint64_t end) {
                const nb::gil_scoped_release released;
                return values_of(clips.stretch(video, first, end));
            },
            "video"_a, "first"_a, "end"_a)
        .def("start_at", start_at, "stretches"_a)
        .def_prop_ro("size",
                     [](const Clips &clips) { return std::pair(clips.format().width_px, clips.format().height_px); })
        .def_prop_ro("pix_fmt", [](const Clips &clips) { return tool::pixel_format_text(clips.format().pix_fmt); })
        .def_prop_ro("bpc", [](const Clips &clips) { return clips.format().depth; })
        .def_prop_ro("frame_rate", &Clips::frame_rate)
        .def_prop_ro("expected_frames", &Clips::expected_frames)
        .def_prop_ro("warnings", &Clips::warnings);
    module.def("has_media_support", tool::has_media_support);
    module.def(
        "version_for_height",
        [](unsigned height) {
            tool::ModelSpec model;
            model.version = tool::kAutoVersion;
            return tool::resolve_auto(model, height).version;
        },
        "height"_a);
}
