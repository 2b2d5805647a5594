#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
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

struct Size {
    std::int32_t x, y;
};
/// The tables of the prescaler follow.
struct SpeedParams {
    Size prescaled, reduced, blocks;
    std::int32_t bpc;
    std::int32_t pairs, first_plane; ///< of a frame
    std::int32_t is_temporal, uses_ref_diff;
    std::int32_t prescale_taps, is_normalised;
    std::int32_t weight_var_mode;
    float sigma_nn, noise_entropy;
    std::int32_t reducing_count, mean_count;
    std::uint32_t reduced_at, details_at, variances_at, entropies_at;
    float reducing_taps[kMaxReducingTaps], mean_taps[kMaxMeanTaps];
};
static_assert(sizeof(SpeedParams) == 264);

struct SpeedArguments {
    std::uint64_t batch;
    std::uint64_t params;
    std::uint64_t scratch;
    std::uint64_t plane_bytes;
};

using Kernels = std::array<VulkanKernel, kStages>;

struct Code {
    std::span<const std::uint32_t> spirv;
    std::uint32_t constant;
};

Code code_of(Stage stage)
{
    switch (stage) {
    case kReduce:
    case kDetail:
        return {vmaf_speed_spirv, stage == kDetail ? 1U : 0U};
    case kMeans:
    case kCovariance:
        return {vmaf_speed_covariance_spirv, stage == kMeans ? 1U : 0U};
    case kEigenvalues:
        return {vmaf_speed_eigenvalues_spirv, 0};
    case kDecompose:
        return {vmaf_speed_decompose_spirv, 0};
    case kEntropies:
        return {vmaf_speed_entropies_spirv, 0};
    default:
        return {vmaf_speed_score_spirv, 0};
    }
}

/// Which planes are scored.
struct Planes {
    PictureSize size;
    unsigned first, pairs;
    bool temporal;
};

Size size_of(const PictureSize &size)
{
    return {static_cast<std::int32_t>(size.width_px), static_cast<std::int32_t>(size.height_px)};
}

SpeedParams params_of(const Planes &planes, const SpeedGeometry &geometry, const SpeedOptions &options, unsigned bpc)
{
    SpeedParams params{};
    params.prescaled = size_of(geometry.prescaled);
    params.reduced = size_of(geometry.reduced);
    params.blocks = size_of({geometry.blocks_x, geometry.blocks_y});
    params.bpc = static_cast<std::int32_t>(bpc);
    params.pairs = static_cast<std::int32_t>(planes.pairs);
    params.first_plane = static_cast<std::int32_t>(planes.first);
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
    params.reducing_count = static_cast<std::int32_t>(reducing.size());
    params.mean_count = static_cast<std::int32_t>(mean.size());
    std::ranges::copy(reducing, params.reducing_taps);
    std::ranges::copy(mean, params.mean_taps);
    return params;
}

template <class T> void append(const T *values, std::size_t count, std::vector<std::uint32_t> &words)
{
    static_assert(sizeof(T) % sizeof words[0] == 0);
    const std::size_t end = words.size();
    words.resize(end + count * sizeof(T) / sizeof words[0]);
    std::memcpy(words.data() + end, values, count * sizeof(T));
}

Result<VulkanMemory> upload(const VulkanContextPtr &context, SpeedParams params, const SpeedGeometry &geometry,
                            const SpeedOptions &options)
{
    std::vector<std::uint32_t> words;
    if (geometry.resampled) {
        const PrescaleMethod method = *prescale_method(options.prescale_method);
        for (const PrescaleAxis &axis :
             {PrescaleAxis(method, geometry.plane.width_px, geometry.prescaled.width_px),
              PrescaleAxis(method, geometry.plane.height_px, geometry.prescaled.height_px)}) {
            append(axis.index.data(), axis.index.size(), words);
            append(axis.weight.data(), axis.weight.size(), words);
            params.prescale_taps = static_cast<std::int32_t>(axis.taps);
        }
        params.is_normalised = is_normalised(method);
    }
    std::vector<std::uint32_t> all;
    append(&params, 1, all);
    append(words.data(), words.size(), all);
    return VulkanMemory::copy_of(context, all.data(), all.size() * sizeof all[0]);
}

