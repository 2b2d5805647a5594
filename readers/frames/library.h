#pragma once

#include <memory>
#include <new>
#include <utility>

#include "input/video_format.h"
#include "libvmaf/libvmaf.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_vulkan.h"

/// Owners of the library's objects.
namespace vmaf::tool {

template <auto release> struct ReleasedBy {
    template <class T> void operator()(T *object) const { release(object); }
};

using Context = std::unique_ptr<VmafContext, ReleasedBy<vmaf_close>>;
using CudaState = std::unique_ptr<VmafCudaState, ReleasedBy<vmaf_cuda_state_free>>;
using VulkanState = std::unique_ptr<VmafVulkanState, ReleasedBy<vmaf_vulkan_state_free>>;
using Model = std::unique_ptr<VmafModel, ReleasedBy<vmaf_model_destroy>>;
using ModelCollection = std::unique_ptr<VmafModelCollection, ReleasedBy<vmaf_model_collection_destroy>>;

class Picture {
  public:
    Picture() = default;
    Picture(Picture &&other) noexcept : raw_(std::exchange(other.raw_, {})) {}
    Picture &operator=(Picture &&other) noexcept
    {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~Picture()
    {
        if (raw_.ref)
            vmaf_picture_unref(&raw_);
    }

    VmafPicture &raw() { return raw_; }
    const VmafPicture &raw() const { return raw_; }

  private:
    VmafPicture raw_{}; ///< zeroed when the library has taken it
};

/// A picture of the library's own memory. Throws std::bad_alloc.
inline Picture new_picture(const VideoFormat &format)
{
    Picture picture;
    if (vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px) != 0)
        throw std::bad_alloc();
    return picture;
}

class FeatureDictionary {
  public:
    FeatureDictionary() = default;
    FeatureDictionary(FeatureDictionary &&other) = delete;
    ~FeatureDictionary() { vmaf_feature_dictionary_free(&raw_); }

    [[nodiscard]] int set(const char *key, const char *value) { return vmaf_feature_dictionary_set(&raw_, key, value); }
    VmafFeatureDictionary *get() const { return raw_; }
    /// The library has taken it.
    VmafFeatureDictionary *release() { return std::exchange(raw_, nullptr); }

  private:
    VmafFeatureDictionary *raw_ = nullptr;
};

} // namespace vmaf::tool
