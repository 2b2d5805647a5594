#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/round_up.h"
#include "feature/speed/speed.h"
#include "feature/speed/speed_geometry.h"
#include "feature/speed/speed_plane.h"
#include "feature/vulkan_backends.h"
#include "speed_covariance_spirv.h"
#include "speed_decompose_spirv.h"
#include "speed_eigenvalues_spirv.h"
#include "speed_entropies_spirv.h"
#include "speed_score_spirv.h"
#include "speed_spirv.h"

namespace vmaf {
namespace {

// As in kernels/vulkan/speed.glsl.
enum Stage : unsigned { kReduce, kDetail, kMeans, kCovariance, kEigenvalues, kDecompose, kEntropies, kScore, kStages };
constexpr unsigned kGroupThreads = 128, kModelWords = 2 * kSpeedDimension + 3 * kSpeedDimension * kSpeedDimension + 2;
constexpr unsigned kGroupElements = 16; ///< of K
constexpr unsigned kMaxReducingTaps = 35, kMaxMeanTaps = 9;

/// The sums over windows are chains of that length, which the CPU is faster at; and lavapipe ends
/// the loops of a thread after 65,535 turns in all.
constexpr unsigned kMostWindows = 60000;

/// The tables of the prescaler follow.
struct SpeedParams {
    PictureSize prescaled, reduced, blocks;
    std::uint32_t bpc;
    std::uint32_t pairs, first_plane; ///< of a frame
    std::uint32_t is_temporal, uses_ref_diff;
    std::uint32_t prescale_taps, is_normalised;
    std::int32_t weight_var_mode;
    float sigma_nn, noise_entropy;
    std::uint32_t reducing_count, mean_count;
    std::uint32_t reduced_at, details_at, variances_at, entropies_at;
    float reducing_taps[kMaxReducingTaps], mean_taps[kMaxMeanTaps];
};
static_assert(sizeof(SpeedParams) == 264);

struct SpeedArguments : VulkanArguments {
    std::uint64_t params;
    std::uint64_t plane_bytes;
};

/// Which planes are scored.
struct Planes {
    PictureSize size;
    unsigned first, pairs;
    bool temporal;
};

SpeedParams params_of(const Planes &planes, const SpeedGeometry &geometry, const SpeedOptions &options, unsigned bpc)
{
    SpeedParams params{};
    params.prescaled = geometry.prescaled;
    params.reduced = geometry.reduced;
    params.blocks = {geometry.blocks_x, geometry.blocks_y};
    params.bpc = bpc;
    params.pairs = planes.pairs;
    params.first_plane = planes.first;
    params.is_temporal = planes.temporal;
    params.uses_ref_diff = options.use_ref_diff;
    params.weight_var_mode = options.weight_var_mode;
    params.sigma_nn = static_cast<float>(options.sigma_nn);
    params.noise_entropy = speed_noise_entropy(options);
    params.reduced_at = kModelWords;
    params.details_at = params.reduced_at + static_cast<std::uint32_t>(geometry.reduced.pixels());
    params.variances_at = params.details_at + geometry.block_count() * kSpeedDimension;
    params.entropies_at = params.variances_at + geometry.block_count();
    const std::vector<float> reducing = speed_reducing_taps(options.kernel_scale),
                             mean = speed_mean_taps(options.kernel_scale);
    params.reducing_count = static_cast<std::uint32_t>(reducing.size());
    params.mean_count = static_cast<std::uint32_t>(mean.size());
    std::ranges::copy(reducing, params.reducing_taps);
    std::ranges::copy(mean, params.mean_taps);
    return params;
}

Result<std::uint64_t> upload(VulkanProgram &program, SpeedParams params, const SpeedGeometry &geometry,
                             const SpeedOptions &options)
{
    if (!geometry.resampled)
        return program.upload({std::as_bytes(std::span(&params, 1))});
    const PrescaleMethod method = *prescale_method(options.prescale_method);
    const PrescaleAxis columns(method, geometry.plane.width_px, geometry.prescaled.width_px);
    const PrescaleAxis rows(method, geometry.plane.height_px, geometry.prescaled.height_px);
    params.prescale_taps = rows.taps;
    params.is_normalised = is_normalised(method);
    return program.upload({std::as_bytes(std::span(&params, 1)), std::as_bytes(std::span(columns.index)),
                           std::as_bytes(std::span(columns.weight)), std::as_bytes(std::span(rows.index)),
                           std::as_bytes(std::span(rows.weight))});
}

Status add_kernels(VulkanProgram &program)
{
    const struct {
        std::span<const std::uint32_t> spirv;
        std::uint32_t constant;
    } kernels[kStages] = {
        {vmaf_speed_spirv, 0},
        {vmaf_speed_spirv, 1},
        {vmaf_speed_covariance_spirv, 1},
        {vmaf_speed_covariance_spirv, 0},
        {vmaf_speed_eigenvalues_spirv, 0},
        {vmaf_speed_decompose_spirv, 0},
        {vmaf_speed_entropies_spirv, 0},
        {vmaf_speed_score_spirv, 0},
    };
    for (const auto &[spirv, constant] : kernels)
        VMAF_TRY(program.add_kernel(spirv, {constant}));
    return {};
}

Result<std::unique_ptr<VulkanProgram>> make(const VulkanRequest &request, const Planes &planes,
                                            const SpeedOptions &options)
{
    const SpeedGeometry geometry(planes.size, options.prescale);
    if (geometry.window_count() > kMostWindows)
        return std::unique_ptr<VulkanProgram>();
    const SpeedParams params = params_of(planes, geometry, options, request.format.bpc);
    SpeedArguments arguments{{}, 0, (params.entropies_at + geometry.block_count()) * sizeof(std::uint32_t)};
    auto program = std::make_unique<VulkanProgram>(request, arguments.plane_bytes * 2 * planes.pairs);
    VMAF_TRY_ASSIGN(arguments.params, upload(*program, params, geometry, options));
    VMAF_TRY(add_kernels(*program));
    const auto run = [&](Stage stage, std::size_t threads) {
        program->run(stage, arguments, blocks_for(static_cast<unsigned>(threads), kGroupThreads), 1,
                     (stage == kScore ? 1 : 2) * planes.pairs);
        // The two that solve K do not read each other's results.
        if (stage != kEigenvalues)
            program->wait();
    };
    run(kReduce, geometry.reduced.pixels());
    run(kDetail, std::size_t{geometry.block_columns()} * geometry.block_rows());
    run(kMeans, kSpeedDimension);
    run(kCovariance, blocks_for(kSpeedDimension * (kSpeedDimension + 1) / 2, kGroupElements) * kGroupThreads);
    run(kEigenvalues, 1);
    run(kDecompose, 1);
    run(kEntropies, geometry.block_count());
    run(kScore, 1);
    return program;
}

Result<std::unique_ptr<VulkanProgram>> make_chroma(const VulkanRequest &request)
{
    const PictureSize size{request.format.plane_width(1), request.format.plane_height(1)};
    return make(request, {size, 1, 2, false}, speed_chroma_options(request.options));
}

Result<std::unique_ptr<VulkanProgram>> make_temporal(const VulkanRequest &request)
{
    const PictureSize size{request.format.width, request.format.height};
    return make(request, {size, 0, 1, true}, speed_temporal_options(request.options));
}

} // namespace

const VulkanBackend kSpeedChromaVulkan{&kSpeedChroma, make_chroma};
const VulkanBackend kSpeedTemporalVulkan{&kSpeedTemporal, make_temporal};

} // namespace vmaf
