#include "feature/cuda_backends.h"

#include <array>

#include "feature/adm/adm_cuda.h"
#include "feature/butteraugli/butteraugli_cuda.h"
#include "feature/cambi/cambi_cuda.h"
#include "feature/ciede/ciede_cuda.h"
#include "feature/cvvdp/cvvdp_cuda.h"
#include "feature/float_adm/float_adm_cuda.h"
#include "feature/float_ansnr/float_ansnr_cuda.h"
#include "feature/float_moment/float_moment_cuda.h"
#include "feature/float_motion/float_motion_cuda.h"
#include "feature/float_psnr/float_psnr_cuda.h"
#include "feature/float_vif/float_vif_cuda.h"
#include "feature/motion/motion_cuda.h"
#include "feature/psnr/psnr_cuda.h"
#include "feature/psnr_hvs/psnr_hvs_cuda.h"
#include "feature/speed/speed_cuda.h"
#include "feature/ssim/ssim_cuda.h"
#include "feature/ssimulacra2/ssimulacra2_cuda.h"
#include "feature/vif/vif_cuda.h"
#include "feature/xpsnr/xpsnr_cuda.h"

namespace vmaf {

namespace {

constexpr std::array kBackends{
    &kAdmCuda,         &kButteraugliCuda, &kCambiCuda,       &kCiedeCuda,       &kCvvdpCuda,       &kFloatAdmCuda,
    &kFloatAnsnrCuda,  &kFloatMomentCuda, &kFloatMotionCuda, &kFloatMsSsimCuda, &kFloatPsnrCuda,   &kFloatSsimCuda,
    &kFloatVifCuda,    &kMotionCuda,      &kPsnrCuda,        &kPsnrHvsCuda,     &kSpeedChromaCuda, &kSpeedTemporalCuda,
    &kSsimulacra2Cuda, &kVifCuda,         &kXpsnrCuda};

} // namespace

std::span<const CudaBackend *const> cuda_backends()
{
    return kBackends;
}

const CudaBackend *find_cuda_backend(const FeatureSpec &spec)
{
    for (const CudaBackend *backend : kBackends)
        if (backend->spec == &spec)
            return backend;
    return nullptr;
}

} // namespace vmaf
