#include <algorithm>
#include <cstdint>
#include <span>

#include "base/round_up.h"
#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/vulkan_backends.h"
#include "psnr_hvs_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/psnr_hvs.comp.
enum Stage : unsigned { kMeasures, kAdds };
constexpr unsigned kGroupBlocks = 32, kRun = 128;
struct PsnrHvsArguments : VulkanArguments {
    std::uint64_t weights;
    std::uint64_t frame_bytes;
    std::uint32_t blocks[3];
    std::uint32_t columns[3];
    std::uint32_t first_run;
    std::uint32_t part_runs;
    std::uint32_t peak;
};
static_assert(sizeof(PsnrHvsArguments) == 72);
static_assert(sizeof kHvsWeights == 3 * 2 * kHvsCoefficients * 4);

/// Scratch memory that a session takes at most: more runs are measured one after the other.
constexpr std::size_t kScratchBytes = std::size_t{256} << 20;

unsigned runs_of(const PsnrHvsArguments &arguments, unsigned plane)
{
    return blocks_for(arguments.blocks[plane], kRun);
}

/// Gives every plane room for as many runs as are measured at a time.
void lay_out(PsnrHvsArguments &arguments, unsigned part_runs)
{
    arguments.part_runs = part_runs;
    arguments.frame_bytes = 0;
    for (unsigned plane = 0; plane < 3; ++plane)
        arguments.frame_bytes +=
            std::min(runs_of(arguments, plane), part_runs) * (std::uint64_t{kHvsCoefficients} * kRun * 4);
}

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    PsnrHvsArguments arguments{};
    arguments.peak = (1U << request.format.bpc) - 1;
    unsigned most_runs = 0; // of a plane
    for (unsigned plane = 0; plane < 3; ++plane) {
        arguments.columns[plane] = hvs_blocks(request.format.plane_width(plane));
        arguments.blocks[plane] = arguments.columns[plane] * hvs_blocks(request.format.plane_height(plane));
        most_runs = std::max(most_runs, runs_of(arguments, plane));
    }
    lay_out(arguments, most_runs);
    while (arguments.part_runs > 1 && arguments.frame_bytes * request.max_batch > kScratchBytes)
        lay_out(arguments, blocks_for(arguments.part_runs, 2));

    auto program = std::make_unique<VulkanProgram>(request, arguments.frame_bytes);
    for (const Stage stage : {kMeasures, kAdds})
        VMAF_TRY(program->add_kernel(vmaf_psnr_hvs_spirv, {stage}));
    VMAF_TRY_ASSIGN(arguments.weights, program->upload({std::as_bytes(std::span(kHvsWeights))}));
    for (; arguments.first_run < most_runs; arguments.first_run += arguments.part_runs) {
        const unsigned runs = std::min(arguments.part_runs, most_runs - arguments.first_run);
        program->run(kMeasures, arguments, runs * (kRun / kGroupBlocks), 3);
        program->wait();
        program->run(kAdds, arguments, 1, 3);
        program->wait();
    }
    return program;
}

} // namespace

const VulkanBackend kPsnrHvsVulkan{&kPsnrHvs, make};

} // namespace vmaf
