#include <array>
#include <cstdint>

#include "adm_spirv.h"
#include "base/round_up.h"
#include "feature/adm/adm.h"
#include "feature/vulkan_backends.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/adm.comp.
constexpr unsigned kTileColumns = 61, kTileRows = 30, kRowSums = 3 * kAdmBands;
struct AdmArguments {
    std::uint64_t batch;
    std::uint64_t params;
    std::uint64_t scratch;
    std::uint64_t frame_bytes;
    std::uint32_t width_px, height_px;
};
static_assert(sizeof(AdmArguments) == 40);

struct Kernels {
    std::array<VulkanKernel, kAdmScales> scales;
    VulkanKernel finish;
};

class AdmVulkan final : public VulkanExtractor {
  public:
    AdmVulkan(const VulkanRequest &request, const AdmParams &params, Kernels kernels, VulkanMemory params_memory)
        : context_(request.context), params_(params), kernels_(std::move(kernels)),
          params_memory_(std::move(params_memory)), arguments_{0, params_memory_.address, 0,
                                                               0, request.format.width,   request.format.height},
          max_batch_(request.max_batch)
    {
        for (unsigned s = 0; s < kAdmScales; ++s) {
            const AdmScale &scale = params_.scale[s];
            const std::size_t row_values =
                (s + 1 < kAdmScales ? scale.width : 0) + std::size_t{kRowSums} * blocks_for(scale.width, kTileColumns);
            arguments_.frame_bytes += row_values * scale.height * sizeof(std::uint64_t);
        }
    }

    std::size_t scratch_bytes() const override { return arguments_.frame_bytes * max_batch_; }

    void record(const VulkanRecording &to) override
    {
        arguments_.batch = to.batch;
        arguments_.scratch = to.scratch;
        for (unsigned s = 0; s < kAdmScales; ++s) {
            kernels_.scales[s].record(*context_, to.commands, arguments_,
                                      blocks_for(params_.scale[s].width, kTileColumns),
                                      blocks_for(params_.scale[s].height, kTileRows), to.count);
            vulkan_kernel_barrier(*context_, to.commands);
        }
        kernels_.finish.record(*context_, to.commands, arguments_, kAdmScales, kRowSums, to.count);
    }

  private:
    VulkanContextPtr context_;
    AdmParams params_;
    Kernels kernels_;
    VulkanMemory params_memory_;
    AdmArguments arguments_;
    unsigned max_batch_;
};

Result<VulkanKernel> make_kernel(const VulkanRequest &request, unsigned scale, bool finishes)
{
    std::array<std::uint32_t, 11> constants{static_cast<std::uint32_t>(request.format.sample_bytes()), scale,
                                            finishes ? 1U : 0U};
    for (unsigned tap = 0; tap < 4; ++tap) {
        constants[3 + tap] = static_cast<std::uint32_t>(kAdmLow[tap]);
        constants[7 + tap] = static_cast<std::uint32_t>(kAdmHigh[tap]);
    }
    return VulkanKernel::create(request.context, vmaf_adm_spirv, sizeof(AdmArguments), constants);
}

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    Kernels kernels;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        VMAF_TRY_ASSIGN(kernels.scales[s], make_kernel(request, s, false));
    }
    VMAF_TRY_ASSIGN(kernels.finish, make_kernel(request, 0, true));
    const AdmParams params = adm_params(request.options, request.format);
    VMAF_TRY_ASSIGN(VulkanMemory memory, VulkanMemory::copy_of(request.context, &params, sizeof params));
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<AdmVulkan>(request, params, std::move(kernels), std::move(memory)));
}

} // namespace

const VulkanBackend kAdmVulkan{&kAdm, make};

} // namespace vmaf
