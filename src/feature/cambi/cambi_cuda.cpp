#include <algorithm>
#include <vector>

#include "base/round_up.h"
#include "cuda/tables.h"
#include "feature/cambi/cambi.h"
#include "feature/cambi/cambi_cuda_params.h"
#include "feature/cuda_backends.h"

extern "C" const unsigned char vmaf_cambi_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = std::size_t{288} << 20;
constexpr std::size_t kAlignmentBytes = 256;

/// Each c is below 2^38 units of 2^-24.
constexpr std::size_t kMaxExactValues = std::size_t{1} << 26;

/// Longer strips add up fewer rows twice, shorter ones keep more warps busy.
constexpr unsigned kShortStripRows = 16, kLongStripRows = 32;
constexpr unsigned kEnoughWarps = 12288; ///< in a launch

constexpr unsigned kMaxPlainSharedBytes = 48U << 10;

// ---- What the kernels of one pass are told ----

void lay_out_levels(const CambiGeometry &geometry, const CambiPass &pass, double topk, CambiKernelParams &params)
{
    constexpr std::size_t kPlaneValues = 32;
    for (unsigned scale = 0; scale < kCambiScales; ++scale) {
        const PictureSize size = geometry.scale_size(pass, scale);
        CambiLevel &level = params.levels[scale];
        level.width_px = size.width_px;
        level.height_px = size.height_px;
        level.pitch = static_cast<unsigned>(round_up(size.width_px, kCambiStripColumns)) + 2 * kCambiMargin;
        level.top_count = static_cast<unsigned>(cambi_top_count(topk, size.pixels()));
        level.samples_offset = params.frame_samples + kCambiMargin;
        level.c_offset = params.frame_c;
        params.frame_samples += std::size_t{level.pitch} * size.height_px;
        params.row_count += size.height_px;
        params.frame_c += round_up(size.pixels(), kPlaneValues);
    }
}

struct PassBlocks {
    unsigned contrast, select; ///< of a frame
};

PassBlocks lay_out_strips(unsigned strip_rows, CambiKernelParams &params)
{
    PassBlocks blocks{};
    params.strip_rows = strip_rows;
    for (CambiLevel &level : params.levels) {
        level.strips_across = blocks_for(level.width_px, kCambiStripColumns);
        level.strip_count = level.strips_across * blocks_for(level.height_px, strip_rows);
        level.first_block = blocks.contrast;
        level.first_select_block = blocks.select;
        blocks.contrast += blocks_for(level.strip_count, kCambiContrastWarps);
        blocks.select += blocks_for(level.width_px * level.height_px, kCambiSelectValues);
    }
    return blocks;
}

PassBlocks choose_strips(unsigned frames, CambiKernelParams &params)
{
    const PassBlocks blocks = lay_out_strips(kLongStripRows, params);
    return blocks.contrast * kCambiContrastWarps * frames >= kEnoughWarps ? blocks
                                                                          : lay_out_strips(kShortStripRows, params);
}

void describe_samples(const PictureFormat &format, const CambiPass &pass, CambiSmoothing smoothing,
                      CambiKernelParams &params)
{
    params.picture_width_px = format.width;
    params.picture_height_px = format.height;
    params.bpc = format.bpc;
    if (format.bpc <= 10)
        params.widening = 10 - format.bpc;
    else {
        params.narrowing = format.bpc - 10;
        params.rounding = 1U << (params.narrowing - 1);
    }
    params.width_px = pass.size.width_px;
    params.height_px = pass.size.height_px;
    params.smooths = smoothing == CambiSmoothing::anti_dither;
    params.mask_threshold = cambi_mask_threshold(pass.size);
}

void describe_contrast(const CambiPass &pass, const CambiVisibility &visibility, CambiKernelParams &params)
{
    constexpr unsigned kBand = 48;
    params.window = pass.window;
    params.step_count = static_cast<unsigned>(visibility.steps);
    params.level_count = (visibility.steps == kCambiMaxSteps ? kCambiMinBand : kBand) + 2 * params.step_count;
    params.lowest_value = std::max(0, visibility.lowest_visible - 2 * visibility.steps + 1);
    params.highest_value = std::min(visibility.tvi[visibility.steps], static_cast<int>(kCambiMaxSample));
    for (int step = 1; step <= visibility.steps; ++step)
        params.steps[step - 1] = {kCambiWeights[step - 1], visibility.lowest_visible - visibility.steps - step + 1,
                                  visibility.tvi[step]};
}

// ---- Kernels ----

struct Kernels {
    CUfunction check, preprocess, pyramid, select_first, select_middle, finish, order;
};

