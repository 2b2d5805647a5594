#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/round_up.h"
#include "cambi_spirv.h"
#include "feature/cambi/cambi.h"
#include "feature/vulkan_backends.h"

namespace vmaf {
namespace {

/// Each c is below 2^38 units of 2^-24.
constexpr std::size_t kMaxExactValues = std::size_t{1} << 26;
/// Lavapipe ends the loops of a thread after 65,535 turns in all; the ordered sum takes one for 128
/// values.
constexpr std::size_t kMaxTopCount = std::size_t{6} << 20;

// As in kernels/vulkan/cambi.comp.
constexpr unsigned kTileColumns = 32, kTileRows = 16, kLevelRows = 4, kRunRows = 16, kChunk = 8192, kDigits = 3;
constexpr std::size_t kSelectionBytes = 6160;
enum Stage : unsigned { kCheck, kPreprocess, kFilter, kContrast, kCount, kSum, kFinish, kStages };

struct Level {
    PictureSize size;
    std::uint32_t first_word;
    std::uint32_t top_count;
};
struct Step {
    std::uint32_t weight, highest_value;
};
/// Positions follow.
struct CambiParams {
    Level levels[kCambiScales];
    PictureSize picture, size;
    std::uint32_t level_words;
    std::uint32_t bpc, is_smooth, mask_threshold;
    std::uint32_t reach_px, lowest_visible;
    std::uint32_t is_half, is_ref;
    Step steps[kCambiMaxSteps];
    float reciprocals[kCambiMaxCount + 1];
};
static_assert(sizeof(CambiParams) == 17288);

struct CambiArguments : VulkanArguments {
    std::uint64_t params;
    std::uint64_t frame_bytes;
    std::uint32_t scale, digit;
};
static_assert(sizeof(CambiArguments) == 40);

CambiParams params_of(const PictureFormat &format, const CambiTask &task, bool is_ref)
{
    const CambiPass &pass = is_ref ? task.geometry.ref : task.geometry.dis;
    const CambiVisibility &visibility = task.visibility;
    CambiParams params{};
    for (unsigned scale = 0; scale < kCambiScales; ++scale) {
        const PictureSize size = task.geometry.scale_size(pass, scale);
        params.levels[scale] = {size, params.level_words,
                                static_cast<std::uint32_t>(cambi_top_count(task.topk, size.pixels()))};
        params.level_words += static_cast<std::uint32_t>(size.pixels());
    }
    params.picture = {format.width, format.height};
    params.size = pass.size;
    params.bpc = format.bpc;
    params.is_smooth = task.smoothing == CambiSmoothing::anti_dither;
    params.mask_threshold = cambi_mask_threshold(pass.size);
    params.reach_px = pass.window / 2;
    params.lowest_visible = static_cast<std::uint32_t>(visibility.lowest_visible);
    params.is_half = task.geometry.half_size;
    params.is_ref = is_ref;
    for (int step = 1; step <= visibility.steps; ++step)
        params.steps[step - 1] = {static_cast<std::uint32_t>(kCambiWeights[step - 1]),
                                  static_cast<std::uint32_t>(visibility.tvi[step])};
    std::ranges::copy(cambi_reciprocals(), params.reciprocals);
    return params;
}

std::size_t frame_bytes_of(const CambiParams &params)
{
    const std::size_t before = params.size.pixels(); // the picture before scale 0
    return kCambiScales * kSelectionBytes +
           round_up(2 * params.level_words + std::max<std::size_t>(before, params.level_words), 2) *
               sizeof(std::uint32_t);
}

Result<std::uint64_t> upload(VulkanProgram &program, const CambiParams &params)
{
    const std::vector<unsigned> columns = cambi_source_positions(params.picture.width_px, params.size.width_px);
    const std::vector<unsigned> rows = cambi_source_positions(params.picture.height_px, params.size.height_px);
    return program.upload(
        {std::as_bytes(std::span(&params, 1)), std::as_bytes(std::span(columns)), std::as_bytes(std::span(rows))});
}

void run_on_scale(VulkanProgram &program, Stage stage, const Level &level, const CambiArguments &arguments)
{
    if (stage == kFilter || stage == kContrast)
        program.run(stage, arguments, blocks_for(level.size.width_px, kTileColumns),
                    blocks_for(level.size.height_px, kLevelRows * (stage == kContrast ? kRunRows : 1)));
    else
        program.run(stage, arguments,
                    stage == kFinish ? 1 : blocks_for(static_cast<unsigned>(level.size.pixels()), kChunk));
}

/// The distorted pictures or the reference ones.
void run_pass(VulkanProgram &program, const CambiParams &params, CambiArguments arguments)
{
    const auto run_on_scales = [&](Stage stage) {
        program.wait();
        for (arguments.scale = 0; arguments.scale < kCambiScales; ++arguments.scale)
            run_on_scale(program, stage, params.levels[arguments.scale], arguments);
    };
    if (params.bpc > 8 && params.bpc < 16)
        program.run(kCheck, arguments, params.picture.height_px);
    program.run(kPreprocess, arguments, blocks_for(params.size.width_px, kTileColumns),
                blocks_for(params.size.height_px, kTileRows));
    for (; arguments.scale < kCambiScales; ++arguments.scale) {
        program.wait();
        run_on_scale(program, kFilter, params.levels[arguments.scale], arguments);
    }
    run_on_scales(kContrast);
    for (; arguments.digit < kDigits; ++arguments.digit)
        run_on_scales(kCount);
    run_on_scales(kSum);
    run_on_scales(kFinish);
    program.wait();
}

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request)
{
    if (cambi_writes_heatmaps(request.options))
        return std::unique_ptr<VulkanProgram>();
    const CambiTask task = cambi_task(request.options, request.format);
    std::vector<CambiParams> passes{params_of(request.format, task, false)};
    if (task.measures_ref)
        passes.push_back(params_of(request.format, task, true));
    std::size_t frame_bytes = 0;
    for (const CambiParams &params : passes) {
        const Level &level = params.levels[0];
        if (level.size.pixels() > kMaxExactValues || level.top_count > kMaxTopCount)
            return std::unique_ptr<VulkanProgram>();
        frame_bytes = std::max(frame_bytes, frame_bytes_of(params));
    }
    auto program = std::make_unique<VulkanProgram>(request, frame_bytes);
    for (unsigned stage = 0; stage < kStages; ++stage)
        VMAF_TRY(program->add_kernel(vmaf_cambi_spirv, {stage, static_cast<std::uint32_t>(task.visibility.steps)}));
    for (const CambiParams &params : passes) {
        VMAF_TRY_ASSIGN(const std::uint64_t address, upload(*program, params));
        run_pass(*program, params, {{}, address, frame_bytes_of(params), 0, 0});
    }
    return program;
}

} // namespace

const VulkanBackend kCambiVulkan{&kCambi, make};

} // namespace vmaf
