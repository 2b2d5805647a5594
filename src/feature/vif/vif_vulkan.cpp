#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/round_up.h"
#include "feature/vif/vif.h"
#include "feature/vif/vif_log_table.h"
#include "feature/vulkan_backends.h"
#include "vif_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/vif.comp.
constexpr unsigned kTileColumns = 112, kTileRows = 32;
constexpr double kCertainGain = 3.5;
constexpr double kNoGainLimit = 256; ///< no gain is as large: it is below sqrt(2^31 / kVifNoise)
struct VifArguments {
    std::uint64_t batch;
    std::uint64_t log_table;
    std::uint64_t pyramid;
    std::uint64_t pyramid_frame_bytes;
    double gain_limit;
    double gain_offset;
    std::uint32_t width_px, height_px;
    std::uint32_t first_word[kVifScales];
    std::uint32_t bpc;
    float gain_bound;
};
static_assert(sizeof(VifArguments) == 80);

using Kernels = std::array<VulkanKernel, kVifScales>;

class VifVulkan final : public VulkanExtractor {
  public:
    VifVulkan(const VulkanRequest &request, Kernels kernels, VulkanMemory log_table)
        : context_(request.context), kernels_(std::move(kernels)), log_table_(std::move(log_table)),
          max_batch_(request.max_batch)
    {
        arguments_.log_table = log_table_.address;
        const double gain_limit = vif_options(request.options).gain_limit;
        arguments_.gain_limit = std::isnan(gain_limit) ? kNoGainLimit : gain_limit; // as fmin() has it
        arguments_.gain_offset = kVifGainOffset;
        arguments_.gain_bound = static_cast<float>(std::min(arguments_.gain_limit, kCertainGain) * (1 - 0x1p-17));
        arguments_.width_px = request.format.width;
        arguments_.height_px = request.format.height;
        arguments_.bpc = request.format.bpc;
        std::uint32_t words = 0;
        for (unsigned scale = 1; scale < kVifScales; ++scale) {
            arguments_.first_word[scale] = words;
            words += (arguments_.width_px >> scale) * (arguments_.height_px >> scale);
        }
        arguments_.pyramid_frame_bytes = std::uint64_t{words} * sizeof(std::uint32_t);
    }

    std::size_t scratch_bytes() const override { return arguments_.pyramid_frame_bytes * max_batch_; }

    void record(const VulkanRecording &to) override
    {
        arguments_.batch = to.batch;
        arguments_.pyramid = to.scratch;
        for (unsigned scale = 0; scale < kVifScales; ++scale) {
            if (scale > 0)
                vulkan_kernel_barrier(*context_, to.commands);
            kernels_[scale].record(*context_, to.commands, arguments_,
                                   blocks_for(arguments_.width_px >> scale, kTileColumns),
                                   blocks_for(arguments_.height_px >> scale, kTileRows), to.count);
        }
    }

  private:
    VulkanContextPtr context_;
    Kernels kernels_;
    VulkanMemory log_table_;
    unsigned max_batch_;
    VifArguments arguments_{};
};

Result<VulkanKernel> make_kernel(const VulkanRequest &request, unsigned scale)
{
    const bool is_scored = scale > 0 || !vif_options(request.options).skip_scale0;
    std::array<std::uint32_t, 17> constants{static_cast<std::uint32_t>(request.format.sample_bytes()), scale,
                                            is_scored ? 1U : 0U};
    for (unsigned tap = 0; tap <= kVifHalf[scale]; ++tap)
        constants[3 + tap] = kVifFilter[scale][tap];
    const unsigned other = scale + 1 < kVifScales ? scale + 1 : scale - 1;
    for (unsigned tap = 0; tap <= kVifHalf[other]; ++tap)
        constants[12 + tap] = kVifFilter[other][tap];
    return VulkanKernel::create(request.context, vmaf_vif_spirv, sizeof(VifArguments), constants);
}

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    Kernels kernels;
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        VMAF_TRY_ASSIGN(kernels[scale], make_kernel(request, scale));
    }
    const VifLogTable &table = vif_log_table();
    VMAF_TRY_ASSIGN(VulkanMemory log_table, VulkanMemory::copy_of(request.context, table.data(), sizeof table));
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<VifVulkan>(request, std::move(kernels), std::move(log_table)));
}

} // namespace

const VulkanBackend kVifVulkan{&kVif, make};

} // namespace vmaf
