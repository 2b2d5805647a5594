#include "cuda/computing_kernels.h"

#include <cstddef>
#include <memory>

#include "feature/adm/adm.h"
#include "feature/adm/adm_cuda_params.h"
#include "feature/motion/motion.h"
#include "feature/motion/motion_cuda_params.h"
#include "feature/psnr/psnr.h"
#include "feature/psnr/psnr_cuda_params.h"
#include "feature/vif/vif.h"
#include "feature/vif/vif_cuda_params.h"

namespace vmaf::test {
namespace {

/// What makes the feature's sums on the CPU, and the format of the samples as far as the arguments tell it.
struct Backend {
    std::unique_ptr<CpuExtractor> extractor;
    unsigned bpc;
    PsnrPlaneSize planes[3];
};

Backend backend_for(const PsnrKernelParams &params, unsigned bpc)
{
    unsigned plane_count = 0;
    while (plane_count < 3 && params.planes[plane_count].height_px > 0)
        ++plane_count;
    Backend backend{make_psnr_cpu(plane_count, cpu_target(0)), bpc, {}};
    for (unsigned plane = 0; plane < plane_count; ++plane)
        backend.planes[plane] = params.planes[plane];
    return backend;
}

PictureFormat luma_format(unsigned bpc, int width_px, int height_px)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, static_cast<unsigned>(width_px), static_cast<unsigned>(height_px)};
}

Backend backend_for(const VifCudaParams &params, unsigned)
{
    const PsnrPlaneSize luma{static_cast<int>(params.levels[0].width_px), static_cast<int>(params.levels[0].height_px)};
    return {make_vif_cpu({params.gain_limit, !params.score_scale0},
                         luma_format(params.bpc, luma.width_px, luma.height_px), cpu_target(0)),
            params.bpc,
            {luma}};
}

Backend backend_for(const AdmKernelParams &params, unsigned)
{
    return {make_adm_cpu(params.adm, cpu_target(0)),
            params.adm.bpc,
            {{static_cast<int>(params.width_px), static_cast<int>(params.height_px)}}};
}

PlaneView host_view(const CudaPlane &plane, const PsnrPlaneSize &size, unsigned bpc)
{
    if (plane.data == nullptr)
        return {};
    return {reinterpret_cast<const std::byte *>(plane.data), static_cast<std::ptrdiff_t>(plane.stride_bytes),
            static_cast<unsigned>(size.width_px), static_cast<unsigned>(size.height_px), bpc};
}

/// The kernel that is the last, or the only one, to write the feature's sums. `user` points to the bits per sample where the arguments do
/// not tell them.
template <class Params> void compute(const VmafDoubleLaunch *launch, void *user)
{
    const Params &params = *static_cast<const Params *>(launch->params[0]);
    const Backend backend = backend_for(params, user != nullptr ? *static_cast<const unsigned *>(user) : 0);
    for (unsigned i = 0; i < params.batch.count; ++i) {
        const CudaPairFrame &frame = params.batch.frames[i];
        FramePlanes planes{};
        for (unsigned plane = 0; plane < 3; ++plane) {
            planes.ref[plane] = host_view(frame.ref[plane], backend.planes[plane], backend.bpc);
            planes.dis[plane] = host_view(frame.dis[plane], backend.planes[plane], backend.bpc);
        }
        static_cast<void>(backend.extractor->extract(planes, frame.sums).code());
    }
}

void compute_motion(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = *static_cast<const MotionKernelParams *>(launch->params[0]);
    const auto bpc = static_cast<unsigned>(params.bpc);
    const PsnrPlaneSize luma{params.width_px, params.height_px};
    constexpr unsigned kDistance = 1; // to whichever picture it is that the kernel was given
    const std::unique_ptr<CpuExtractor> extractor =
        make_motion_cpu(luma_format(bpc, luma.width_px, luma.height_px), kDistance, cpu_target(0));
    for (unsigned i = 0; i < launch->grid[2]; ++i) {
        const MotionFrame &frame = params.frames[i];
        if (frame.earlier.data == nullptr)
            continue;
        FramePlanes planes{};
        planes.frame_index = kDistance;
        planes.ref[0] = host_view(frame.current, luma, bpc);
        planes.earlier[kDistance - 1].ref[0] = host_view(frame.earlier, luma, bpc);
        static_cast<void>(extractor->extract(planes, frame.sums).code());
    }
}

template <class Params>
void let_compute(const VmafDoubleControl &driver, const char *kernel, const unsigned *bpc,
                 VmafDoubleKernel *run = compute<Params>)
{
    const std::size_t bytes = sizeof(Params);
    driver.on_kernel(kernel, &bytes, 1, run, const_cast<unsigned *>(bpc));
}

} // namespace

void let_kernels_compute(const VmafDoubleControl &driver)
{
    static constexpr unsigned kBytes = 8, kWords = 16; // errors are squared alike in all of 9 to 16 bits
    let_compute<PsnrKernelParams>(driver, "vmaf_psnr_sse_8bit", &kBytes);
    let_compute<PsnrKernelParams>(driver, "vmaf_psnr_sse_16bit", &kWords);
    let_compute<MotionKernelParams>(driver, "vmaf_motion_sad_8bit", nullptr, compute_motion);
    let_compute<MotionKernelParams>(driver, "vmaf_motion_sad_16bit", nullptr, compute_motion);
    let_compute<VifCudaParams>(driver, "vmaf_vif_scale3", nullptr);
    let_compute<VifCudaParams>(driver, "vmaf_vif_scale3_thin", nullptr);
    let_compute<AdmKernelParams>(driver, "vmaf_adm_finish", nullptr);
}

} // namespace vmaf::test
