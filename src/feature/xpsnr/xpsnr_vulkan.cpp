#include <cstdint>

#include "feature/vulkan_backends.h"
#include "feature/xpsnr/xpsnr.h"
#include "xpsnr_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/xpsnr.comp.
enum Pass : unsigned { kMeasures, kSmooths, kAdds };
constexpr std::size_t kBlockBytes = 32;
struct XpsnrArguments : VulkanArguments {
    std::uint64_t frame_bytes;
    XpsnrGrid grid;
};
static_assert(sizeof(XpsnrGrid) == 64 && sizeof(XpsnrArguments) == 88);

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    const XpsnrGrid grid = xpsnr_grid(request.options, request.format);
    const unsigned block_count = static_cast<unsigned>(grid.columns) * static_cast<unsigned>(grid.rows);
    const XpsnrArguments arguments{{}, block_count * kBlockBytes, grid};
    auto program = std::make_unique<VulkanProgram>(request, arguments.frame_bytes);
    for (const Pass pass : {kMeasures, kSmooths, kAdds})
        VMAF_TRY(program->add_kernel(vmaf_xpsnr_spirv, {pass}));
    program->run(kMeasures, arguments, block_count);
    program->wait();
    if (grid.unweighted == 0 && xpsnr_smooths(grid)) {
        program->run(kSmooths, arguments, 1);
        program->wait();
    }
    program->run(kAdds, arguments, static_cast<unsigned>(grid.plane_count));
    return program;
}

} // namespace

const VulkanBackend kXpsnrVulkan{&kXpsnr, make};

} // namespace vmaf
