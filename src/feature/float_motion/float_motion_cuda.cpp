#include <algorithm>
#include <array>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/common/prescale_upload.h"
#include "feature/cuda_backends.h"
#include "feature/float_motion/float_motion.h"
#include "feature/float_motion/float_motion_cuda_params.h"

extern "C" const unsigned char vmaf_float_motion_fatbin[];

namespace vmaf {
namespace {

constexpr std::size_t kAlignmentBytes = 256;
constexpr unsigned kPitchFloats = 32;
constexpr unsigned long long kPictures = 2; // current, earlier

struct Kernels {
    CUfunction rows, half_rows, sum;
};
using Halvers = std::array<CudaPrescaler, kFloatMotionPlanes>;

class FloatMotionCuda final : public CudaExtractor {
  public:
    FloatMotionCuda(CudaModule module, const Kernels &kernels, Halvers halvers, const FloatMotionMeasures &measures,
                    const CudaRequest &request)
        : module_(std::move(module)), kernels_(kernels), halvers_(std::move(halvers)), measures_(measures),
          max_batch_(request.max_batch)
    {
        const PictureFormat &format = request.format;
        const FloatMotionTaps taps = float_motion_taps(measures.filter_size);
        std::copy(taps.begin(), taps.end(), params_.taps);
        params_.unit = float_unit(format.bpc);
        params_.row_sum_rows = format.height;
        params_.pitch = blocks_for(format.width, kPitchFloats) * kPitchFloats;
        params_.picture_floats = std::uint64_t{params_.pitch} * format.height;
        for (unsigned plane = 0; plane < measures.planes(); ++plane) {
            PictureSize size{format.plane_width(plane), format.plane_height(plane)};
            for (unsigned scale = 0; scale < measures.scales(); ++scale) {
                params_.width_px[plane][scale] = static_cast<int>(size.width_px);
                params_.height_px[plane][scale] = static_cast<int>(size.height_px);
                size = prescaled_size(size, 0.5);
            }
            params_.halver[plane] = halvers_[plane].tables;
        }
    }

    std::size_t scratch_bytes() const override { return row_sums_bytes() + filtered_bytes(); }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        if (measures_.force_zero)
            return {};
        for (unsigned i = 0; i < batch.count; ++i)
            set_frame(batch.frames[i], params_.frames[i]);
        params_.row_sums = reinterpret_cast<float *>(scratch);
        params_.filtered = measures_.half_size ? reinterpret_cast<float *>(scratch + row_sums_bytes()) : nullptr;
        for (params_.plane = 0; params_.plane < measures_.planes(); ++params_.plane)
            VMAF_TRY(submit_plane(stream, batch.count));
        return cuda_launch(*module_.context(), kernels_.sum, {measures_.planes(), measures_.scales(), batch.count},
                           {32}, 0, stream, params_);
    }

  private:
    std::size_t row_sums_bytes() const
    {
        const std::size_t lists = std::size_t{max_batch_} * kFloatMotionPlanes * kFloatMotionScales;
        return round_up(lists * params_.row_sum_rows * sizeof(float), kAlignmentBytes);
    }
    std::size_t filtered_bytes() const
    {
        return measures_.half_size ? params_.picture_floats * kPictures * max_batch_ * sizeof(float) : 0;
    }

    static void set_frame(const CudaFrame &from, FloatMotionFrame &to)
    {
        std::copy_n(from.ref, kFloatMotionPlanes, to.current);
        std::copy_n(from.earlier[0].ref, kFloatMotionPlanes, to.earlier);
        to.sums = static_cast<FloatMotionSums *>(from.sums);
        to.frame_index = from.frame_index;
    }

    Status submit_plane(CUstream stream, unsigned frames)
    {
        const CudaContext &context = *module_.context();
        const auto &heights_px = params_.height_px[params_.plane];
        const auto strips = [&](unsigned scale) {
            return blocks_for(static_cast<unsigned>(heights_px[scale]), kStripRows);
        };
        if (heights_px[0] == 0 || params_.width_px[params_.plane][0] == 0) // chroma of a picture of one row or column
            return {};
        VMAF_TRY(cuda_launch(context, kernels_.rows, {strips(0), 1, frames}, {kStripThreads}, 0, stream, params_));
        if (!measures_.half_size)
            return {};
        return cuda_launch(context, kernels_.half_rows, {strips(1), 1, frames}, {kStripThreads}, 0, stream, params_);
    }

    CudaModule module_;
    Kernels kernels_;
    Halvers halvers_;
    FloatMotionMeasures measures_;
    unsigned max_batch_;
    FloatMotionKernelParams params_{};
};

Result<Halvers> make_halvers(const CudaRequest &request, const FloatMotionMeasures &measures)
{
    Halvers halvers;
    for (unsigned plane = 0; measures.half_size && plane < measures.planes(); ++plane) {
        const PictureSize size{request.format.plane_width(plane), request.format.plane_height(plane)};
        if (size.pixels() == 0)
            continue;
        VMAF_TRY_ASSIGN(halvers[plane], make_cuda_prescaler(request.context, PrescaleMethod::bilinear, size,
                                                            prescaled_size(size, 0.5)));
    }
    return halvers;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const FloatMotionMeasures measures = float_motion_measures(request.options);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_motion_fatbin));
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.rows, cuda_function(module, request.format.bpc == 8 ? "vmaf_float_motion_rows_8bit"
                                                                                : "vmaf_float_motion_rows_16bit"));
    VMAF_TRY_ASSIGN(kernels.half_rows, cuda_function(module, "vmaf_float_motion_half_rows"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_float_motion_sum"));
    VMAF_TRY_ASSIGN(Halvers halvers, make_halvers(request, measures));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<FloatMotionCuda>(std::move(module), kernels, std::move(halvers), measures, request));
}

} // namespace

const CudaBackend kFloatMotionCuda{&kFloatMotion, make};

} // namespace vmaf
