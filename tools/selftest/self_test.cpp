#include "selftest/self_test.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "frames/library.h"
#include "library/lists.h"
#include "listing/lists.h"
#include "scoring/gpu_probe.h"
#include "selftest/score_difference.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kFrames = 3;

/// Test cases of one feature.
struct Case {
    VideoFormat format;
    const VmafOptionInfo *turned; ///< a switch that has the other value than by default; null: none
};

/// The smallest picture, ones of odd sizes, and two that are large enough for every feature; the
/// second and the last with each switch turned.
std::vector<Case> cases_of(const VmafFeatureInfo &feature)
{
    constexpr unsigned kLargeEnough = 330;
    const auto sized = [&](unsigned width, unsigned height, VmafPixelFormat pix_fmt, unsigned depth) {
        return VideoFormat{std::max(width, feature.min_width_px), std::max(height, feature.min_height_px), pix_fmt,
                           depth};
    };
    const VideoFormat odd = sized(147, 67, VMAF_PIX_FMT_YUV420P, 8);
    const VideoFormat large = sized(kLargeEnough + 3, kLargeEnough, VMAF_PIX_FMT_YUV420P, 10);
    std::vector<Case> cases;
    for (const VideoFormat &format :
         {sized(1, 1, VMAF_PIX_FMT_YUV420P, 8), odd, sized(130, 98, VMAF_PIX_FMT_YUV422P, 10),
          sized(71, 250, VMAF_PIX_FMT_YUV444P, 12), sized(64, 48, VMAF_PIX_FMT_YUV400P, 8),
          sized(33, 129, VMAF_PIX_FMT_YUV420P, 16), sized(kLargeEnough - 9, kLargeEnough + 10, VMAF_PIX_FMT_YUV444P, 8),
          large})
        cases.push_back({format, nullptr});
    for (const VmafOptionInfo *option : listed(feature.options))
        if (option->type == VMAF_OPTION_BOOL)
            for (const VideoFormat &format : {odd, large})
                cases.push_back({format, option});
    return cases;
}

/// Tiles of near-flat samples, noise, a slope and extremes, which move by the frame; between them
/// stripes of wide steps, as of banding.
unsigned sample(bool distorted, unsigned frame, unsigned plane, unsigned x, unsigned y, unsigned peak)
{
    constexpr unsigned kTilePx = 20, kStripePx = 60;
    std::uint32_t noise = (x * 2654435761U) ^ (y * 2246822519U) ^ ((frame * 3 + plane + 1) * 3266489917U);
    noise = (noise ^ noise >> 15) * 2246822519U;
    noise ^= noise >> 13;
    const unsigned kinds[] = {peak / 3 + noise % 3, noise & peak, (x * 3 + y * 2 + frame * 4) * (peak / 255) & peak,
                              noise % 2 == 0 ? peak : 0};
    if (y / kStripePx % 2 == 1)
        return peak / 3 + (x / 32 + y / 24) * (peak / 255) + (distorted ? x / 50 % 2 : 0);
    const unsigned reference = kinds[((x + 2 * frame) / kTilePx + y / kTilePx) % 4];
    return distorted ? std::min(reference - reference / 8 + (noise >> 20) % 8, peak) : reference;
}

Picture make_picture(const VideoFormat &format, bool distorted, unsigned frame)
{
    Picture picture = new_picture(format);
    const VmafPicture &raw = picture.raw();
    for (unsigned plane = 0; plane < 3; ++plane)
        for (unsigned y = 0; y < raw.h[plane]; ++y) {
            auto *const row = static_cast<unsigned char *>(raw.data[plane]) + raw.stride[plane] * std::ptrdiff_t{y};
            for (unsigned x = 0; x < raw.w[plane]; ++x) {
                const unsigned value = sample(distorted, frame, plane, x, y, (1U << format.depth) - 1);
                if (format.depth == 8)
                    row[x] = static_cast<unsigned char>(value);
                else
                    reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(value);
            }
        }
    return picture;
}

/// Result of a session for a case.
struct Outcome {
    int error = 0; ///< the library's
    ScoreColumns columns = {};
};

int prepare(VmafContext *context, const VmafFeatureInfo &feature, const Case &tried, const GpuState *gpu)
{
    if (const int error = gpu != nullptr ? gpu->import_into(context) : 0)
        return error;
    FeatureDictionary options;
    if (tried.turned != nullptr)
        if (const int error = options.set(tried.turned->name, tried.turned->default_number != 0 ? "false" : "true"))
            return error;
    return vmaf_use_feature(context, feature.name, options.release());
}

