#include <algorithm>
#include <array>
#include <vector>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/common/prescale_upload.h"
#include "feature/cuda_backends.h"
#include "feature/speed/speed.h"
#include "feature/speed/speed_cuda_params.h"
#include "feature/speed/speed_plane.h"

extern "C" const unsigned char vmaf_speed_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = 128UL << 20;

struct Kernels {
    CUfunction reduce, detail, covariance, solve, entropy, score;
};

Result<Kernels> find_kernels(const CudaModule &module, unsigned bpc)
{
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.reduce,
                    cuda_function(module, bpc == 8 ? "vmaf_speed_reduce_8bit" : "vmaf_speed_reduce_16bit"));
    VMAF_TRY_ASSIGN(kernels.detail, cuda_function(module, "vmaf_speed_detail"));
    VMAF_TRY_ASSIGN(kernels.covariance, cuda_function(module, "vmaf_speed_covariance"));
    VMAF_TRY_ASSIGN(kernels.solve, cuda_function(module, "vmaf_speed_solve"));
    VMAF_TRY_ASSIGN(kernels.entropy, cuda_function(module, "vmaf_speed_entropy"));
    VMAF_TRY_ASSIGN(kernels.score, cuda_function(module, "vmaf_speed_score"));
    return kernels;
}

/// Where scratch memory holds what SpeedKernelParams points to.
struct Scratch {
    std::size_t details, models, variances, entropies, end; ///< the reduced planes are at the start

    Scratch(const SpeedGeometry &geometry, unsigned planes)
    {
        std::size_t at = 0;
        const auto take = [&](std::size_t plane_bytes) {
            constexpr std::size_t kAlignmentBytes = 256;
            at = round_up(at + plane_bytes * planes, kAlignmentBytes);
            return at;
        };
        details = take(geometry.reduced.pixels() * sizeof(float));
        models = take(sizeof(float) * geometry.block_columns() * geometry.block_rows());
        variances = take(sizeof(SpeedCudaModel));
        entropies = take(sizeof(float) * geometry.block_count());
        end = take(sizeof(float) * geometry.block_count());
    }
};

/// Scores pairs of planes of one size, those of as many frames at once as scratch memory has room
/// for.
class PairScorer {
  public:
    PairScorer(CudaModule module, const Kernels &kernels, const SpeedGeometry &geometry, CudaPrescaler prescaler,
               unsigned part_pairs, const SpeedKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), geometry_(geometry), prescaler_(std::move(prescaler)),
          part_pairs_(part_pairs), scratch_(geometry, 2 * part_pairs), params_(params)
    {
        params_.prescale = prescaler_.tables;
    }

    std::size_t scratch_bytes() const { return scratch_.end; }

    void start(unsigned char *scratch)
    {
        params_.reduced = reinterpret_cast<float *>(scratch);
        params_.details = reinterpret_cast<float *>(scratch + scratch_.details);
        params_.models = reinterpret_cast<SpeedCudaModel *>(scratch + scratch_.models);
        params_.variances = reinterpret_cast<float *>(scratch + scratch_.variances);
        params_.entropies = reinterpret_cast<float *>(scratch + scratch_.entropies);
        pairs_ = 0;
    }

    Status add(CUstream stream, const SpeedCudaPlane &ref, const SpeedCudaPlane &dis, SpeedPlaneScore *score)
    {
        if (pairs_ == part_pairs_)
            VMAF_TRY(finish(stream));
        params_.planes[2 * pairs_] = ref;
        params_.planes[2 * pairs_ + 1] = dis;
        params_.scores[pairs_++] = score;
        return {};
    }

    /// What was added since.
    Status finish(CUstream stream)
    {
        if (pairs_ == 0)
            return {};
        const unsigned planes = 2 * pairs_;
        const auto launch = [&](CUfunction kernel, CudaDim grid, unsigned threads) {
            return cuda_launch(*module_.context(), kernel, grid, {threads}, 0, stream, params_);
        };
        VMAF_TRY(
            launch(kernels_.reduce,
                   {blocks_for(geometry_.reduced.width_px, kSpeedReducedSamples), geometry_.reduced.height_px, planes},
                   kSpeedReduceThreads));
        VMAF_TRY(
            launch(kernels_.detail,
                   {blocks_for(geometry_.block_columns() * geometry_.block_rows(), kSpeedDetailThreads), 1, planes},
                   kSpeedDetailThreads));
        VMAF_TRY(launch(kernels_.covariance, {kSpeedCovarianceWarps, 1, planes}, 32));
        VMAF_TRY(launch(kernels_.solve, {kSpeedSolveBlocks, 1, planes}, kSpeedSolveThreads));
        VMAF_TRY(launch(kernels_.entropy, {blocks_for(geometry_.block_count(), kSpeedEntropyBlocks), 1, planes},
                        kSpeedEntropyThreads));
        VMAF_TRY(launch(kernels_.score, {1, 1, pairs_}, kSpeedScoreThreads));
        pairs_ = 0;
        return {};
    }

  private:
    CudaModule module_;
    Kernels kernels_;
    SpeedGeometry geometry_;
    CudaPrescaler prescaler_; ///< without tables where the geometry does not resample
    unsigned part_pairs_;
    Scratch scratch_;
    SpeedKernelParams params_;
    unsigned pairs_ = 0;
};

