#pragma once

#include "common/common.cuh"
#include "common/special_functions.cuh"
#include "feature/common/powers.h"
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

// Products are contracted with sums except in kernels that are exact, which then compute the CPU's
// operations.

/// The light of R'G'B': of sRGB, or what LightParams say.
enum class RgbLight { srgb, tagged };

/// The table's light of a component in [0, 1], or sRGB's.
__device__ __forceinline__ float thread_look_up(const LightParams &light, float v)
{
    if (light.table == nullptr)
        return thread_to_linear(v);
    const float place = v * static_cast<float>(kLightSteps);
    const int i = min(static_cast<int>(place), static_cast<int>(kLightSteps) - 1);
    const float below = __ldg(light.table + i);
    const float found = below + (place - static_cast<float>(i)) * (__ldg(light.table + i + 1) - below);
    return fminf(fmaxf(found, light.least), light.most);
}

/// HLG's system gamma: what scene light of that luminance is multiplied by.
__device__ __forceinline__ float thread_system_factor(const LightParams &light, float luma)
{
    return power_of_light(fmaxf(luma, kLeastHlgLuma), light.system_power);
}

/// spec hdr 1, of R'G'B'.
__device__ __forceinline__ Rgb thread_tagged_light(const LightParams &light, const Rgb &encoded)
{
    Rgb c{thread_look_up(light, __saturatef(encoded.r)), thread_look_up(light, __saturatef(encoded.g)),
          thread_look_up(light, __saturatef(encoded.b))};
    if (light.system_power != 0) {
        constexpr float kR = kHlgLuma[0], kG = kHlgLuma[1], kB = kHlgLuma[2];
        const float factor = thread_system_factor(light, kR * c.r + kG * c.g + kB * c.b);
        c = {c.r * factor, c.g * factor, c.b * factor};
    }
    if (!light.converts)
        return c;
    const auto mixed = [&](int i) {
        const float *const m = light.matrix[i];
        return fminf(fmaxf(m[0] * c.r + m[1] * c.g + m[2] * c.b, 0), light.most);
    };
    return {mixed(0), mixed(1), mixed(2)};
}

/// Tagged light of a pixel whose R' = G' = B'.
__device__ __forceinline__ float thread_tagged_luma(const LightParams &light, float encoded)
{
    float c = thread_look_up(light, __saturatef(encoded));
    if (light.system_power != 0)
        c *= thread_system_factor(light, c);
    return light.converts ? fminf(c * light.scale, light.most) : c;
}

/// spec ssimulacra2 3.1 and 3.2.
template <RgbLight Light>
__device__ __forceinline__ Rgb thread_rgb_of_yuv(const RgbSampling &sampling, float luma, float u, float v)
{
    const YuvMatrix &m = sampling.matrix;
    const float y = (luma - m.luma_zero) * m.luma_scale;
    u -= m.chroma_zero;
    v -= m.chroma_zero;
    if constexpr (Light == RgbLight::tagged)
        return thread_tagged_light(sampling.light,
                                   {y + m.red_v * v, y + m.green_u * u + m.green_v * v, y + m.blue_u * u});
    else
        return {thread_to_linear(fmaf(m.red_v, v, y)), thread_to_linear(fmaf(m.green_v, v, fmaf(m.green_u, u, y))),
                thread_to_linear(fmaf(m.blue_u, u, y))};
}

template <RgbLight Light> __device__ __forceinline__ Rgb thread_rgb_of_luma(const RgbSampling &sampling, float luma)
{
    const YuvMatrix &m = sampling.matrix;
    const float y = (luma - m.luma_zero) * m.luma_scale;
    const float grey = Light == RgbLight::tagged ? thread_tagged_luma(sampling.light, y) : thread_to_linear(y);
    return {grey, grey, grey};
}

template <class Sample>
__device__ __forceinline__ unsigned thread_sample(const CudaPlane &plane, unsigned x, unsigned y)
{
    return __ldg(reinterpret_cast<const Sample *>(plane.data + plane.stride_bytes * y) + x);
}

/// Rows of chroma samples that two pixels have, one below the other, the upper one in an even row.
enum class ChromaRows { none, one, two };

/// Two pixels, one below the other.
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
__device__ __forceinline__ void thread_rgb_of_samples(const RgbSampling &sampling, const TwoPixels &samples,
                                                      Rgb (&rgb)[2])
{
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const float luma = static_cast<float>(samples.luma[i]);
        if constexpr (Chroma == ChromaRows::none)
            rgb[i] = thread_rgb_of_luma<Light>(sampling, luma);
        else
            rgb[i] = thread_rgb_of_yuv<Light>(sampling, luma, static_cast<float>(samples.u[i]),
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
    thread_rgb_of_samples<Chroma, Light>(sampling, samples, rgb);
}

} // namespace vmaf
