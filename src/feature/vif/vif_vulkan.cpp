#include <algorithm>
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
struct VifArguments : VulkanArguments {
    std::uint64_t log_table;
    std::uint64_t pyramid_frame_bytes;
    double gain_limit;
    double gain_offset;
    std::uint32_t width_px, height_px;
    std::uint32_t first_word[kVifScales];
    std::uint32_t bpc;
    float gain_bound;
};
static_assert(sizeof(VifArguments) == 80);

VifArguments arguments_for(const VulkanRequest &request)
{
    VifArguments arguments{};
    const double gain_limit = vif_options(request.options).gain_limit;
    arguments.gain_limit = std::isnan(gain_limit) ? kNoGainLimit : gain_limit; // as fmin() has it
    arguments.gain_offset = kVifGainOffset;
    arguments.gain_bound = static_cast<float>(std::min(arguments.gain_limit, kCertainGain) * (1 - 0x1p-17));
    arguments.width_px = request.format.width;
    arguments.height_px = request.format.height;
    arguments.bpc = request.format.bpc;
    std::uint32_t words = 0;
    for (unsigned scale = 1; scale < kVifScales; ++scale) {
        arguments.first_word[scale] = words;
        words += (arguments.width_px >> scale) * (arguments.height_px >> scale);
    }
    arguments.pyramid_frame_bytes = std::uint64_t{words} * sizeof(std::uint32_t);
    return arguments;
}

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    VifArguments arguments = arguments_for(request);
    auto program = std::make_unique<VulkanProgram>(request, arguments.pyramid_frame_bytes);
    VMAF_TRY_ASSIGN(arguments.log_table, program->upload({std::as_bytes(std::span(vif_log_table()))}));
    const bool skips_first = vif_options(request.options).skip_scale0;
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        const auto &tap = kVifFilter[scale], &other = kVifFilter[scale + 1 < kVifScales ? scale + 1 : scale - 1];
        VMAF_TRY(program->add_kernel(vmaf_vif_spirv, {scale, scale > 0 || !skips_first ? 1U : 0U, tap[0], tap[1],
                                                      tap[2], tap[3], tap[4], tap[5], tap[6], tap[7], tap[8], other[0],
                                                      other[1], other[2], other[3], other[4]}));
        program->run(scale, arguments, blocks_for(arguments.width_px >> scale, kTileColumns),
                     blocks_for(arguments.height_px >> scale, kTileRows));
        program->wait();
    }
    return program;
}

} // namespace

const VulkanBackend kVifVulkan{&kVif, make};

} // namespace vmaf