Result<PairScorer> make_pair_scorer(const CudaRequest &request, const PictureSize &plane, const SpeedOptions &options,
                                    unsigned max_pairs)
{
    const SpeedGeometry geometry(plane, options.prescale);
    SpeedKernelParams params{};
    params.sample_scale = 1.0F / static_cast<float>(1U << (request.format.bpc - 8));
    params.prescaled_width_px = geometry.prescaled.width_px;
    params.prescaled_height_px = geometry.prescaled.height_px;
    const std::vector<float> reducing = speed_reducing_taps(options.kernel_scale),
                             mean = speed_mean_taps(options.kernel_scale);
    params.reducing_tap_count = static_cast<unsigned>(reducing.size());
    params.mean_tap_count = static_cast<unsigned>(mean.size());
    std::copy(reducing.begin(), reducing.end(), params.reducing_taps);
    std::copy(mean.begin(), mean.end(), params.mean_taps);
    params.reduced_width_px = geometry.reduced.width_px;
    params.reduced_height_px = geometry.reduced.height_px;
    params.blocks_x = geometry.blocks_x;
    params.blocks_y = geometry.blocks_y;
    params.sigma_nn = static_cast<float>(options.sigma_nn);
    params.noise_entropy = speed_noise_entropy(options);
    params.weight_var_mode = options.weight_var_mode;

    CudaPrescaler prescaler;
    if (geometry.resampled) {
        const PrescaleMethod method = *prescale_method(options.prescale_method);
        VMAF_TRY_ASSIGN(prescaler, make_cuda_prescaler(request.context, method, geometry.plane, geometry.prescaled));
    }
    unsigned part_pairs = max_pairs;
    while (part_pairs > 1 && Scratch(geometry, 2 * part_pairs).end > std::min(kScratchBytes, request.max_scratch_bytes))
        --part_pairs;
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_speed_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, request.format.bpc));
    return PairScorer(std::move(module), kernels, geometry, std::move(prescaler), part_pairs, params);
}

class SpeedChromaCuda final : public CudaExtractor {
  public:
    explicit SpeedChromaCuda(PairScorer scorer) : scorer_(std::move(scorer)) {}

    bool runs_beside() const override { return true; } // eigenvalues take one warp a plane for most of the time
    std::size_t scratch_bytes() const override { return scorer_.scratch_bytes(); }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        scorer_.start(scratch);
        for (unsigned i = 0; i < batch.count; ++i) {
            const CudaFrame &frame = batch.frames[i];
            auto &sums = *static_cast<SpeedChromaSums *>(frame.sums);
            for (unsigned plane = 0; plane < 2; ++plane)
                VMAF_TRY(scorer_.add(stream, {frame.ref[plane + 1], {}}, {frame.dis[plane + 1], {}},
                                     sums.plane.data() + plane));
        }
        return scorer_.finish(stream);
    }

  private:
    PairScorer scorer_;
};

class SpeedTemporalCuda final : public CudaExtractor {
  public:
    SpeedTemporalCuda(PairScorer scorer, bool use_ref_diff) : scorer_(std::move(scorer)), use_ref_diff_(use_ref_diff) {}

    bool runs_beside() const override { return true; } // eigenvalues take one warp a plane for most of the time
    std::size_t scratch_bytes() const override { return scorer_.scratch_bytes(); }

    /// spec speed 3.9 and 4: the frame with index 0 and the first one have the score 0.
    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        scorer_.start(scratch);
        for (unsigned i = 0; i < batch.count; ++i) {
            const CudaFrame &frame = batch.frames[i];
            const CudaPlane &earlier_ref = frame.earlier[0].ref[0], &earlier_dis = frame.earlier[0].dis[0];
            if (frame.frame_index == 0 || earlier_ref.data == nullptr || earlier_dis.data == nullptr)
                continue;
            VMAF_TRY(scorer_.add(stream, {earlier_ref, frame.ref[0]},
                                 {earlier_dis, use_ref_diff_ ? frame.ref[0] : frame.dis[0]},
                                 &static_cast<SpeedTemporalSums *>(frame.sums)->luma));
        }
        return scorer_.finish(stream);
    }

  private:
    PairScorer scorer_;
    bool use_ref_diff_;
};

CudaExtractorResult make_chroma(const CudaRequest &request)
{
    const PictureSize plane{request.format.plane_width(1), request.format.plane_height(1)};
    VMAF_TRY_ASSIGN(PairScorer scorer,
                    make_pair_scorer(request, plane, speed_chroma_options(request.options), 2 * request.max_batch));
    return std::unique_ptr<CudaExtractor>(std::make_unique<SpeedChromaCuda>(std::move(scorer)));
}

CudaExtractorResult make_temporal(const CudaRequest &request)
{
    const SpeedOptions options = speed_temporal_options(request.options);
    VMAF_TRY_ASSIGN(PairScorer scorer, make_pair_scorer(request, {request.format.width, request.format.height}, options,
                                                        request.max_batch));
    return std::unique_ptr<CudaExtractor>(std::make_unique<SpeedTemporalCuda>(std::move(scorer), options.use_ref_diff));
}

} // namespace

const CudaBackend kSpeedChromaCuda{&kSpeedChroma, make_chroma};
const CudaBackend kSpeedTemporalCuda{&kSpeedTemporal, make_temporal};

} // namespace vmaf
