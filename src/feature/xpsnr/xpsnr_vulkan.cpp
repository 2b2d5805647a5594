#include <array>
#include <cstdint>

#include "feature/vulkan_backends.h"
#include "feature/xpsnr/xpsnr.h"
#include "xpsnr_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/xpsnr.comp.
enum Pass { kMeasures, kSmooths, kAdds, kPasses };
constexpr std::size_t kBlockBytes = 32;
struct XpsnrArguments {
    std::uint64_t batch;
    std::uint64_t scratch;
    std::uint64_t frame_bytes;
    XpsnrGrid grid;
};
static_assert(sizeof(XpsnrGrid) == 64 && sizeof(XpsnrArguments) == 88);

using Kernels = std::array<VulkanKernel, kPasses>;

class XpsnrVulkan final : public VulkanExtractor {
  public:
    XpsnrVulkan(const VulkanRequest &request, Kernels kernels, const XpsnrGrid &grid)
        : context_(request.context), kernels_(std::move(kernels)),
          block_count_(static_cast<unsigned>(grid.columns) * static_cast<unsigned>(grid.rows)),
          max_batch_(request.max_batch), arguments_{0, 0, block_count_ * kBlockBytes, grid}
    {
    }

    std::size_t scratch_bytes() const override { return arguments_.frame_bytes * max_batch_; }

    void record(const VulkanRecording &to) override
    {
        arguments_.batch = to.batch;
        arguments_.scratch = to.scratch;
        run(kMeasures, to, block_count_);
        if (arguments_.grid.unweighted == 0 && xpsnr_smooths(arguments_.grid))
            run(kSmooths, to, 1);
        run(kAdds, to, static_cast<unsigned>(arguments_.grid.plane_count));
    }

  private:
    void run(Pass pass, const VulkanRecording &to, unsigned groups)
    {
        if (pass != kMeasures)
            vulkan_kernel_barrier(*context_, to.commands);
        kernels_[pass].record(*context_, to.commands, arguments_, groups, 1, to.count);
    }

    VulkanContextPtr context_;
    Kernels kernels_;
    unsigned block_count_;
    unsigned max_batch_;
    XpsnrArguments arguments_;
};

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    Kernels kernels;
    for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
        const std::uint32_t constants[] = {static_cast<std::uint32_t>(request.format.sample_bytes()), pass};
        VMAF_TRY_ASSIGN(kernels[pass],
                        VulkanKernel::create(request.context, vmaf_xpsnr_spirv, sizeof(XpsnrArguments), constants));
    }
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<XpsnrVulkan>(request, std::move(kernels), xpsnr_grid(request.options, request.format)));
}

} // namespace

const VulkanBackend kXpsnrVulkan{&kXpsnr, make};

} // namespace vmaf
