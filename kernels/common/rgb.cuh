#pragma once

#include "common/common.cuh"
#include "common/special_functions.cuh"
#include "feature/common/rgb_params.h"

namespace vmaf {

struct Rgb {
    float r, g, b;
};

/// spec ssimulacra2 3.2, after the clamp of 3.1.
__device__ __forceinline__ float thread_to_linear(float v)
{
    const float clamped = __saturatef(v);
    const float curve = thread_exp2(2.4F * thread_log2(fmaf(clamped, 1 / 1.055F, 0.055F / 1.055F)));
    return clamped <= 0.04045F ? clamped * (1 / 12.92F) : curve;
}

/// R'G'B' in [0, 1], or the linear light of it.
enum class RgbLight { encoded, linear };

template <RgbLight Light> __device__ __forceinline__ float thread_in_light(float v)
{
    return Light == RgbLight::linear ? thread_to_linear(v) : __saturatef(v);
}

/// spec ssimulacra2 3.1 and 3.2.
template <RgbLight Light>
__device__ __forceinline__ Rgb thread_rgb_of_yuv(const YuvMatrix &m, float luma, float u, float v)
{
    const float y = (luma - m.luma_zero) * m.luma_scale;
    u -= m.chroma_zero;
    v -= m.chroma_zero;
    return {thread_in_light<Light>(fmaf(m.red_v, v, y)),
            thread_in_light<Light>(fmaf(m.green_v, v, fmaf(m.green_u, u, y))),
            thread_in_light<Light>(fmaf(m.blue_u, u, y))};
}

template <RgbLight Light> __device__ __forceinline__ Rgb thread_rgb_of_luma(const YuvMatrix &m, float luma)
{
    const float grey = thread_in_light<Light>((luma - m.luma_zero) * m.luma_scale);
    return {grey, grey, grey};
}

template <class Sample>
__device__ __forceinline__ unsigned thread_sample(const CudaPlane &plane, unsigned x, unsigned y)
{
    return __ldg(reinterpret_cast<const Sample *>(plane.data + plane.stride_bytes * y) + x);
}

/// Rows of chroma samples that two pixels have, one below the other, the upper one in an even row.
enum class ChromaRows { none, one, two };

/// Of two pixels, one below the other.
struct TwoPixels {
    unsigned luma[2], u[2], v[2];
};

/// Column `x` in two rows of the picture.
template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void thread_load_samples(const RgbSampling &sampling, const CudaPlane (&planes)[3], int x,
                                                    const int (&rows)[2], TwoPixels &samples)
{
#pragma unroll
    for (int i = 0; i < 2; ++i)
        samples.luma[i] = thread_sample<Sample>(planes[0], x, rows[i]);
    if constexpr (Chroma != ChromaRows::none) {
        const int chroma_x = min(x >> sampling.chroma_shift_x, static_cast<int>(sampling.chroma_width_px) - 1);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            if (i == 0 || Chroma == ChromaRows::two) {
                const int chroma_y =
                    min(rows[i] >> sampling.chroma_shift_y, static_cast<int>(sampling.chroma_height_px) - 1);
                samples.u[i] = thread_sample<Sample>(planes[1], chroma_x, chroma_y);
                samples.v[i] = thread_sample<Sample>(planes[2], chroma_x, chroma_y);
            } else {
                samples.u[i] = samples.u[0];
                samples.v[i] = samples.v[0];
            }
        }
    }
}

template <ChromaRows Chroma, RgbLight Light>
__device__ __forceinline__ void thread_rgb_of_samples(const YuvMatrix &matrix, const TwoPixels &samples, Rgb (&rgb)[2])
{
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const float luma = static_cast<float>(samples.luma[i]);
        if constexpr (Chroma == ChromaRows::none)
            rgb[i] = thread_rgb_of_luma<Light>(matrix, luma);
        else
            rgb[i] = thread_rgb_of_yuv<Light>(matrix, luma, static_cast<float>(samples.u[i]),
                                              static_cast<float>(samples.v[i]));
    }
}

/// Column `x` in two rows of the picture.
template <class Sample, ChromaRows Chroma, RgbLight Light>
__device__ __forceinline__ void thread_load_rgb(const RgbSampling &sampling, const CudaPlane (&planes)[3], int x,
                                                const int (&rows)[2], Rgb (&rgb)[2])
{
    TwoPixels samples;
    thread_load_samples<Sample, Chroma>(sampling, planes, x, rows, samples);
    thread_rgb_of_samples<Chroma, Light>(sampling.matrix, samples, rgb);
}

} // namespace vmaf