Result<Kernels> find_kernels(const CudaModule &module, unsigned bpc, bool half_size)
{
    const char *preprocess = bpc == 8
                                 ? (half_size ? "vmaf_cambi_preprocess_half_8bit" : "vmaf_cambi_preprocess_8bit")
                                 : (half_size ? "vmaf_cambi_preprocess_half_16bit" : "vmaf_cambi_preprocess_16bit");
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.check, cuda_function(module, "vmaf_cambi_check"));
    VMAF_TRY_ASSIGN(kernels.preprocess, cuda_function(module, preprocess));
    VMAF_TRY_ASSIGN(kernels.pyramid, cuda_function(module, "vmaf_cambi_pyramid"));
    VMAF_TRY_ASSIGN(kernels.select_first, cuda_function(module, "vmaf_cambi_select_first"));
    VMAF_TRY_ASSIGN(kernels.select_middle, cuda_function(module, "vmaf_cambi_select_middle"));
    VMAF_TRY_ASSIGN(kernels.finish, cuda_function(module, "vmaf_cambi_finish"));
    VMAF_TRY_ASSIGN(kernels.order, cuda_function(module, "vmaf_cambi_order"));
    return kernels;
}

const char *contrast_kernel(unsigned window, unsigned steps)
{
    constexpr unsigned kUnrolledSteps = 4;
    const bool unrolled = steps == kUnrolledSteps;
    if (window <= 31)
        return unrolled ? "vmaf_cambi_contrast_31_of_4" : "vmaf_cambi_contrast_31";
    if (window == 33 && unrolled)
        return "vmaf_cambi_contrast_33_of_4";
    if (window <= 63)
        return unrolled ? "vmaf_cambi_contrast_63_of_4" : "vmaf_cambi_contrast_63";
    return unrolled ? "vmaf_cambi_contrast_65_of_4" : "vmaf_cambi_contrast_65";
}

/// The distorted pictures or the reference ones.
struct Pass {
    CUfunction contrast;
    PassBlocks blocks;
    bool may_round; ///< whether a sum of c-values can depend on its order (spec cambi 3.6)
    CambiKernelParams params;
};

/// c is at most k(N) W^2 / 4, which a window of as many pixels of the value as of its neighbour
/// has.
bool may_round(const CambiKernelParams &params)
{
    constexpr double kMaxExactSum = 1LL << (53 - 24);
    const double largest = 0.25 * params.steps[params.step_count - 1].weight * params.window * params.window;
    return 1.001 * largest * params.levels[0].top_count > kMaxExactSum;
}

Result<Pass> make_pass(const CudaModule &module, const PictureFormat &format, const CambiTask &task,
                       const CambiPass &geometry, unsigned max_batch)
{
    Pass pass{};
    lay_out_levels(task.geometry, geometry, task.topk, pass.params);
    pass.blocks = choose_strips(max_batch, pass.params);
    describe_samples(format, geometry, task.smoothing, pass.params);
    describe_contrast(geometry, task.visibility, pass.params);
    pass.may_round = may_round(pass.params);
    VMAF_TRY_ASSIGN(pass.contrast, cuda_function(module, contrast_kernel(pass.params.window, pass.params.step_count)));
    if (const unsigned bytes = cambi_contrast_shared_bytes(pass.params.level_count); bytes > kMaxPlainSharedBytes)
        VMAF_TRY(cuda_allow_shared(module, pass.contrast, bytes));
    return pass;
}

class CambiCuda final : public CudaExtractor {
  public:
    CambiCuda(CudaModule module, const Kernels &kernels, CudaDeviceMemory tables, std::vector<Pass> passes,
              const CudaRequest &request, bool checks)
        : module_(std::move(module)), kernels_(kernels), tables_(std::move(tables)), passes_(std::move(passes)),
          part_frames_(request.max_batch), checks_(checks)
    {
        while (part_frames_ > 1 && scratch_bytes() > std::min(kScratchBytes, request.max_scratch_bytes))
            --part_frames_;
    }

    /// The passes come one after the other.
    std::size_t scratch_bytes() const override
    {
        std::size_t bytes = 0;
        for (const Pass &pass : passes_)
            bytes = std::max(bytes, selections_bytes() + samples_bytes(pass) + c_bytes(pass));
        return bytes;
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        for (unsigned first = 0; first < batch.count; first += part_frames_) {
            const unsigned count = std::min(part_frames_, batch.count - first);
            for (Pass &pass : passes_) {
                const bool dis = &pass == &passes_.front();
                CambiKernelParams &params = pass.params;
                for (unsigned i = 0; i < count; ++i) {
                    const CudaFrame &frame = batch.frames[first + i];
                    auto *sums = static_cast<CambiSums *>(frame.sums);
                    params.frames[i] = dis ? CambiFrame{frame.dis[0], sums->dis, &sums->bad_dis}
                                           : CambiFrame{frame.ref[0], sums->ref, &sums->bad_ref};
                }
                params.selections = reinterpret_cast<CambiSelection *>(scratch);
                params.samples = reinterpret_cast<unsigned short *>(scratch + selections_bytes());
                params.c = reinterpret_cast<float *>(scratch + selections_bytes() + samples_bytes(pass));
                VMAF_TRY(submit_pass(stream, pass, count));
            }
        }
        return {};
    }

