#include <cstdint>

#include "base/round_up.h"
#include "feature/motion/motion.h"
#include "feature/vulkan_backends.h"
#include "motion_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/motion.comp.
constexpr unsigned kTileWords = 126, kTileRows = 8, kWordBytes = 4;
struct MotionArguments {
    std::uint64_t batch;
    std::int32_t width_px, height_px;
    std::uint32_t bpc, distance;
};
static_assert(sizeof(MotionArguments) == 24);

class MotionVulkan final : public VulkanExtractor {
  public:
    MotionVulkan(const VulkanRequest &request, VulkanKernel kernel)
        : context_(request.context),
          kernel_(std::move(kernel)), arguments_{0, static_cast<std::int32_t>(request.format.width),
                                                 static_cast<std::int32_t>(request.format.height), request.format.bpc,
                                                 motion_distance(request.options)}
    {
    }

    void record(const VulkanRecording &to) override
    {
        if (arguments_.distance == 0)
            return;
        arguments_.batch = to.batch;
        const unsigned columns = kTileWords * kWordBytes / static_cast<unsigned>(sample_bytes(arguments_.bpc));
        kernel_.record(*context_, to.commands, arguments_,
                       blocks_for(static_cast<unsigned>(arguments_.width_px), columns),
                       blocks_for(static_cast<unsigned>(arguments_.height_px), kTileRows), to.count);
    }

  private:
    VulkanContextPtr context_;
    VulkanKernel kernel_;
    MotionArguments arguments_;
};

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    const std::uint32_t constants[] = {
        static_cast<std::uint32_t>(request.format.sample_bytes()), static_cast<std::uint32_t>(kMotionTaps[0]),
        static_cast<std::uint32_t>(kMotionTaps[1]), static_cast<std::uint32_t>(kMotionTaps[2])};
    VMAF_TRY_ASSIGN(VulkanKernel kernel,
                    VulkanKernel::create(request.context, vmaf_motion_spirv, sizeof(MotionArguments), constants));
    return std::unique_ptr<VulkanExtractor>(std::make_unique<MotionVulkan>(request, std::move(kernel)));
}

} // namespace

const VulkanBackend kMotionVulkan{&kMotion, make};

} // namespace vmaf
