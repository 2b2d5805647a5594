#pragma once

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libvmaf/libvmaf.h"
#include "support/clips.h"

/// Helpers for tests of the public API: owners of its handles, and pictures filled from clips.
namespace vmaf::test {

struct CloseContext {
    void operator()(VmafContext *context) const { vmaf_close(context); }
};
using Context = std::unique_ptr<VmafContext, CloseContext>;

struct DestroyModel {
    void operator()(VmafModel *model) const { vmaf_model_destroy(model); }
};
using ModelHandle = std::unique_ptr<VmafModel, DestroyModel>;

struct DestroyCollection {
    void operator()(VmafModelCollection *collection) const { vmaf_model_collection_destroy(collection); }
};
using CollectionHandle = std::unique_ptr<VmafModelCollection, DestroyCollection>;

/// A context, by default without log messages; null on failure.
inline Context open_context(unsigned n_threads, unsigned n_subsample = 0)
{
    VmafConfiguration config{};
    config.n_threads = n_threads;
    config.n_subsample = n_subsample;
    VmafContext *context = nullptr;
    return vmaf_init(&context, config) == 0 ? Context(context) : nullptr;
}

/// A model; null on failure. Its name is `name`, or the version if null.
inline ModelHandle load_model(const char *version, const char *name = nullptr, std::uint64_t flags = 0)
{
    VmafModelConfig config{name != nullptr ? name : version, flags};
    VmafModel *model = nullptr;
    return vmaf_model_load(&model, &config, version) == 0 ? ModelHandle(model) : nullptr;
}

/// Copies the clip's samples into a picture of the same format.
inline void fill_picture(const VmafPicture &picture, const Clip &clip, Side side, unsigned frame)
{
    for (unsigned plane = 0; plane < clip.format().plane_count(); ++plane) {
        const PlaneView from = clip.plane(side, frame, plane);
        const std::size_t row_bytes = std::size_t{from.width_px} * (from.bpc > 8 ? 2 : 1);
        for (unsigned y = 0; y < from.height_px; ++y)
            std::memcpy(static_cast<char *>(picture.data[plane]) + picture.stride[plane] * y, from.row<char>(y),
                        row_bytes);
    }
}

/// Calls vmaf_picture_alloc() and fill_picture(). Returns the errno if the allocation fails.
inline int make_picture(VmafPicture &picture, const Clip &clip, Side side, unsigned frame)
{
    const ClipSpec &spec = clip.spec();
    const int error = vmaf_picture_alloc(&picture, spec.pix_fmt, spec.bits, spec.width, spec.height);
    if (error == 0)
        fill_picture(picture, clip, side, frame);
    return error;
}

/// Feeds frame `frame` of the clip under `index`. Both pictures are always released.
inline int feed(VmafContext *context, const Clip &clip, unsigned frame, unsigned index)
{
    VmafPicture ref{}, dis{};
    int error = make_picture(ref, clip, Side::ref, frame);
    if (error == 0)
        error = make_picture(dis, clip, Side::dis, frame);
    if (error == 0)
        error = vmaf_read_pictures(context, &ref, &dis, index);
    if (error != 0) {
        vmaf_picture_unref(&ref);
        vmaf_picture_unref(&dis);
    }
    return error;
}

inline int feed_all(VmafContext *context, const Clip &clip)
{
    for (unsigned frame = 0; frame < clip.spec().frames; ++frame)
        if (const int error = feed(context, clip, frame, frame); error != 0)
            return error;
    return vmaf_read_pictures(context, nullptr, nullptr, 0);
}

/// Names under which a score may be stored if output files show it under this one: that name
/// itself, or the name that it is an alias of.
inline std::vector<std::string> stored_names(const std::string &shown)
{
    std::vector<std::string> names{shown};
    for (const auto &[prefix, stored_prefix] :
         {std::pair<std::string, std::string>{"integer_", "VMAF_integer_feature_"},
          {"speed_chroma_", "Speed_chroma_feature_speed_chroma_"},
          {"speed_temporal", "Speed_temporal_feature_speed_temporal"},
          {"cambi", "Cambi_feature_cambi"},
          {"", "VMAF_feature_"}})
        if (shown.rfind(prefix, 0) == 0)
            names.push_back(stored_prefix + shown.substr(prefix.size()) + "_score");
    return names;
}

inline int score_by_shown_name(VmafContext *context, const std::string &shown, unsigned index, double &score)
{
    for (const std::string &name : stored_names(shown))
        if (vmaf_feature_score_at_index(context, name.c_str(), &score, index) == 0)
            return 0;
    return -EINVAL;
}

} // namespace vmaf::test