  private:
    std::size_t selections_bytes() const
    {
        return round_up(sizeof(CambiSelection) * kCambiScales * part_frames_, kAlignmentBytes);
    }
    std::size_t samples_bytes(const Pass &pass) const
    {
        return round_up(pass.params.frame_samples * sizeof(unsigned short) * part_frames_, kAlignmentBytes);
    }
    std::size_t c_bytes(const Pass &pass) const { return pass.params.frame_c * sizeof(float) * part_frames_; }

    Status submit_pass(CUstream stream, const Pass &pass, unsigned frames) const
    {
        const CambiKernelParams &params = pass.params;
        const CambiLevel &half = params.levels[1];
        const auto launch = [&](CUfunction kernel, CudaDim grid, unsigned threads, unsigned shared_bytes = 0) {
            return cuda_launch(*module_.context(), kernel, {grid.x, grid.y, frames}, {threads}, shared_bytes, stream,
                               params);
        };
        if (checks_)
            VMAF_TRY(launch(kernels_.check, {blocks_for(params.picture_height_px, kCambiCheckThreads / 32)},
                            kCambiCheckThreads));
        VMAF_TRY(launch(kernels_.preprocess,
                        {blocks_for(params.width_px, kCambiTileColumns), blocks_for(params.height_px, kCambiTileRows)},
                        kCambiPreprocessThreads));
        VMAF_TRY(launch(kernels_.pyramid,
                        {blocks_for(half.width_px, kCambiPyramidTile), blocks_for(half.height_px, kCambiPyramidTile)},
                        kCambiPyramidThreads));
        VMAF_TRY(launch(pass.contrast, {pass.blocks.contrast}, 32 * kCambiContrastWarps,
                        cambi_contrast_shared_bytes(params.level_count)));
        VMAF_TRY(launch(kernels_.select_first, {pass.blocks.select}, kCambiSelectThreads));
        VMAF_TRY(launch(kernels_.select_middle, {pass.blocks.select}, kCambiSelectThreads));
        VMAF_TRY(launch(kernels_.finish, {kCambiScales}, 1));
        return pass.may_round ? launch(kernels_.order, {kCambiScales}, kCambiOrderThreads) : Status();
    }

    CudaModule module_;
    Kernels kernels_;
    CudaDeviceMemory tables_;
    std::vector<Pass> passes_; ///< distorted first
    unsigned part_frames_;
    bool checks_; ///< whether samples can exceed their depth
};

} // namespace

/// The tests make tasks that no options of a small picture lead to.
CudaExtractorResult make_cambi_cuda(const CudaRequest &request, const CambiTask &task)
{
    const PictureFormat &format = request.format;
    std::vector<CambiPass> geometries{task.geometry.dis};
    if (task.measures_ref)
        geometries.push_back(task.geometry.ref);
    for (const CambiPass &geometry : geometries)
        if (task.geometry.scale_size(geometry, 0).pixels() > kMaxExactValues)
            return std::unique_ptr<CudaExtractor>();

    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_cambi_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, format.bpc, task.geometry.half_size));
    CudaTables tables;
    const std::size_t reciprocals = tables.add(cambi_reciprocals());
    std::vector<Pass> passes;
    std::vector<std::pair<std::size_t, std::size_t>> positions;
    for (const CambiPass &geometry : geometries) {
        VMAF_TRY_ASSIGN(Pass pass, make_pass(module, format, task, geometry, request.max_batch));
        passes.push_back(pass);
        const std::size_t columns = tables.add(cambi_source_positions(format.width, geometry.size.width_px));
        positions.emplace_back(columns, tables.add(cambi_source_positions(format.height, geometry.size.height_px)));
    }
    VMAF_TRY_ASSIGN(CudaDeviceMemory memory, tables.upload(request.context));
    for (std::size_t i = 0; i < passes.size(); ++i) {
        CambiKernelParams &params = passes[i].params;
        params.reciprocals = cuda_table<float>(memory, reciprocals);
        if (geometries[i].size == PictureSize{format.width, format.height})
            continue;
        params.source_columns = cuda_table<unsigned>(memory, positions[i].first);
        params.source_rows = cuda_table<unsigned>(memory, positions[i].second);
    }
    return std::unique_ptr<CudaExtractor>(std::make_unique<CambiCuda>(
        std::move(module), kernels, std::move(memory), std::move(passes), request, format.bpc > 8 && format.bpc < 16));
}

namespace {

CudaExtractorResult make(const CudaRequest &request)
{
    if (cambi_writes_heatmaps(request.options))
        return std::unique_ptr<CudaExtractor>();
    return make_cambi_cuda(request, cambi_task(request.options, request.format));
}

} // namespace

const CudaBackend kCambiCuda{&kCambi, make};

} // namespace vmaf
