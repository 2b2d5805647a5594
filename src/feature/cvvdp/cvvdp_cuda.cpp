#include <algorithm>
#include <string>

#include "base/round_up.h"
#include "cuda/batch_parts.h"
#include "cuda/tables.h"
#include "feature/common/rgb_rows.h"
#include "feature/cuda_backends.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_cuda_params.h"

extern "C" const unsigned char vmaf_cvvdp_fatbin[];

namespace vmaf {
namespace {

/// Memory for the pyramids of frames that go through the kernels at once: eight of 1080p or three
/// of 2160p, as in a batch. Each pass over the samples converts the N - 1 pairs before its frames
/// again.
constexpr std::size_t kScratchBytes = std::size_t{1} << 30;

void lay_out_levels(const PictureFormat &format, unsigned bands, CvvdpPyramidParams &params)
{
    constexpr std::size_t kPitchPixels = 8; // 128 bytes
    params.band_count = bands;
    unsigned width = format.width, height = format.height;
    for (unsigned band = 0; band < bands; ++band) {
        CvvdpLevel &level = params.levels[band];
        level.width_px = width;
        level.height_px = height;
        level.pitch = static_cast<unsigned>(round_up(width, kPitchPixels));
        level.offset = params.frame_pixels;
        level.first_strip = params.strip_count;
        level.strips_across = band + 1 < bands ? blocks_for(width, kCvvdpStripColumns) : 0;
        params.frame_pixels += std::uint64_t{2} * level.pitch * height;
        params.strip_count += level.strips_across * blocks_for(height, kCvvdpStripRows);
        width = cvvdp_half(width);
        height = cvvdp_half(height);
    }
}

struct Weights {
    float of_channel[kCvvdpChannels];
};

/// Weights of frames with 0 to N - 1 earlier pairs, N each.
std::vector<Weights> all_weights(const CvvdpOptions &options)
{
    const CvvdpTaps taps = cvvdp_taps(options.fps);
    const unsigned count = cvvdp_tap_count(options.fps);
    std::vector<Weights> all;
    for (unsigned earlier = 0; earlier < count; ++earlier) {
        const CvvdpWeights weights = cvvdp_weights(taps, earlier);
        for (unsigned age = 0; age < count; ++age)
            std::copy_n(weights.weights[age], kCvvdpChannels, all.emplace_back().of_channel);
    }
    return all;
}

struct Tables {
    CudaDeviceMemory memory;
    const CvvdpBandTables *bands;
    const float (*weights)[kCvvdpChannels];
    const float *light; ///< null: sRGB's curve
};

Result<Tables> make_tables(const CudaContextPtr &context, const CvvdpOptions &options,
                           const std::vector<double> &frequencies, const Light &light)
{
    std::vector<CvvdpBandTables> bands;
    const auto count = static_cast<unsigned>(frequencies.size());
    for (unsigned band = 0; band < count; ++band)
        bands.push_back(cvvdp_tables(band, count, frequencies[band]));
    CudaTables all;
    const std::size_t bands_at = all.add(bands), weights_at = all.add(all_weights(options));
    const std::size_t light_at = all.add(light.table());
    Tables tables{};
    VMAF_TRY_ASSIGN(tables.memory, all.upload(context));
    tables.bands = cuda_table<CvvdpBandTables>(tables.memory, bands_at);
    tables.weights = cuda_table<float[kCvvdpChannels]>(tables.memory, weights_at);
    tables.light = cuda_table<float>(tables.memory, light_at);
    return tables;
}

struct Kernels {
    CUfunction channels, reduce, reduce_rest, bands, sum;
};

Result<Kernels> find_kernels(const CudaModule &module, const PictureFormat &format, bool plain_light)
{
    const char *const chroma = format.plane_count() == 1                 ? "grey_"
                               : format.plane_height(1) != format.height ? "half_"
                                                                         : "full_";
    const std::string channels = std::string("vmaf_cvvdp_channels_") + chroma + (plain_light ? "" : "light_") +
                                 (format.bpc == 8 ? "8bit" : "16bit");
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.channels, cuda_function(module, channels.c_str()));
    VMAF_TRY_ASSIGN(kernels.reduce, cuda_function(module, "vmaf_cvvdp_reduce"));
    VMAF_TRY_ASSIGN(kernels.reduce_rest, cuda_function(module, "vmaf_cvvdp_reduce_rest"));
    VMAF_TRY_ASSIGN(kernels.bands, cuda_function(module, "vmaf_cvvdp_bands"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_cvvdp_sum"));
    return kernels;
}

CvvdpSource source_of(const PairOf<CudaPlane> &pair)
{
    CvvdpSource source;
    std::copy_n(pair.ref, 3, source.planes[0]);
    std::copy_n(pair.dis, 3, source.planes[1]);
    return source;
}

bool is_same(const PairOf<CudaPlane> &a, const PairOf<CudaPlane> &b)
{
    return a.ref[0].data == b.ref[0].data && a.dis[0].data == b.dis[0].data;
}

class CvvdpCuda final : public CudaExtractor {
  public:
    CvvdpCuda(CudaModule module, const Kernels &kernels, Tables tables, unsigned part_frames,
              const CvvdpPyramidParams &params, const CvvdpChannelsParams &channels)
        : module_(std::move(module)), kernels_(kernels), tables_(std::move(tables)), part_frames_(part_frames),
          params_(params), channels_(channels)
    {
    }

    std::size_t scratch_bytes() const override
    {
        return slots_bytes() + params_.frame_pixels * sizeof(CvvdpPixel) * part_frames_;
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.slots = reinterpret_cast<double *>(scratch);
        params_.pyramid = reinterpret_cast<CvvdpPixel *>(scratch + slots_bytes());
        for (unsigned first = 0; first < batch.count; first += part_frames_)
            VMAF_TRY(submit_part(stream, batch.frames + first, std::min(part_frames_, batch.count - first)));
        return {};
    }

  private:
    std::size_t slots_bytes() const
    {
        constexpr std::size_t kAlignmentBytes = 256;
        return round_up(sizeof(double) * kCvvdpChannels * params_.strip_count * part_frames_, kAlignmentBytes);
    }

    Status submit_part(CUstream stream, const CudaFrame *frames, unsigned count)
    {
        for (unsigned first = 0; first < count;) {
            unsigned end = first + 1;
            while (end < count && follows(frames[end - 1], frames[end]))
                ++end;
            VMAF_TRY(submit_channels(stream, frames + first, end - first, first));
            first = end;
        }
        const CudaContext &context = *module_.context();
        for (unsigned frame = 0; frame < count; ++frame)
            params_.sums[frame] = static_cast<CvvdpSums *>(frames[frame].sums);
        VMAF_TRY(submit_pyramid(stream, count));
        VMAF_TRY(cuda_launch(context, kernels_.bands, {1 + params_.strip_count, 1, count}, {kCvvdpStripThreads},
                             sizeof(CvvdpStripShared), stream, params_));
        return cuda_launch(context, kernels_.sum, {params_.band_count - 1, 1, count}, {kCvvdpSumThreads}, 0, stream,
                           params_);
    }

    Status submit_pyramid(CUstream stream, unsigned count)
    {
        const CudaContext &context = *module_.context();
        for (params_.level = 0; params_.level + 1 < params_.band_count; ++params_.level) {
            const CvvdpLevel &to = params_.levels[params_.level + 1];
            if (std::max(to.width_px, to.height_px) <= kCvvdpRestPx)
                return cuda_launch(context, kernels_.reduce_rest, {1, 1, 2 * count}, {kCvvdpRestThreads}, 0, stream,
                                   params_);
            VMAF_TRY(cuda_launch(
                context, kernels_.reduce,
                {blocks_for(to.width_px, kCvvdpReduceColumns), blocks_for(to.height_px, kCvvdpReduceRows), 2 * count},
                {kCvvdpReduceColumns}, 0, stream, params_));
        }
        return {};
    }

    unsigned most_seen() const { return static_cast<unsigned>(channels_.most_seen); }

    unsigned seen(const CudaFrame &frame) const
    {
        unsigned earlier = 0;
        while (earlier < most_seen() && frame.earlier[earlier].ref[0].data != nullptr)
            ++earlier;
        return earlier;
    }

    /// Whether what a frame sees is what the one before it sees, and that one.
    bool follows(const CudaFrame &before, const CudaFrame &frame) const
    {
        const unsigned earlier = seen(frame);
        if (earlier != std::min(seen(before) + 1, most_seen()))
            return false;
        for (unsigned age = 0; age < earlier; ++age)
            if (!is_same(frame.earlier[age], age == 0 ? before : before.earlier[age - 1]))
                return false;
        return true;
    }

    /// Queues the channels of consecutive frames. The first is frame `place` in scratch memory.
    Status submit_channels(CUstream stream, const CudaFrame *frames, unsigned count, unsigned place)
    {
        channels_.frame_count = static_cast<int>(count);
        channels_.pyramid = params_.pyramid + place * params_.frame_pixels;
        for (unsigned i = 0; i < count; ++i)
            channels_.sources[i] = source_of(frames[count - 1 - i]);
        const CvvdpLevel &level = channels_.level;
        const unsigned first_seen = seen(frames[0]);
        channels_.first_seen = static_cast<int>(first_seen);
        unsigned before = 0;
        do {
            const unsigned earlier = std::min(first_seen - before, kCvvdpLaunchSources - count);
            channels_.earlier_before = static_cast<int>(before);
            channels_.source_count = static_cast<int>(count + earlier);
            for (unsigned i = 0; i < earlier; ++i)
                channels_.sources[count + i] = source_of(frames[0].earlier[before + i]);
            VMAF_TRY(cuda_launch(
                *module_.context(), kernels_.channels,
                {blocks_for(level.width_px, kCvvdpChannelsColumns), blocks_for(level.height_px, kCvvdpChannelsRows), 2},
                {kCvvdpChannelsThreads}, 0, stream, channels_));
            before += earlier;
        } while (before < first_seen);
        return {};
    }

    CudaModule module_;
    Kernels kernels_;
    Tables tables_;
    unsigned part_frames_;
    CvvdpPyramidParams params_;
    CvvdpChannelsParams channels_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(const CvvdpOptions options, CvvdpOptions::read(request.options));
    const PictureFormat &format = request.format;
    const std::vector<double> frequencies = cvvdp_frequencies(format.width, format.height, options.display.ppd);
    CvvdpPyramidParams params{};
    lay_out_levels(format, static_cast<unsigned>(frequencies.size()), params);
    const auto taps = cvvdp_blur_taps();
    std::copy(taps.begin(), taps.end(), params.blur_taps);
    const unsigned frames = request.part_frames(params.frame_pixels * sizeof(CvvdpPixel), kScratchBytes);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_cvvdp_fatbin));
    const Light light(options.light);
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, format, light.is_plain()));
    VMAF_TRY_ASSIGN(Tables tables, make_tables(request.context, options, frequencies, light));
    params.tables = tables.bands;
    CvvdpChannelsParams channels{};
    channels.most_seen = static_cast<int>(cvvdp_tap_count(options.fps)) - 1;
    channels.weights = tables.weights;
    channels.sampling = rgb_sampling(format, yuv_matrix(options.yuv_matrix, format.bpc));
    channels.sampling.light = light.params(tables.light);
    channels.colour = cvvdp_colour(options.display);
    channels.level = params.levels[0];
    channels.frame_pixels = params.frame_pixels;
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<CvvdpCuda>(std::move(module), kernels, std::move(tables), frames, params, channels));
}

} // namespace

// spec cvvdp 5.1.
const CudaBackend kCvvdpCuda{&kCvvdp, make};

} // namespace vmaf
