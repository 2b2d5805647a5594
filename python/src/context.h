#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "frame_log.h"
#include "frames/library.h"
#include "lent_picture.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "model.h"

namespace vmaf::python {

struct ContextOptions {
    unsigned threads;
    unsigned subsample;
    std::uint64_t cpumask;
    std::uint64_t gpumask;
    std::optional<int> device;      ///< CUDA device; empty: none
    std::optional<unsigned> vulkan; ///< number of a Vulkan device, if there is none of CUDA
    VmafVulkanCheck vulkan_check;
};

/// The library's session, with what Python adds to it. Methods throw Python's exceptions; a call
/// while another thread is in one is a RuntimeError.
class Context {
  public:
    explicit Context(const ContextOptions &options);
    ~Context();

    void use_feature(const std::string &name, const OptionTexts &options);
    void use_model(const Model &model);
    void import_feature_score(const std::string &name, double value, unsigned index);

    void read(nanobind::handle ref, nanobind::handle dis, unsigned index, unsigned bpc, long long stream);
    /// One frame of several contexts with one reference.
    static void read_shared(const std::vector<Context *> &contexts, nanobind::handle ref,
                            const std::vector<nanobind::object> &dis, unsigned index, unsigned bpc, long long stream);
    /// The scores of so many frames of a flushed context from `skip` on, for append_saved() in any
    /// process.
    nanobind::bytes save_segment(unsigned skip, unsigned count);
    /// Saved scores become those of the next frames. @return how many.
    unsigned append_saved(const nanobind::bytes &saved);
    /// Frames that somebody else gives to the library under handle(): counted here.
    void note_read(unsigned first_index, unsigned count);
    void flush();

    /// The last frame that is done, or if `wait` the last that can be had; empty: there is
    /// none.
    std::optional<double> latest(const Model *model, const std::vector<std::string> &names, bool wait);
    /// A model's scores of all frames, so that the columns have them.
    void predict(const Model &model);
    double pooled(const Model &model, int method, unsigned first, unsigned last);
    double feature_pooled(const std::string &name, int method, unsigned first, unsigned last);

    /// columns_of() it.
    nanobind::tuple columns();
    void write(const std::string &path, int format, const std::optional<std::string> &score_format);
    std::pair<unsigned, unsigned> segment_overlap();
    std::pair<unsigned, unsigned> frames_held();

    std::vector<unsigned> indices() const { return frames_->indices(); }
    std::optional<int> device() const { return device_; }
    std::optional<unsigned> vulkan() const { return vulkan_; }
    bool is_open() const { return context_ != nullptr; }
    /// The context for calls of capi. Throws ValueError after close().
    VmafContext *handle() const;
    void close();

  private:
    friend class ContextUse;

    void free();
    LendingRules rules(unsigned bpc, long long stream) const { return {bpc, dlpack_stream(stream), device_}; }

    std::optional<int> device_;
    std::optional<unsigned> vulkan_;
    unsigned subsample_;
    std::shared_ptr<FrameLog> frames_ = std::make_shared<FrameLog>();
    std::atomic<bool> in_use_{false};
    tool::CudaState state_;
    tool::VulkanState vulkan_state_;
    tool::Context context_; ///< closed before the state is freed
};

} // namespace vmaf::python
