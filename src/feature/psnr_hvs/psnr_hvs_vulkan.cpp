#include <algorithm>
#include <cstdint>

#include "base/round_up.h"
#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/vulkan_backends.h"
#include "psnr_hvs_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/psnr_hvs.comp.
constexpr unsigned kGroupBlocks = 32, kRun = 128;
struct PsnrHvsArguments {
    std::uint64_t batch;
    std::uint64_t weights;
    std::uint64_t scratch;
    std::uint64_t frame_bytes;
    std::uint32_t blocks[3];
    std::uint32_t columns[3];
    std::uint32_t first_run;
    std::uint32_t part_runs;
    std::uint32_t peak;
};
static_assert(sizeof(PsnrHvsArguments) == 72);
static_assert(sizeof kHvsWeights == 3 * 2 * kHvsCoefficients * 4);

constexpr std::size_t kRunBytes = std::size_t{kHvsCoefficients} * kRun * 4;
/// Scratch memory that a session takes at most: more runs are measured one after the other.
constexpr std::size_t kScratchBytes = std::size_t{256} << 20;

class PsnrHvsVulkan final : public VulkanExtractor {
  public:
    PsnrHvsVulkan(const VulkanRequest &request, VulkanKernel measure, VulkanKernel add, VulkanMemory weights)
        : context_(request.context), measure_(std::move(measure)), add_(std::move(add)), weights_(std::move(weights)),
          max_batch_(request.max_batch)
    {
        arguments_.weights = weights_.address;
        arguments_.peak = (1U << request.format.bpc) - 1;
        for (unsigned plane = 0; plane < 3; ++plane) {
            arguments_.columns[plane] = hvs_blocks(request.format.plane_width(plane));
            arguments_.blocks[plane] = arguments_.columns[plane] * hvs_blocks(request.format.plane_height(plane));
            most_runs_ = std::max(most_runs_, runs_of(plane));
        }
        lay_out(most_runs_);
        while (arguments_.part_runs > 1 && scratch_bytes() > kScratchBytes)
            lay_out(blocks_for(arguments_.part_runs, 2));
    }

    std::size_t scratch_bytes() const override { return arguments_.frame_bytes * max_batch_; }

    void record(const VulkanRecording &to) override
    {
        arguments_.batch = to.batch;
        arguments_.scratch = to.scratch;
        for (arguments_.first_run = 0; arguments_.first_run < most_runs_;
             arguments_.first_run += arguments_.part_runs) {
            if (arguments_.first_run > 0)
                vulkan_kernel_barrier(*context_, to.commands);
            const unsigned runs = std::min(arguments_.part_runs, most_runs_ - arguments_.first_run);
            measure_.record(*context_, to.commands, arguments_, runs * (kRun / kGroupBlocks), 3, to.count);
            vulkan_kernel_barrier(*context_, to.commands);
            add_.record(*context_, to.commands, arguments_, 1, 3, to.count);
        }
    }

  private:
    unsigned runs_of(unsigned plane) const { return blocks_for(arguments_.blocks[plane], kRun); }

    /// Gives every plane room for as many runs as are measured at a time.
    void lay_out(unsigned part_runs)
    {
        arguments_.part_runs = part_runs;
        arguments_.frame_bytes = 0;
        for (unsigned plane = 0; plane < 3; ++plane)
            arguments_.frame_bytes += std::min(runs_of(plane), part_runs) * kRunBytes;
    }

    VulkanContextPtr context_;
    VulkanKernel measure_, add_;
    VulkanMemory weights_;
    unsigned max_batch_;
    unsigned most_runs_ = 0; ///< of a plane
    PsnrHvsArguments arguments_{};
};

Result<VulkanKernel> make_kernel(const VulkanRequest &request, bool adds)
{
    const std::uint32_t constants[] = {static_cast<std::uint32_t>(request.format.sample_bytes()), adds ? 1U : 0U};
    return VulkanKernel::create(request.context, vmaf_psnr_hvs_spirv, sizeof(PsnrHvsArguments), constants);
}

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    VMAF_TRY_ASSIGN(VulkanKernel measure, make_kernel(request, false));
    VMAF_TRY_ASSIGN(VulkanKernel add, make_kernel(request, true));
    VMAF_TRY_ASSIGN(VulkanMemory weights, VulkanMemory::copy_of(request.context, kHvsWeights, sizeof kHvsWeights));
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<PsnrHvsVulkan>(request, std::move(measure), std::move(add), std::move(weights)));
}

} // namespace

const VulkanBackend kPsnrHvsVulkan{&kPsnrHvs, make};

} // namespace vmaf