int read_all(VmafContext *context, const VideoFormat &format)
{
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        Picture ref = make_picture(format, false, frame), dis = make_picture(format, true, frame);
        if (const int error = vmaf_read_pictures(context, &ref.raw(), &dis.raw(), frame))
            return error;
    }
    return vmaf_read_pictures(context, nullptr, nullptr, 0);
}

/// @param gpu null: the CPU.
Outcome outcome_of(const VmafFeatureInfo &feature, const Case &tried, const GpuState *gpu)
{
    VmafContext *raw = nullptr;
    VmafConfiguration config{}; // says nothing: a case that the feature refuses is no news
    Outcome outcome{vmaf_init(&raw, config)};
    const Context context(raw);
    if (outcome.error == 0)
        outcome.error = prepare(raw, feature, tried, gpu);
    if (outcome.error == 0)
        outcome.error = read_all(raw, tried.format);
    if (outcome.error == 0)
        outcome.columns = score_columns(raw);
    return outcome;
}

std::string text_of(const Case &tried)
{
    const VideoFormat &format = tried.format;
    const std::string option = tried.turned != nullptr ? formatted(", {} turned", tried.turned->name) : "";
    return formatted("{}x{}, {}, {} bits{}", format.width_px, format.height_px, pixel_format_text(format.pix_fmt),
                     format.depth, option);
}

/// Result of a feature's cases.
struct Verdict {
    unsigned compared = 0;
    std::string difference = {}; ///< the first; empty: there is none
};

Verdict verdict_on(const VmafFeatureInfo &feature, const GpuState &gpu)
{
    Verdict verdict;
    for (const Case &tried : cases_of(feature)) {
        const Outcome cpu = outcome_of(feature, tried, nullptr), device = outcome_of(feature, tried, &gpu);
        const std::string difference =
            device.error != cpu.error ? formatted("the library's error is {} instead of {}", device.error, cpu.error)
                                      : score_difference(device.columns, cpu.columns, feature.gpu_tolerance);
        verdict.compared += cpu.error == 0 ? 1 : 0;
        if (!difference.empty() && verdict.difference.empty())
            verdict.difference = formatted("{} ({})", difference, text_of(tried));
    }
    return verdict;
}

/// The GPU's name in --list gpus.
std::string name_of(const Gpu &gpu, const GpuSelection &selection)
{
    if (gpu->vulkan) {
        const VmafVulkanDeviceInfo *const device = vulkan_device_of(selection);
        return device != nullptr ? formatted("{}, {}", device->name, device->driver) : "Vulkan";
    }
    const std::vector<GpuFacts> gpus = usable_gpus();
    return gpus.empty() ? "CUDA" : name_and_memory(gpus.front());
}

} // namespace

int self_test(const GpuSelection &selection)
{
    if (selection.use == GpuUse::none || selection.wants_several())
        throw UsageError("--self_test tests one GPU: choose it with --gpu N or --gpu vkN");
    choose_gpu(selection);
    Gpu gpu;
    if (const int error = find_gpu(selection, gpu))
        throw Failure(kExitSetup, gpu_reason(error));
    if (gpu->vulkan && vmaf_vulkan_state_check(gpu->vulkan.get(), VMAF_VULKAN_CHECK_NONE) != 0)
        throw Failure(kExitSetup, "the GPU's kernels cannot be tested");
    std::string table = formatted("{}\n", name_of(gpu, selection));
    unsigned tested = 0, wrong = 0;
    for (const VmafFeatureInfo *feature : library_features()) {
        if (vmaf_feature_runs_on(feature, gpu->vulkan ? VMAF_DEVICE_VULKAN : VMAF_DEVICE_CUDA) == 0)
            continue;
        const Verdict verdict = verdict_on(*feature, *gpu);
        const char *const right = feature->gpu_tolerance > 0 ? "within its tolerance" : "equal";
        table += formatted("{:<16}  {:>3} comparisons  {}\n", feature->name, verdict.compared,
                           verdict.difference.empty() ? right : verdict.difference);
        ++tested;
        wrong += verdict.difference.empty() ? 0 : 1;
    }
    table += formatted("{} of {} features differ from the CPU\n", wrong, tested);
    print(table);
    return wrong == 0 ? 0 : kExitUnmet;
}

} // namespace vmaf::tool