class SpeedVulkan final : public VulkanExtractor {
  public:
    SpeedVulkan(const VulkanRequest &request, const Planes &planes, const SpeedGeometry &geometry,
                const SpeedParams &params, Kernels kernels, VulkanMemory memory)
        : context_(request.context), pairs_(planes.pairs), geometry_(geometry), kernels_(std::move(kernels)),
          memory_(std::move(memory)), max_batch_(request.max_batch)
    {
        plane_bytes_ = std::size_t{params.entropies_at + geometry.block_count()} * sizeof(std::uint32_t);
    }

    std::size_t scratch_bytes() const override { return plane_bytes_ * 2 * pairs_ * max_batch_; }

    void record(const VulkanRecording &to) override
    {
        const SpeedArguments arguments{to.batch, memory_.address, to.scratch, plane_bytes_};
        const auto run = [&](Stage stage, std::size_t threads) {
            kernels_[stage].record(*context_, to.commands, arguments,
                                   blocks_for(static_cast<unsigned>(threads), kGroupThreads), 1,
                                   (stage == kScore ? 1 : 2) * pairs_ * to.count);
            // The two that solve K do not read each other's results.
            if (stage != kEigenvalues && stage != kScore)
                vulkan_kernel_barrier(*context_, to.commands);
        };
        run(kReduce, geometry_.reduced.pixels());
        run(kDetail, std::size_t{geometry_.block_columns()} * geometry_.block_rows());
        run(kMeans, kSpeedDimension);
        run(kCovariance, blocks_for(kSpeedDimension * (kSpeedDimension + 1) / 2, kGroupElements) * kGroupThreads);
        run(kEigenvalues, 1);
        run(kDecompose, 1);
        run(kEntropies, geometry_.block_count());
        run(kScore, 1);
    }

  private:
    VulkanContextPtr context_;
    unsigned pairs_;
    SpeedGeometry geometry_;
    Kernels kernels_;
    VulkanMemory memory_; ///< of the params and tables
    unsigned max_batch_;
    std::size_t plane_bytes_;
};

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request, const Planes &planes,
                                              const SpeedOptions &options)
{
    const SpeedGeometry geometry(planes.size, options.prescale);
    if (geometry.window_count() > kMostWindows)
        return std::unique_ptr<VulkanExtractor>();
    const SpeedParams params = params_of(planes, geometry, options, request.format.bpc);
    VMAF_TRY_ASSIGN(VulkanMemory memory, upload(request.context, params, geometry, options));
    Kernels kernels;
    for (unsigned stage = 0; stage < kStages; ++stage) {
        const auto [spirv, constant] = code_of(static_cast<Stage>(stage));
        const std::array<std::uint32_t, 2> constants{static_cast<std::uint32_t>(request.format.sample_bytes()),
                                                     constant};
        VMAF_TRY_ASSIGN(kernels[stage],
                        VulkanKernel::create(request.context, spirv, sizeof(SpeedArguments), constants));
    }
    return std::unique_ptr<VulkanExtractor>(
        std::make_unique<SpeedVulkan>(request, planes, geometry, params, std::move(kernels), std::move(memory)));
}

Result<std::unique_ptr<VulkanExtractor>> make_chroma(const VulkanRequest &request)
{
    const PictureSize size{request.format.plane_width(1), request.format.plane_height(1)};
    return make(request, {size, 1, 2, false}, speed_chroma_options(request.options));
}

Result<std::unique_ptr<VulkanExtractor>> make_temporal(const VulkanRequest &request)
{
    const PictureSize size{request.format.width, request.format.height};
    return make(request, {size, 0, 1, true}, speed_temporal_options(request.options));
}

} // namespace

const VulkanBackend kSpeedChromaVulkan{&kSpeedChroma, make_chroma};
const VulkanBackend kSpeedTemporalVulkan{&kSpeedTemporal, make_temporal};

} // namespace vmaf
