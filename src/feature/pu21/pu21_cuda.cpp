#include <string>

#include "base/round_up.h"
#include "feature/common/light_cuda.h"
#include "feature/common/rgb_rows.h"
#include "feature/cuda_backends.h"
#include "feature/pu21/pu21.h"
#include "feature/pu21/pu21_cuda_params.h"
#include "feature/ssim/ssim_cuda.h"

extern "C" const unsigned char vmaf_pu21_fatbin[];

namespace vmaf {
namespace {

/// What both backends have.
struct Pu21Device {
    CudaModule module;
    CudaLight light; ///< whose tables the kernels read
    Pu21Source source;

    CudaDim blocks() const
    {
        return {blocks_for(source.width_px, kPu21Columns), blocks_for(source.height_px, kPu21Rows)};
    }
};

Result<Pu21Device> make_device(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    const Pu21Options options(request.options);
    Pu21Device device{};
    VMAF_TRY_ASSIGN(device.module, make_cuda_module(request.context, vmaf_pu21_fatbin));
    VMAF_TRY_ASSIGN(device.light, make_cuda_light(request.context, Light(options.signal), &pu21_curve()));
    device.source = {rgb_sampling(format, yuv_matrix(options.yuv_matrix, format.bpc)), options.light,
                     device.light.curve, format.width, format.height};
    device.source.sampling.light = device.light.params;
    return device;
}

Result<CUfunction> find_kernel(const Pu21Device &device, const PictureFormat &format, const char *what)
{
    std::string name = std::string("vmaf_pu21_") + what;
    name += format.plane_count() == 1 ? "_grey" : "";
    name += format.bpc == 8 ? "_8bit" : "_16bit";
    return cuda_function(device.module, name.c_str());
}

class Pu21PsnrCuda final : public CudaExtractor {
  public:
    Pu21PsnrCuda(Pu21Device device, CUfunction differences, CUfunction sum, unsigned max_batch)
        : device_(std::move(device)), differences_(differences), sum_(sum), max_batch_(max_batch), params_{}
    {
        params_.source = device_.source;
        params_.blocks_across = device_.blocks().x;
        params_.block_count = device_.blocks().x * device_.blocks().y;
    }

    std::size_t scratch_bytes() const override { return sizeof(Pu21PsnrSums) * params_.block_count * max_batch_; }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.batch = pairs_of(batch);
        params_.slots = reinterpret_cast<Pu21PsnrSums *>(scratch);
        const CudaContext &context = *device_.module.context();
        const CudaDim blocks = device_.blocks();
        VMAF_TRY(
            cuda_launch(context, differences_, {blocks.x, blocks.y, batch.count}, {kPu21Columns}, 0, stream, params_));
        return cuda_launch(context, sum_, {1, 1, batch.count}, {kPu21SumThreads}, 0, stream, params_);
    }

  private:
    Pu21Device device_;
    CUfunction differences_, sum_;
    unsigned max_batch_;
    Pu21PsnrKernelParams params_;
};

class Pu21ImageMaker final : public SsimImageMaker {
  public:
    Pu21ImageMaker(Pu21Device device, CUfunction image) : device_(std::move(device)), image_(image) {}

    Status make_images(CUstream stream, const SsimKernelParams &params) override
    {
        const SsimLevel &level = params.levels[1];
        const Pu21ImageKernelParams image{params.batch, device_.source, params.planes + level.offset,
                                          params.frame_floats, level.pitch};
        const CudaDim blocks = device_.blocks();
        return cuda_launch(*device_.module.context(), image_, {blocks.x, blocks.y, 2 * params.batch.count},
                           {kPu21Columns}, 0, stream, image);
    }

  private:
    Pu21Device device_;
    CUfunction image_;
};

CudaExtractorResult make_psnr(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(Pu21Device device, make_device(request));
    VMAF_TRY_ASSIGN(CUfunction differences, find_kernel(device, request.format, "differences"));
    VMAF_TRY_ASSIGN(CUfunction sum, cuda_function(device.module, "vmaf_pu21_sum"));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<Pu21PsnrCuda>(std::move(device), differences, sum, request.max_batch));
}

CudaExtractorResult make_ssim(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(Pu21Device device, make_device(request));
    VMAF_TRY_ASSIGN(CUfunction image, find_kernel(device, request.format, "image"));
    return make_ssim_of_images(request, std::make_unique<Pu21ImageMaker>(std::move(device), image));
}

} // namespace

const CudaBackend kPu21PsnrCuda{&kPu21Psnr, make_psnr};
const CudaBackend kPu21SsimCuda{&kPu21Ssim, make_ssim};

} // namespace vmaf
