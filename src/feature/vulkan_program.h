#pragma once

#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "feature/feature.h"
#include "vulkan/handles.h"

namespace vmaf {

/// What a program is made for. The feature has accepted options and format.
struct VulkanRequest {
    const VulkanContextPtr &context;
    const PictureFormat &format;
    const OptionValues &options;
    unsigned max_batch; ///< frames
};

/// The push constants that each kernel of a program begins with. The program sets them.
struct VulkanArguments {
    std::uint64_t batch = 0;   ///< address of a VulkanBatch
    std::uint64_t scratch = 0; ///< likewise of the memory
};

/// One feature on a Vulkan device in one session: kernels for one format, with their arguments,
/// that are run on every batch. Calls come one at a time.
class VulkanProgram {
  public:
    VulkanProgram(const VulkanRequest &request, std::size_t frame_scratch_bytes)
        : context_(request.context), sample_bytes_(static_cast<std::uint32_t>(request.format.sample_bytes())),
          scratch_bytes_(frame_scratch_bytes * request.max_batch)
    {
    }

    /// Kernels are numbered in the order in which they are added, from 0 on.
    /// @param constants the specialisation constants from 1 on; 0 is the size of a sample.
    Status add_kernel(std::span<const std::uint32_t> spirv, std::initializer_list<std::uint32_t> constants)
    {
        std::vector<std::uint32_t> all{sample_bytes_};
        all.insert(all.end(), constants);
        VMAF_TRY_ASSIGN(VulkanKernel kernel, VulkanKernel::create(context_, spirv, all));
        kernels_.push_back(std::move(kernel));
        return {};
    }

    using Bytes = std::span<const std::byte>;
    /// Copies the parts to the device, one after the other.
    /// @return the address of the copy, which lives as long as the program.
    Result<std::uint64_t> upload(const std::vector<Bytes> &parts)
    {
        std::vector<std::byte> all;
        for (const Bytes part : parts)
            all.insert(all.end(), part.begin(), part.end());
        VMAF_TRY_ASSIGN(VulkanMemory memory, VulkanMemory::copy_of(context_, all.data(), all.size()));
        memory_.push_back(std::move(memory));
        return memory_.back().address;
    }

    /// Appends a kernel for x times y times z groups of threads a frame.
    template <class Arguments>
    void run(unsigned kernel, const Arguments &arguments, unsigned x, unsigned y = 1, unsigned z = 1)
    {
        static_assert(std::is_base_of_v<VulkanArguments, Arguments> && sizeof(Arguments) <= sizeof(Step::arguments));
        steps_.push_back({kernel, {}, x, y, z, waits_});
        std::memcpy(steps_.back().arguments.data(), &arguments, sizeof arguments);
        waits_ = false;
    }

    /// Kernels appended from now on see what those before have written.
    void wait() { waits_ = true; }

    /// Device memory that the kernels of a full batch pass results to each other in. Programs of a
    /// session share it.
    std::size_t scratch_bytes() const { return scratch_bytes_; }

    /// Records planes -> sums for a batch of `count` frames. Kernels see the planes and cleared
    /// sums, and scratch memory is nobody else's.
    void record(VkCommandBuffer commands, const VulkanArguments &given, unsigned count)
    {
        for (Step &step : steps_) {
            if (step.waits)
                vulkan_kernel_barrier(*context_, commands);
            std::memcpy(step.arguments.data(), &given, sizeof given);
            kernels_[step.kernel].record(*context_, commands, step.arguments, step.x, step.y, step.z * count);
        }
    }

  private:
    struct Step {
        unsigned kernel;
        VulkanKernel::Arguments arguments;
        unsigned x, y, z;
        bool waits; ///< for the steps before
    };

    VulkanContextPtr context_;
    std::uint32_t sample_bytes_;
    std::size_t scratch_bytes_;
    std::vector<VulkanKernel> kernels_;
    std::vector<VulkanMemory> memory_;
    std::vector<Step> steps_;
    bool waits_ = false; ///< whether the next step does
};

} // namespace vmaf
