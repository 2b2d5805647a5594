#include <cstdint>

#include "adm_spirv.h"
#include "base/round_up.h"
#include "feature/adm/adm.h"
#include "feature/vulkan_backends.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/adm.comp.
constexpr unsigned kTileColumns = 61, kTileRows = 30, kRowSums = 3 * kAdmBands;
struct AdmArguments : VulkanArguments {
    std::uint64_t params;
    std::uint64_t frame_bytes;
    std::uint32_t width_px, height_px;
};
static_assert(sizeof(AdmArguments) == 40);

/// Scratch memory of a frame.
std::size_t bytes_of(const AdmParams &params)
{
    std::size_t values = 0;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        const AdmScale &scale = params.scale[s];
        const std::size_t band = s + 1 < kAdmScales ? scale.width : 0;
        values += (band + std::size_t{kRowSums} * blocks_for(scale.width, kTileColumns)) * scale.height;
    }
    return values * sizeof(std::uint64_t);
}

Status add_kernel(VulkanProgram &program, unsigned scale, bool finishes)
{
    const auto tap = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    return program.add_kernel(vmaf_adm_spirv, {scale, finishes ? 1U : 0U, tap(kAdmLow[0]), tap(kAdmLow[1]),
                                               tap(kAdmLow[2]), tap(kAdmLow[3]), tap(kAdmHigh[0]), tap(kAdmHigh[1]),
                                               tap(kAdmHigh[2]), tap(kAdmHigh[3])});
}

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    const AdmParams params = adm_params(request.options, request.format);
    AdmArguments arguments{{}, 0, bytes_of(params), request.format.width, request.format.height};
    auto program = std::make_unique<VulkanProgram>(request, arguments.frame_bytes);
    VMAF_TRY_ASSIGN(arguments.params, program->upload({std::as_bytes(std::span(&params, 1))}));
    for (unsigned s = 0; s < kAdmScales; ++s) {
        VMAF_TRY(add_kernel(*program, s, false));
        program->run(s, arguments, blocks_for(params.scale[s].width, kTileColumns),
                     blocks_for(params.scale[s].height, kTileRows));
        program->wait();
    }
    VMAF_TRY(add_kernel(*program, 0, true));
    program->run(kAdmScales, arguments, kAdmScales, kRowSums);
    return program;
}

} // namespace

const VulkanBackend kAdmVulkan{&kAdm, make};

} // namespace vmaf
