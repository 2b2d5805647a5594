#pragma once

namespace vmaf {

// The special function unit: 2^x, log2, reciprocal and square root, to about 22 bits as floats.

__device__ __forceinline__ float thread_exp2(float x)
{
#ifdef VMAF_EMULATED_KERNELS
    return exp2f(x);
#else
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
#endif
}

__device__ __forceinline__ float thread_log2(float x)
{
#ifdef VMAF_EMULATED_KERNELS
    return log2f(x);
#else
    float result;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
#endif
}

__device__ __forceinline__ float thread_reciprocal(float x)
{
#ifdef VMAF_EMULATED_KERNELS
    return 1 / x;
#else
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
#endif
}

__device__ __forceinline__ float thread_square_root(float x)
{
#ifdef VMAF_EMULATED_KERNELS
    return sqrtf(x);
#else
    float result;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
#endif
}

/// To about 20 bits.
__device__ __forceinline__ double thread_reciprocal(double x)
{
#ifdef VMAF_EMULATED_KERNELS
    return __hiloint2double(__double2hiint(1 / x), 0);
#else
    double result;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x));
    return result;
#endif
}

} // namespace vmaf
