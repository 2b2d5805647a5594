#include <cstdint>

#include "base/round_up.h"
#include "feature/motion/motion.h"
#include "feature/vulkan_backends.h"
#include "motion_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/motion.comp.
constexpr unsigned kTileWords = 126, kTileRows = 8, kWordBytes = 4;
struct MotionArguments : VulkanArguments {
    std::uint32_t width_px, height_px;
    std::uint32_t bpc, distance;
};
static_assert(sizeof(MotionArguments) == 32);

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    const PictureFormat &format = request.format;
    const MotionArguments arguments{{}, format.width, format.height, format.bpc, motion_distance(request.options)};
    auto program = std::make_unique<VulkanProgram>(request, 0);
    VMAF_TRY(program->add_kernel(vmaf_motion_spirv, {static_cast<std::uint32_t>(kMotionTaps[0]),
                                                     static_cast<std::uint32_t>(kMotionTaps[1]),
                                                     static_cast<std::uint32_t>(kMotionTaps[2])}));
    const unsigned columns = kTileWords * kWordBytes / static_cast<unsigned>(format.sample_bytes());
    if (arguments.distance > 0)
        program->run(0, arguments, blocks_for(format.width, columns), blocks_for(format.height, kTileRows));
    return program;
}

} // namespace

const VulkanBackend kMotionVulkan{&kMotion, make};

} // namespace vmaf
