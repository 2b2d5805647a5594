#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
    std::uint32_t width_px, height_px;
    std::uint32_t first_word;
    std::uint32_t top_count;
};
struct Step {
    std::uint32_t weight, highest_value;
};
/// Positions follow.
struct CambiParams {
    Level levels[kCambiScales];
    std::uint32_t picture_width_px, picture_height_px;
    std::uint32_t width_px, height_px;
    std::uint32_t level_words;
    std::uint32_t bpc, is_smooth, mask_threshold;
    std::uint32_t reach_px, lowest_visible;
    std::uint32_t is_half, is_ref;
    Step steps[kCambiMaxSteps];
    float reciprocals[kCambiMaxCount + 1];
};
static_assert(sizeof(CambiParams) == 17288);

struct CambiArguments {
    std::uint64_t batch;
    std::uint64_t params;
    std::uint64_t scratch;
    std::uint64_t frame_bytes;
    std::uint32_t scale, digit;
};
static_assert(sizeof(CambiArguments) == 40);

using Kernels = std::array<VulkanKernel, kStages>;

/// The distorted pictures or the reference ones.
struct Pass {
    CambiParams params;
    VulkanMemory memory; ///< of the params and the positions

    std::size_t frame_bytes() const
    {
        const std::size_t before = std::size_t{params.width_px} * params.height_px; // the picture before scale 0
        return kCambiScales * kSelectionBytes +
               round_up(2 * params.level_words + std::max<std::size_t>(before, params.level_words), 2) *
                   sizeof(std::uint32_t);
    }
};

CambiParams params_of(const PictureFormat &format, const CambiTask &task, bool is_ref)
{
    const CambiPass &pass = is_ref ? task.geometry.ref : task.geometry.dis;
    const CambiVisibility &visibility = task.visibility;
    CambiParams params{};
    for (unsigned scale = 0; scale < kCambiScales; ++scale) {
        const PictureSize size = task.geometry.scale_size(pass, scale);
        params.levels[scale] = {size.width_px, size.height_px, params.level_words,
                                static_cast<std::uint32_t>(cambi_top_count(task.topk, size.pixels()))};
        params.level_words += static_cast<std::uint32_t>(size.pixels());
    }
    params.picture_width_px = format.width;
    params.picture_height_px = format.height;
    params.width_px = pass.size.width_px;
    params.height_px = pass.size.height_px;
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

Result<Pass> make_pass(const VulkanRequest &request, const CambiTask &task, bool is_ref)
{
    Pass pass{params_of(request.format, task, is_ref), {}};
    std::vector<unsigned> positions = cambi_source_positions(request.format.width, pass.params.width_px);
    const std::vector<unsigned> rows = cambi_source_positions(request.format.height, pass.params.height_px);
    positions.insert(positions.end(), rows.begin(), rows.end());
    std::vector<std::byte> bytes(sizeof pass.params + positions.size() * sizeof positions[0]);
    std::memcpy(bytes.data(), &pass.params, sizeof pass.params);
    std::memcpy(bytes.data() + sizeof pass.params, positions.data(), positions.size() * sizeof positions[0]);
    VMAF_TRY_ASSIGN(pass.memory, VulkanMemory::copy_of(request.context, bytes.data(), bytes.size()));
    return pass;
}

class CambiVulkan final : public VulkanExtractor {
  public:
    CambiVulkan(const VulkanRequest &request, Kernels kernels, std::vector<Pass> passes)
        : context_(request.context), kernels_(std::move(kernels)), passes_(std::move(passes)),
          max_batch_(request.max_batch)
    {
    }

    std::size_t scratch_bytes() const override
    {
        std::size_t bytes = 0;
        for (const Pass &pass : passes_)
            bytes = std::max(bytes, pass.frame_bytes() * max_batch_);
        return bytes;
    }

    void record(const VulkanRecording &to) override
    {
        for (const Pass &pass : passes_) {
            if (&pass != &passes_.front())
                vulkan_kernel_barrier(*context_, to.commands);
            record_pass(to, pass);
        }
    }

  private:
    void record_pass(const VulkanRecording &to, const Pass &pass) const
    {
        const CambiParams &params = pass.params;
        CambiArguments arguments{to.batch, pass.memory.address, to.scratch, pass.frame_bytes(), 0, 0};
        const auto run = [&](Stage stage, unsigned x, unsigned y) {
            kernels_[stage].record(*context_, to.commands, arguments, x, y, to.count);
        };
        const auto run_on_scale = [&](Stage stage) {
            const Level &level = params.levels[arguments.scale];
            if (stage == kFilter || stage == kContrast)
                run(stage, blocks_for(level.width_px, kTileColumns),
                    blocks_for(level.height_px, kLevelRows * (stage == kContrast ? kRunRows : 1)));
            else
                run(stage, stage == kFinish ? 1 : blocks_for(level.width_px * level.height_px, kChunk), 1);
        };
        const auto run_on_scales = [&](Stage stage) {
            vulkan_kernel_barrier(*context_, to.commands);
            for (arguments.scale = 0; arguments.scale < kCambiScales; ++arguments.scale)
                run_on_scale(stage);
        };
        if (params.bpc > 8 && params.bpc < 16)
            run(kCheck, params.picture_height_px, 1);
        run(kPreprocess, blocks_for(params.width_px, kTileColumns), blocks_for(params.height_px, kTileRows));
        for (; arguments.scale < kCambiScales; ++arguments.scale) {
            vulkan_kernel_barrier(*context_, to.commands);
            run_on_scale(kFilter);
        }
        run_on_scales(kContrast);
        for (; arguments.digit < kDigits; ++arguments.digit)
            run_on_scales(kCount);
        run_on_scales(kSum);
        run_on_scales(kFinish);
    }

    VulkanContextPtr context_;
    Kernels kernels_;
    std::vector<Pass> passes_; ///< distorted first
    unsigned max_batch_;
};

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    if (cambi_writes_heatmaps(request.options))
        return std::unique_ptr<VulkanExtractor>();
    const CambiTask task = cambi_task(request.options, request.format);
    std::vector<Pass> passes;
    for (const bool is_ref : {false, true}) {
        const CambiPass &pass = is_ref ? task.geometry.ref : task.geometry.dis;
        if (is_ref && !task.measures_ref)
            continue;
        const std::size_t pixels = task.geometry.scale_size(pass, 0).pixels();
        if (pixels > kMaxExactValues || cambi_top_count(task.topk, pixels) > kMaxTopCount)
            return std::unique_ptr<VulkanExtractor>();
        VMAF_TRY_ASSIGN(Pass made, make_pass(request, task, is_ref));
        passes.push_back(std::move(made));
    }
    Kernels kernels;
    for (unsigned stage = 0; stage < kStages; ++stage) {
        const std::array<std::uint32_t, 3> constants{static_cast<std::uint32_t>(request.format.sample_bytes()), stage,
                                                     static_cast<std::uint32_t>(task.visibility.steps)};
        VMAF_TRY_ASSIGN(kernels[stage],
                        VulkanKernel::create(request.context, vmaf_cambi_spirv, sizeof(CambiArguments), constants));
    }
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<CambiVulkan>(request, std::move(kernels), std::move(passes)));
}

} // namespace

const VulkanBackend kCambiVulkan{&kCambi, make};

} // namespace vmaf
