#include "cuda/known_sums.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "feature/adm/adm_cuda_params.h"
#include "feature/motion/motion_cuda_params.h"
#include "feature/motion/motion_params.h"
#include "feature/psnr/psnr_cuda_params.h"
#include "feature/psnr/psnr_params.h"
#include "feature/ssimulacra2/ssimulacra2_cuda_params.h"
#include "feature/vif/vif_cuda_params.h"

namespace vmaf::test {
namespace {

/// Numbers that are all different enough to survive single precision.
constexpr std::uint64_t kTokens = 4093;
using Token = std::uint64_t;

Token mixed(Token token, Token with)
{
    return (token * 61 + with + 1) % kTokens;
}

struct PlaneBytes {
    std::size_t width, height;
};

// Of the first and the last row.
Token token_of(const CudaPlane &plane, PlaneBytes size)
{
    Token token = 0;
    for (const std::size_t y : {std::size_t{0}, size.height - 1})
        for (std::size_t x = 0; plane.data != nullptr && x < size.width; ++x)
            token = mixed(token, plane.data[static_cast<std::size_t>(plane.stride_bytes) * y + x]);
    return token;
}

PlaneBytes luma_bytes(unsigned width_px, unsigned height_px, unsigned bpc)
{
    return {std::size_t{width_px} * (bpc > 8 ? 2 : 1), height_px};
}

Token token_of(const CudaPairFrame &frame, PlaneBytes luma)
{
    return mixed(token_of(frame.ref[0], luma), token_of(frame.dis[0], luma));
}

template <class Params> const Params &params_of(const VmafDoubleLaunch *launch)
{
    return *static_cast<const Params *>(launch->params[0]);
}

template <class Sums, class Params, class Add> void for_each_frame(const VmafDoubleLaunch *launch, Add &&add)
{
    const auto &params = params_of<Params>(launch);
    for (unsigned i = 0; i < params.batch.count; ++i)
        add(params, i, *static_cast<Sums *>(params.batch.frames[i].sums));
}

template <class Sample>
std::uint64_t squared_errors(const CudaPlane &ref, const CudaPlane &dis, const PsnrPlaneSize &size)
{
    std::uint64_t sse = 0;
    for (int y = 0; y < size.height_px; ++y) {
        const auto *a = reinterpret_cast<const Sample *>(ref.data + y * ref.stride_bytes);
        const auto *b = reinterpret_cast<const Sample *>(dis.data + y * dis.stride_bytes);
        for (int x = 0; x < size.width_px; ++x) {
            const std::int64_t error = std::int64_t{a[x]} - b[x];
            sse += static_cast<std::uint64_t>(error * error);
        }
    }
    return sse;
}

template <class Sample> void psnr(const VmafDoubleLaunch *launch, void *)
{
    for_each_frame<PsnrSums, PsnrKernelParams>(launch, [](const PsnrKernelParams &params, unsigned i, PsnrSums &sums) {
        const CudaPairFrame &frame = params.batch.frames[i];
        for (unsigned plane = 0; plane < 3; ++plane)
            if (params.planes[plane].height_px > 0)
                sums.sse[plane] += squared_errors<Sample>(frame.ref[plane], frame.dis[plane], params.planes[plane]);
    });
}

void motion(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = params_of<MotionKernelParams>(launch);
    const PlaneBytes luma = luma_bytes(static_cast<unsigned>(params.width_px), static_cast<unsigned>(params.height_px),
                                       static_cast<unsigned>(params.bpc));
    for (unsigned i = 0; i < launch->grid[2]; ++i) {
        const MotionFrame &frame = params.frames[i];
        if (frame.earlier.data != nullptr)
            frame.sums->sad += (1 + mixed(token_of(frame.current, luma), token_of(frame.earlier, luma))) << 12;
    }
}

// Each scale leaves its token where the next one finds its picture.
template <unsigned kScale> void vif(const VmafDoubleLaunch *launch, void *)
{
    for_each_frame<VifSums, VifCudaParams>(launch, [](const VifCudaParams &params, unsigned i, VifSums &sums) {
        unsigned char *pyramid = params.pyramid + i * params.pyramid_frame_bytes;
        std::uint16_t token = 0;
        if (kScale == 0)
            token = static_cast<std::uint16_t>(token_of(
                params.batch.frames[i], luma_bytes(params.levels[0].width_px, params.levels[0].height_px, params.bpc)));
        else
            std::memcpy(&token, pyramid + params.levels[kScale].offset_bytes[0], sizeof(token));
        sums.scale[kScale].log_num += static_cast<std::int64_t>(mixed(token, kScale)) << 20;
        sums.scale[kScale].log_den += static_cast<std::int64_t>(kTokens) << 20;
        if (kScale + 1 < kVifScales)
            std::memcpy(pyramid + params.levels[(kScale + 1) % kVifScales].offset_bytes[0], &token, sizeof(token));
    });
}

unsigned long long *adm_row(const AdmKernelParams &params, unsigned frame, unsigned scale)
{
    return params.row_sums + std::size_t{kAdmRowSums} * (frame * params.row_count + params.first_row[scale]);
}

// Each scale adds to the sums of its first row; the next one takes up its picture.
template <unsigned kScale> void adm_scale(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = params_of<AdmKernelParams>(launch);
    for (unsigned i = 0; i < params.batch.count; ++i) {
        std::uint16_t token = 0;
        if (kScale == 0)
            token = static_cast<std::uint16_t>(
                token_of(params.batch.frames[i], luma_bytes(params.width_px, params.height_px, params.adm.bpc)));
        else {
            const AdmLowBand &band = params.low_band[(kScale + kAdmScales - 1) % kAdmScales];
            std::memcpy(&token, band.data + 2 * i * band.plane_bytes, sizeof(token));
        }
        unsigned long long *row = adm_row(params, i, kScale);
        for (unsigned sum = 0; sum < kAdmRowSums; ++sum)
            row[sum] += (1 + mixed(token, sum)) << 24;
        if (kScale + 1 < kAdmScales) {
            const AdmLowBand &band = params.low_band[kScale % (kAdmScales - 1)];
            std::memcpy(band.data + 2 * i * band.plane_bytes, &token, sizeof(token));
        }
    }
}

void adm_finish(const VmafDoubleLaunch *launch, void *)
{
    for_each_frame<AdmSums, AdmKernelParams>(launch, [](const AdmKernelParams &params, unsigned i, AdmSums &sums) {
        for (unsigned scale = 0; scale < kAdmScales; ++scale) {
            const unsigned long long *row = adm_row(params, i, scale);
            for (unsigned band = 0; band < kAdmBands; ++band) {
                sums.num[scale][band] += static_cast<std::int64_t>(row[band]);
                sums.aim[scale][band] += static_cast<std::int64_t>(row[kAdmBands + band]);
                sums.den[scale][band] += row[2 * kAdmBands + band];
            }
        }
    });
}

void fill_slot(Ssimulacra2Slot &slot, Token token)
{
    for (auto &plane : slot.sums)
        for (auto &norm : plane)
            for (double &sum : norm) {
                token = mixed(token, 1);
                sum = static_cast<double>(token) / 4;
            }
}

Ssimulacra2Slot &first_slot(const Ssimulacra2KernelParams &params, unsigned frame, unsigned scale)
{
    return params.slots[std::size_t{frame} * params.strip_count + params.levels[scale].first_strip];
}

void ssimulacra2_scale0(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = params_of<Ssimulacra2KernelParams>(launch);
    for (unsigned i = 0; i < params.batch.count; ++i) {
        const CudaPairFrame &frame = params.batch.frames[i];
        // The kernels have the samples' size in their names, and this has not: 8 bits' worth of each row will do.
        Token token = token_of(frame, {params.levels[0].width_px, params.levels[0].height_px});
        for (unsigned plane = 1; plane < 3 && !params.grey; ++plane)
            for (const CudaPlane *chroma : {&frame.ref[plane], &frame.dis[plane]})
                token = mixed(token, token_of(*chroma, {params.chroma_width_px, params.chroma_height_px}));
        fill_slot(first_slot(params, i, 0), token);
        params.pyramid[i * params.pyramid_frame_floats + params.levels[1].offset] = static_cast<float>(token);
    }
}

void ssimulacra2_halve(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = params_of<Ssimulacra2KernelParams>(launch);
    for (unsigned i = 0; i < params.batch.count; ++i) {
        float *pyramid = params.pyramid + i * params.pyramid_frame_floats;
        for (unsigned scale = 2; scale < params.scale_count; ++scale)
            pyramid[params.levels[scale].offset] = pyramid[params.levels[1].offset];
    }
}

void ssimulacra2_scales(const VmafDoubleLaunch *launch, void *)
{
    const auto &params = params_of<Ssimulacra2KernelParams>(launch);
    for (unsigned i = 0; i < params.batch.count; ++i)
        for (unsigned scale = 1; scale < params.scale_count; ++scale) {
            const float token = params.pyramid[i * params.pyramid_frame_floats + params.levels[scale].offset];
            fill_slot(first_slot(params, i, scale), static_cast<Token>(token) + scale);
        }
}

void ssimulacra2_sum(const VmafDoubleLaunch *launch, void *)
{
    for_each_frame<Ssimulacra2Sums, Ssimulacra2KernelParams>(
        launch, [](const Ssimulacra2KernelParams &params, unsigned i, Ssimulacra2Sums &sums) {
            for (unsigned plane = 0; plane < kSsimulacra2Planes; ++plane)
                for (unsigned scale = 0; scale < params.scale_count; ++scale)
                    for (unsigned norm = 0; norm < kSsimulacra2Norms; ++norm)
                        for (unsigned map = 0; map < kSsimulacra2Maps; ++map)
                            sums.sums[plane][scale][norm][map] += first_slot(params, i, scale).sums[plane][norm][map];
        });
}

struct Kernel {
    const char *name;
    std::size_t param_bytes;
    VmafDoubleKernel *run;
};

constexpr Kernel kKernels[] = {
    {"vmaf_psnr_sse_8bit", sizeof(PsnrKernelParams), psnr<std::uint8_t>},
    {"vmaf_psnr_sse_16bit", sizeof(PsnrKernelParams), psnr<std::uint16_t>},
    {"vmaf_motion_sad_8bit", sizeof(MotionKernelParams), motion},
    {"vmaf_motion_sad_16bit", sizeof(MotionKernelParams), motion},
    {"vmaf_vif_scale0_8bit", sizeof(VifCudaParams), vif<0>},
    {"vmaf_vif_scale0_16bit", sizeof(VifCudaParams), vif<0>},
    {"vmaf_vif_scale0_8bit_tensor", sizeof(VifCudaParams), vif<0>},
    {"vmaf_vif_scale0_12bit_tensor", sizeof(VifCudaParams), vif<0>},
    {"vmaf_vif_scale1", sizeof(VifCudaParams), vif<1>},
    {"vmaf_vif_scale2", sizeof(VifCudaParams), vif<2>},
    {"vmaf_vif_scale3", sizeof(VifCudaParams), vif<3>},
    {"vmaf_vif_scale3_thin", sizeof(VifCudaParams), vif<3>},
    {"vmaf_adm_scale0_8bit", sizeof(AdmKernelParams), adm_scale<0>},
    {"vmaf_adm_scale0_16bit", sizeof(AdmKernelParams), adm_scale<0>},
    {"vmaf_adm_scale1", sizeof(AdmKernelParams), adm_scale<1>},
    {"vmaf_adm_scale2", sizeof(AdmKernelParams), adm_scale<2>},
    {"vmaf_adm_scale3", sizeof(AdmKernelParams), adm_scale<3>},
    {"vmaf_adm_finish", sizeof(AdmKernelParams), adm_finish},
    {"vmaf_ssimulacra2_scale0_8bit", sizeof(Ssimulacra2KernelParams), ssimulacra2_scale0},
    {"vmaf_ssimulacra2_scale0_16bit", sizeof(Ssimulacra2KernelParams), ssimulacra2_scale0},
    {"vmaf_ssimulacra2_scale0_all_maps_8bit", sizeof(Ssimulacra2KernelParams), ssimulacra2_scale0},
    {"vmaf_ssimulacra2_scale0_all_maps_16bit", sizeof(Ssimulacra2KernelParams), ssimulacra2_scale0},
    {"vmaf_ssimulacra2_halve", sizeof(Ssimulacra2KernelParams), ssimulacra2_halve},
    {"vmaf_ssimulacra2_scales", sizeof(Ssimulacra2KernelParams), ssimulacra2_scales},
    {"vmaf_ssimulacra2_sum", sizeof(Ssimulacra2KernelParams), ssimulacra2_sum},
};

} // namespace

bool install_known_sums(const VmafDoubleControl &driver)
{
    for (const Kernel &kernel : kKernels)
        if (driver.on_kernel(kernel.name, &kernel.param_bytes, 1, kernel.run, nullptr) != 0)
            return false;
    return true;
}

} // namespace vmaf::test
