#include "common/common.cuh"
#include "feature/ciede/ciede_cuda_params.h"

// spec ciede 3 on batches of frames: the differences of all pixels, a sum a block; then the sum of
// those, in a fixed order.
//
// What the definition subtracts from each other soon after it was rounded to binary32 is rounded as
// there: L, a, b, C, a', C', the hues. Their errors before are some units of binary64's last place,
// so one in some 10^6 is another binary32 number. What follows from the differences is computed in
// binary32: no error grows there, and their signs vary from pixel to pixel.
//
// Operations a pixel that differs: 270 of binary64, 300 of binary32, 150 of integers, 60 of the
// special function unit (seeds of powers, roots and quotients, conversions): 33 us of binary64 a
// frame at 1080p, 50 us to issue everything. Bytes do not count.

namespace vmaf {
inline namespace ciede_kernels {

// Numbers in pairs of binary32: the exact sum of both.

struct FloatPair {
    float high, low;
};

__device__ __forceinline__ FloatPair thread_sum(float a, float b)
{
    const float sum = a + b, from_b = sum - a;
    return {sum, (a - (sum - from_b)) + (b - from_b)};
}

__device__ __forceinline__ FloatPair thread_square(float a)
{
    const float square = a * a;
    return {square, fmaf(a, a, -square)};
}

/// sqrt(a^2 + b^2).
__device__ __forceinline__ float thread_length(float a, float b)
{
    const FloatPair a2 = thread_square(a), b2 = thread_square(b), sum = thread_sum(a2.high, b2.high);
    if (sum.high == 0)
        return 0;
    const float inverse = rsqrtf(sum.high), root = sum.high * inverse;
    const float rest = fmaf(-root, root, sum.high) + (sum.low + (a2.low + b2.low));
    return fmaf(0.5F * inverse, rest, root);
}

/// factor * (a - b).
__device__ __forceinline__ float thread_scaled_difference(float factor, float a, float b)
{
    const FloatPair difference = thread_sum(a, -b);
    return fmaf(factor, difference.high, factor * difference.low);
}

// Conversions of normal numbers that are positive and in the range of binary32: the special
// function unit has enough to do.

__device__ __forceinline__ double thread_widened(float x)
{
    const unsigned bits = __float_as_uint(x);
    return __hiloint2double(static_cast<int>((bits >> 3) + 0x38000000U), static_cast<int>(bits << 29));
}

/// To 20 bits.
__device__ __forceinline__ float thread_shortened(double x)
{
    return __uint_as_float((static_cast<unsigned>(__double2hiint(x)) - 0x38000000U) << 3);
}

/// n - zero, exactly. @param shifted_zero 2^52 + zero
__device__ __forceinline__ double thread_less(int n, double shifted_zero)
{
    return __hiloint2double(0x43300000, n) - shifted_zero;
}

// Functions in binary64: a seed of 20 bits from the special function unit, then a step of the
// binomial series.

/// x^2.4 = (x x^(-1/5))^3.
__device__ __forceinline__ double thread_power_2_4(double x)
{
    const double r = thread_widened(__powf(thread_shortened(x), -1.0F / 5));
    const double r2 = r * r, xr = x * r;
    const double h = fma(-xr, r2 * r2, 1.0); // 1 - x r^5
    const double power_4_5 = xr * fma(h, fma(h, 3.0 / 25, 1.0 / 5), 1.0);
    return power_4_5 * power_4_5 * power_4_5;
}

__device__ __forceinline__ double thread_cube_root(double x)
{
    const double r = thread_widened(__powf(thread_shortened(x), -1.0F / 3));
    const double h = fma(-x * r, r * r, 1.0); // 1 - x r^3
    const double inverse = r * fma(h, fma(h, 2.0 / 9, 1.0 / 3), 1.0);
    return x * (inverse * inverse);
}

/// sqrt(a / b), a and b positive; 0 where a b is below 10^-30. a b is at most 10^37.
__device__ __forceinline__ double thread_root_of_quotient(double a, double b)
{
    const double product = fmax(a * b, 1e-30);
    const double r = thread_widened(rsqrtf(thread_shortened(product)));
    const double h = fma(-product * r, r, 1.0);
    return a * fma(r * h, fma(h, 3.0 / 8, 1.0 / 2), r);
}

/// a / b for b > 0. @param near_b b rounded somehow
__device__ __forceinline__ double thread_quotient(double a, double b, float near_b)
{
    const double r = thread_widened(__fdividef(1.0F, near_b));
    const double h = fma(-b, r, 1.0);
    return a * fma(r, fma(h, h, h), r);
}

/// For |z| <= tan(pi/8): z (1 + w Q(w)) with w = z^2 and Q interpolating at Chebyshev nodes.
__device__ __forceinline__ double thread_arc_tangent(double z)
{
    const double w = z * z;
    double q = -0.019176885636589053;
    q = fma(w, q, 0.039231657085083686);
    q = fma(w, q, -0.050854496960392584);
    q = fma(w, q, 0.05858148904795124);
    q = fma(w, q, -0.0666451144646022);
    q = fma(w, q, 0.07692183190760651);
    q = fma(w, q, -0.09090904578121085);
    q = fma(w, q, 0.11111111015256292);
    q = fma(w, q, -0.14285714284666542);
    q = fma(w, q, 0.1999999999999552);
    q = fma(w, q, -0.3333333333333333);
    return fma(z, w * q, z);
}

constexpr double kPi = kCiedePi;
constexpr float kTwoPiHigh = 6.28318548F; ///< 2 pi in two parts
constexpr float kTwoPiLow = static_cast<float>(2 * kPi - static_cast<double>(kTwoPiHigh));
/// The largest binary32 number that is not above pi in binary64.
constexpr float kPiBelow = 3.14159250F;
static_assert(static_cast<double>(kPiBelow) < kPi && static_cast<double>(3.14159274F) > kPi, "");

/// angle + 2 pi or angle - 2 pi, rounded once.
__device__ __forceinline__ float thread_turned(float angle, bool up)
{
    const FloatPair sum = thread_sum(angle, up ? kTwoPiHigh : -kTwoPiHigh);
    return sum.high + (sum.low + (up ? kTwoPiLow : -kTwoPiLow));
}

/// spec ciede 3.3: hue(y, x).
__device__ __forceinline__ float thread_hue(float y, float x)
{
    const float ay = fabsf(y), ax = fabsf(x);
    const float smaller = fminf(ay, ax), larger = fmaxf(ay, ax);
    if (larger == 0)
        return 0;
    const bool upper = smaller > 0.414213562F * larger;
    const double s = smaller, l = larger;
    const double dividend = upper ? s - l : s, divisor = upper ? l + s : l;
    const double z = thread_quotient(dividend, divisor, upper ? larger + smaller : larger);
    const double eighth = thread_arc_tangent(z) + (upper ? kPi / 4 : 0.0);
    const double quarter = ay > ax ? kPi / 2 - eighth : eighth;
    const float angle = static_cast<float>(x < 0 ? kPi - quarter : quarter);
    return y < 0 ? thread_turned(-angle, true) : angle;
}

// Functions in binary32.

/// 1 + factor x. The factor's own rounding would shift all pixels' differences alike.
__device__ __forceinline__ float thread_one_and(double factor, float x)
{
    const auto high = static_cast<float>(factor), low = static_cast<float>(factor - static_cast<double>(high));
    return fmaf(high, x, fmaf(low, x, 1));
}

/// For |x| up to 2.
__device__ __forceinline__ float thread_sine(float x)
{
    const float w = x * x;
    float s = fmaf(w, -1.0F / 39916800, 1.0F / 362880);
    s = fmaf(w, s, -1.0F / 5040);
    s = fmaf(w, s, 1.0F / 120);
    s = fmaf(w, s, -1.0F / 6);
    return fmaf(x * w, s, x);
}

struct Direction {
    float cosine, sine;
};

/// For 0 <= x <= 7.
__device__ __forceinline__ Direction thread_direction(float x)
{
    constexpr double kHalfPi = kPi / 2;
    constexpr float kHigh = static_cast<float>(kHalfPi),
                    kLow = static_cast<float>(kHalfPi - static_cast<double>(kHigh));
    const float quarters = rintf(x * static_cast<float>(1 / kHalfPi));
    const float r = fmaf(-quarters, kLow, fmaf(-quarters, kHigh, x)), w = r * r;
    float s = fmaf(w, 1.0F / 362880, -1.0F / 5040);
    s = fmaf(w, s, 1.0F / 120);
    s = fmaf(w, s, -1.0F / 6);
    s = fmaf(r * w, s, r);
    float c = fmaf(w, 1.0F / 40320, -1.0F / 720);
    c = fmaf(w, c, 1.0F / 24);
    c = fmaf(w, c, -0.5F);
    c = fmaf(w, c, 1.0F);
    const int quadrant = static_cast<int>(quarters);
    const bool odd = (quadrant & 1) != 0;
    const float cosine = odd ? s : c, sine = odd ? c : s;
    return {((quadrant + 1) & 2) != 0 ? -cosine : cosine, (quadrant & 2) != 0 ? -sine : sine};
}

struct Lab {
    float l, a, b;
};

/// Samples of a pixel, Y, U, V.
struct Pixel {
    int y, u, v;

    __device__ __forceinline__ bool operator==(const Pixel &other) const
    {
        return y == other.y && u == other.u && v == other.v;
    }
};

__device__ __forceinline__ double thread_linear(double c)
{
    const double curved = thread_power_2_4(fmax(fma(c, 1 / 1.055, 0.055 / 1.055), 0.05));
    return c > kCiedeLinearLimit ? curved : c * (1 / 12.92);
}

__device__ __forceinline__ float thread_lab(double t)
{
    const double root = thread_cube_root(fmax(t, 0.008));
    return static_cast<float>(t > kCiedeCubeLimit ? root : fma(t, kCiedeCubeSlope / 116, 16.0 / 116));
}

/// A row of the matrix, divided by the white point.
template <int Row> __device__ __forceinline__ double thread_tristimulus(double r, double g, double b)
{
    constexpr double kWhite = Row == 0 ? kCiedeWhiteX : Row == 1 ? 1.0 : kCiedeWhiteZ;
    constexpr double kR = kCiedeXyz[Row][0] * kWhite, kG = kCiedeXyz[Row][1] * kWhite, kB = kCiedeXyz[Row][2] * kWhite;
    return fma(b, kB, fma(g, kG, r * kR));
}

/// spec ciede 3.2. The values that decide between the branches of lin() are rounded as there.
__device__ __forceinline__ Lab thread_colour(const CiedeRange &range, const Pixel &pixel)
{
    constexpr double kShift = 4503599627370496.0; // 2^52
    const double y = thread_less(pixel.y, kShift + range.luma_black) * range.luma_step;
    const double u = thread_less(pixel.u, kShift + range.chroma_zero) * range.chroma_step;
    const double v = thread_less(pixel.v, kShift + range.chroma_zero) * range.chroma_step;
    const double r = thread_linear(y + kCiedeRedFromV * v);
    const double g = thread_linear(y - kCiedeGreenFromU * u - kCiedeGreenFromV * v);
    const double b = thread_linear(y + kCiedeBlueFromU * u);
    const float fx = thread_lab(thread_tristimulus<0>(r, g, b)), fy = thread_lab(thread_tristimulus<1>(r, g, b)),
                fz = thread_lab(thread_tristimulus<2>(r, g, b));
    return {fmaf(116, fy, -16), thread_scaled_difference(500, fx, fy), thread_scaled_difference(200, fy, fz)};
}

/// T of spec ciede 3.3: cosine and sine of the angle's multiples from those of the angle.
__device__ __forceinline__ float thread_hue_weight(float mean)
{
    constexpr float kCos6 = 0.99452189536827333692F, kSin6 = 0.10452846326765347140F; // degrees
    constexpr float kCos30 = 0.86602540378443864676F, kSin30 = 0.5F;
    constexpr float kCos63 = 0.45399049973954679156F, kSin63 = 0.89100652418836786236F;
    const Direction one = thread_direction(mean);
    const float twice = one.sine + one.sine;
    const Direction two{fmaf(-twice, one.sine, 1), twice * one.cosine};
    const Direction three{fmaf(two.cosine, one.cosine, -two.sine * one.sine),
                          fmaf(two.sine, one.cosine, two.cosine * one.sine)};
    const float four_times = two.sine + two.sine;
    const Direction four{fmaf(-four_times, two.sine, 1), four_times * two.cosine};
    float t = fmaf(one.cosine, -0.17F * kCos30, 1);
    t = fmaf(one.sine, -0.17F * kSin30, t);
    t = fmaf(two.cosine, 0.24F, t);
    t = fmaf(three.cosine, 0.32F * kCos6, t);
    t = fmaf(three.sine, -0.32F * kSin6, t);
    t = fmaf(four.cosine, -0.20F * kCos63, t);
    return fmaf(four.sine, -0.20F * kSin63, t);
}

/// RT of spec ciede 3.3.
__device__ __forceinline__ float thread_rotation(float hue, float chroma)
{
    constexpr float kLog2E = 1.44269504F;
    const float dg = fmaf(hue, static_cast<float>(kCiedeDegrees / 25), -11);
    const float theta = static_cast<float>(60 * kCiedeRadians) * exp2f(dg * dg * -kLog2E);
    const float square = chroma * chroma, power = square * square * (square * chroma);
    const float share = __fdividef(power, power + static_cast<float>(kCiedePower25To7));
    return -2 * sqrtf(share) * thread_sine(theta);
}

/// spec ciede 3.3; names as there, with a prime as p.
__device__ __forceinline__ float thread_difference(const Lab &lab1, const Lab &lab2)
{
    const float c1 = thread_length(lab1.a, lab1.b), c2 = thread_length(lab2.a, lab2.b);
    const double cm = (c1 + c2) / 2, cm2 = cm * cm;
    const double power = fmin(cm2 * cm2 * (cm2 * cm), 1e18); // only samples above their depth have more
    const double stretch = fma(thread_root_of_quotient(power, power + kCiedePower25To7), -0.5, 1.5); // 1 + g / 2
    const float a1p = static_cast<float>(lab1.a * stretch), a2p = static_cast<float>(lab2.a * stretch);
    const float c1p = thread_length(a1p, lab1.b), c2p = thread_length(a2p, lab2.b);
    const float cmp = (c1p + c2p) / 2;
    const float h1 = thread_hue(lab1.b, a1p), h2 = thread_hue(lab2.b, a2p);
    const bool far = fabsf(h1 - h2) > kPiBelow;
    const float turn = far ? thread_turned(h2 - h1, h2 <= h1) : h2 - h1;
    const float dh = c1 == 0 || c2 == 0 ? 0 : turn;
    const float mean = (h1 + h2) / 2, hm = far ? mean + static_cast<float>(kPi) : mean;

    const float q = (lab1.l + lab2.l) / 2 - 50, q2 = q * q;
    const float sl = thread_one_and(0.015, q2 * rsqrtf(20 + q2));
    const float sc = thread_one_and(0.045, cmp);
    const float sh = thread_one_and(0.015, cmp * thread_hue_weight(hm));
    const float dhp = 2 * sqrtf(c1p * c2p) * thread_sine(dh / 2);
    const float tl = __fdividef(lab2.l - lab1.l, kCiedeWeightL * sl);
    const float tc = __fdividef(c2p - c1p, kCiedeWeightC * sc);
    const float tt = __fdividef(dhp, kCiedeWeightH * sh);
    const float sum = fmaf(tl, tl, fmaf(tc, tc, fmaf(tt, tt, thread_rotation(hm, cmp) * tc * tt)));
    return sqrtf(fmaxf(sum, 0));
}

template <class Sample> __device__ __forceinline__ int thread_sample(const CudaPlane &plane, int x, int y)
{
    return __ldg(reinterpret_cast<const Sample *>(row_of(plane, y)) + x);
}

/// spec ciede 3.1: where the chroma of a luma position is.
struct ChromaPlace {
    int x, y;
    bool inside; ///< else it is 0

    __device__ __forceinline__ ChromaPlace(const CiedeKernelParams &params, int luma_x, int luma_y)
    {
        const int width = static_cast<int>(params.chroma_width_px), height = static_cast<int>(params.chroma_height_px);
        const int stride = static_cast<int>(params.swapped_chroma_stride);
        if (stride == 0) {
            x = min(luma_x >> params.chroma_shift_x, width - 1);
            y = min(luma_y >> params.chroma_shift_y, height - 1);
            inside = true;
        } else {
            x = luma_x % stride;
            y = luma_y / 2 + luma_x / stride;
            inside = x < width && y < height;
        }
    }
};

template <class Sample>
__device__ __forceinline__ Pixel thread_pixel(const CudaPlane (&planes)[3], int x, int y, const ChromaPlace &chroma)
{
    Pixel pixel{thread_sample<Sample>(planes[0], x, y), 0, 0};
    if (chroma.inside) {
        pixel.u = thread_sample<Sample>(planes[1], chroma.x, chroma.y);
        pixel.v = thread_sample<Sample>(planes[2], chroma.x, chroma.y);
    }
    return pixel;
}

/// Equal pixels have the difference 0 and need not be looked at.
template <class Sample>
__device__ __forceinline__ void block_differences(const CiedeKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const int x = static_cast<int>(block.x * kCiedeBlockColumns + thread);
    const int top = static_cast<int>(block.y * kCiedeBlockRows);
    const int rows = min(static_cast<int>(kCiedeBlockRows), static_cast<int>(params.height_px) - top);
    double sum = 0;
    if (x < static_cast<int>(params.width_px))
        for (int y = top; y < top + rows; ++y) {
            const ChromaPlace chroma(params, x, y);
            const Pixel ref = thread_pixel<Sample>(frame.ref, x, y, chroma),
                        dis = thread_pixel<Sample>(frame.dis, x, y, chroma);
            if (!(ref == dis))
                sum += thread_difference(thread_colour(params.range, ref), thread_colour(params.range, dis));
        }
    __shared__ double warp_sums[kCiedeBlockColumns / kWarpSize];
    sum = block_total(sum, thread, warp_sums);
    const unsigned blocks_x = (params.width_px + kCiedeBlockColumns - 1) / kCiedeBlockColumns;
    if (thread == 0)
        params.block_sums[static_cast<std::size_t>(block.z) * params.block_count + block.y * blocks_x + block.x] = sum;
}

__device__ __forceinline__ void block_add_up(const CiedeKernelParams &params, unsigned frame, unsigned thread)
{
    const double *sums = params.block_sums + static_cast<std::size_t>(frame) * params.block_count;
    double sum = 0;
    for (unsigned i = thread; i < params.block_count; i += kCiedeSumThreads)
        sum += sums[i];
    __shared__ double warp_sums[kCiedeSumThreads / kWarpSize];
    sum = block_total(sum, thread, warp_sums);
    if (thread == 0)
        static_cast<CiedeSums *>(params.batch.frames[frame].sums)->difference = sum;
}

} // namespace ciede_kernels

// Grid: blocks over the picture, frames.
extern "C" __global__ void __launch_bounds__(kCiedeBlockColumns)
    vmaf_ciede_differences_8bit(const __grid_constant__ CiedeKernelParams params)
{
    block_differences<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kCiedeBlockColumns)
    vmaf_ciede_differences_16bit(const __grid_constant__ CiedeKernelParams params)
{
    block_differences<std::uint16_t>(params, blockIdx, threadIdx.x);
}

// Grid: -, -, frames.
extern "C" __global__ void __launch_bounds__(kCiedeSumThreads)
    vmaf_ciede_sum(const __grid_constant__ CiedeKernelParams params)
{
    block_add_up(params, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
