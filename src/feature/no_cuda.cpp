// The CUDA backends of a build without CUDA: there are none.

#include "feature/adm/adm_cuda.h"
#include "feature/motion/motion_cuda.h"
#include "feature/psnr/psnr_cuda.h"
#include "feature/ssimulacra2/ssimulacra2_cuda.h"
#include "feature/vif/vif_cuda.h"

namespace vmaf {

CudaExtractorResult make_adm_cuda(const CudaContextPtr &, const PictureFormat &, const AdmParams &, unsigned)
{
    return std::unique_ptr<CudaExtractor>();
}

CudaExtractorResult make_motion_cuda(const CudaContextPtr &, const PictureFormat &, unsigned)
{
    return std::unique_ptr<CudaExtractor>();
}

CudaExtractorResult make_psnr_cuda(const CudaContextPtr &, const PictureFormat &, unsigned, unsigned)
{
    return std::unique_ptr<CudaExtractor>();
}

CudaExtractorResult make_ssimulacra2_cuda(const CudaContextPtr &, const PictureFormat &, const Ssimulacra2Matrix &,
                                          unsigned)
{
    return std::unique_ptr<CudaExtractor>();
}

CudaExtractorResult make_vif_cuda(const CudaContextPtr &, const PictureFormat &, const VifOptions &, unsigned)
{
    return std::unique_ptr<CudaExtractor>();
}

} // namespace vmaf
