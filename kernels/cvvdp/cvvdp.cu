#include "common/common.cuh"
#include "common/rgb.cuh"
#include "feature/cvvdp/cvvdp_cuda_params.h"

// spec cvvdp 3 on batches of frames: channels of all frames from the samples of all pairs that they
// see; the pyramid, level by level, small levels in one launch; all bands in one grid, sums a
// strip, the base band beside them; the sums in a fixed order.
//
// Measured on an H200, 8 bit: 154 us a 1080p frame in batches of 8 (201 of 3, 344 of 1) at 25
// frames/s, 169 at 60; at 2160p, three frames at once, 717 and 862. Executed (Nsight Compute; a
// luma pixel of both pictures, batches of 8): channels 484 instructions (140 for each pair that two
// pixels are converted of, (N - 1 + B) / B pairs a frame, and 11 for each frame that sees it), the
// pyramid 125 (151 for the four channels of a pixel, and rows at the edges of tiles), bands some
// 850 (475 a row and column of a strip, 1.31 times 4/3 of the pixels): 1,450, 90 us at 33.4e12/s.
// Bytes: 150, 75 us at 4.2e12/s. At 2160p, three frames at once, 1,750 instructions (N = 9) and
// 2,240 (N = 17): 0.44 and 0.56 ms. Of the special function unit 17 (N - 1 + B) / B + 40. Warps on
// a multiprocessor, by registers: 16 of channels (128), 24 of reduce (80), 16 of bands (116).

namespace vmaf {
inline namespace cvvdp_kernels {

/// Y, RG, YV.
struct Opponent {
    float c[kCvvdpColours];
};

/// spec cvvdp 3.1 and 3.2, of two pixels of a column.
template <ChromaRows Chroma, RgbLight Light>
__device__ __forceinline__ void thread_opponent(const CvvdpChannelsParams &params, const TwoPixels &samples,
                                                Opponent (&colours)[2])
{
    Rgb rgb[2];
    thread_rgb_of_samples<Chroma, Light>(params.sampling, samples, rgb);
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (unsigned c = 0; c < kCvvdpColours; ++c) {
            const float *const m = params.colour.matrix[c];
            colours[i].c[c] = fmaf(m[0], rgb[i].r, fmaf(m[1], rgb[i].g, fmaf(m[2], rgb[i].b, params.colour.offset[c])));
        }
}

/// Filtered values of one pixel in every frame.
struct Filters {
    CvvdpPixel pixel[kMaxBatchFrames];
    float luma[kMaxBatchFrames]; ///< of the frame's own pair; 0 until that has come
};

struct alignas(16) Weights {
    float w[kCvvdpChannels];
};

__device__ __forceinline__ void thread_add(const Opponent &colour, const Weights &w, float luma, CvvdpPixel &pixel)
{
    for (unsigned c = 0; c < kCvvdpColours; ++c)
        pixel.c[c] = fmaf(w.w[c], colour.c[c], pixel.c[c]);
    pixel.c[kCvvdpTransient] = fmaf(w.w[kCvvdpTransient], colour.c[0] - luma, pixel.c[kCvvdpTransient]);
}

/// The weights of a source in every frame.
struct ChannelsShared {
    Weights weights[kCvvdpLaunchSources][kMaxBatchFrames];
};

/// How many pairs a source of the launch is older than the latest frame.
__device__ __forceinline__ int source_age(const CvvdpChannelsParams &params, int source)
{
    return source < params.frame_count ? source : source + params.earlier_before;
}

__device__ __forceinline__ void block_load_weights(const CvvdpChannelsParams &params, unsigned thread, bool begins,
                                                   ChannelsShared &shared)
{
    constexpr int kFrames = kMaxBatchFrames;
    for (int i = static_cast<int>(thread); i < params.source_count * kFrames;
         i += static_cast<int>(kCvvdpChannelsThreads)) {
        const int source = i / kFrames, frame = i % kFrames;
        const int seen = min(params.first_seen + frame, params.most_seen);
        const int age = source_age(params, source) - (params.frame_count - 1 - frame);
        const bool is_own = source < params.frame_count; // of one of the frames: the first launch adds it
        const bool is_seen = frame < params.frame_count && age >= 0 && age <= seen && (begins || !is_own);
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            shared.weights[source][frame].w[c] = is_seen ? params.weights[seen * (params.most_seen + 1) + age][c] : 0;
    }
    __syncthreads();
}

/// spec cvvdp 3.3. blockIdx.z is the picture. Pairs go from the frame's own backwards, whatever the
/// batch is.
template <class Sample, ChromaRows Chroma, RgbLight Light>
__device__ __forceinline__ void block_channels(const CvvdpChannelsParams &params)
{
    __shared__ ChannelsShared shared;
    constexpr int kFrames = kMaxBatchFrames;
    const unsigned thread = threadIdx.x, picture = blockIdx.z;
    const bool begins = params.earlier_before == 0;
    block_load_weights(params, thread, begins, shared);
    const CvvdpLevel &level = params.level;
    const int height = static_cast<int>(level.height_px);
    const int x = static_cast<int>(blockIdx.x * kCvvdpChannelsColumns + thread % kCvvdpChannelsColumns);
    const int y = static_cast<int>(blockIdx.y * kCvvdpChannelsRows + thread / kCvvdpChannelsColumns * 2);
    if (x >= static_cast<int>(level.width_px) || y >= height)
        return;
    const int rows[2] = {y, min(y + 1, height - 1)};
    const unsigned long long row =
        static_cast<unsigned long long>(picture) * level.height_px + static_cast<unsigned>(y);
    CvvdpPixel *out = params.pyramid + level.offset + row * level.pitch + static_cast<unsigned>(x);
    const unsigned below = y + 1 < height ? level.pitch : 0; // from a pixel to the other one
    Filters filters[2] = {};
    if (!begins) {
        const CvvdpPixel *in = out;
#pragma unroll
        for (int frame = 0; frame < kFrames; ++frame, in += params.frame_pixels)
            if (frame < params.frame_count) {
                filters[0].pixel[frame] = *in;
                filters[1].pixel[frame] = in[below];
            }
    }
    const auto load = [&](int source, TwoPixels &samples) {
        thread_load_samples<Sample, Chroma>(params.sampling, params.sources[source].planes[picture], x, rows, samples);
    };
    TwoPixels samples, next; // that are there before they are needed
    load(0, samples);
#pragma unroll 1
    for (int source = 0; source < params.source_count; ++source) {
        load(min(source + 1, params.source_count - 1), next);
        Opponent colours[2];
        thread_opponent<Chroma, Light>(params, samples, colours);
        samples = next;
        const int own = params.frame_count - 1 - source_age(params, source);
        const int first = max(own, 0), last = min(own + params.most_seen, params.frame_count - 1); // that see it
#pragma unroll
        for (int pair = 0; pair < kFrames; pair += 2) {
            if (pair > last || pair + 1 < first)
                continue;
#pragma unroll
            for (int frame = pair; frame < pair + 2; ++frame) {
                const Weights w = shared.weights[source][frame];
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    thread_add(colours[i], w, filters[i].luma[frame], filters[i].pixel[frame]);
            }
        }
        if (own < 0)
            continue;
#pragma unroll
        for (int frame = 0; frame < kFrames; ++frame)
            for (int i = 0; i < 2; ++i)
                filters[i].luma[frame] = frame == own ? colours[i].c[0] : filters[i].luma[frame];
    }
#pragma unroll
    for (int frame = 0; frame < kFrames; ++frame, out += params.frame_pixels) {
        if (frame >= params.frame_count)
            break;
        *out = filters[0].pixel[frame];
        if (below != 0)
            out[below] = filters[1].pixel[frame];
    }
}

constexpr int kReduceTaps = 5;

__device__ __forceinline__ float reduced(float middle, float next_a, float next_b, float outer_a, float outer_b)
{
    return fmaf(kCvvdpReduceMiddle, middle,
                fmaf(kCvvdpReduceNext, next_a + next_b, kCvvdpReduceOuter * (outer_a + outer_b)));
}

__device__ __forceinline__ CvvdpPixel *level_pixels(const CvvdpPyramidParams &params, unsigned level, unsigned frame,
                                                    unsigned picture)
{
    const CvvdpLevel &l = params.levels[level];
    return params.pyramid + frame * params.frame_pixels + l.offset +
           static_cast<unsigned long long>(picture) * l.pitch * l.height_px;
}

/// A column of a level that spec cvvdp 3.4's reduce makes, and what it is made of.
struct ReducedColumn {
    const CvvdpPixel *pixels;
    unsigned pitch;
    int height;
    unsigned columns[kReduceTaps]; ///< all inside
    float parts[kReduceTaps];      ///< of them
};

__device__ __forceinline__ void thread_set_parts(int x, const CvvdpLevel &from, const CvvdpLevel &to,
                                                 ReducedColumn &column)
{
    const int width = static_cast<int>(from.width_px);
    const bool odd_width = from.width_px % 2 != 0, odd_height = from.height_px % 2 != 0;
    // The tap of the last column; inside none, nor one before it.
    const int last = x < static_cast<int>(to.width_px) - 1 ? kReduceTaps + 1 : odd_width ? 2 : 3;
    for (int k = 0; k < kReduceTaps; ++k) {
        column.columns[k] = static_cast<unsigned>(mirror_with_edge(2 * x - 2 + k, width));
        float part = k == 2 ? kCvvdpReduceMiddle : k % 2 != 0 ? kCvvdpReduceNext : kCvvdpReduceOuter;
        // What the last column lacks on the right goes by the parity of the height.
        if (k == last)
            part += odd_height ? kCvvdpReduceNext : kCvvdpReduceOuter;
        else if (k == last - 1 && odd_height)
            part += kCvvdpReduceOuter;
        column.parts[k] = k > last ? 0 : part;
    }
}

/// Reduced across, in row `y`, mirrored.
__device__ __forceinline__ CvvdpPixel thread_reduced_row(const ReducedColumn &column, int y)
{
    const CvvdpPixel *const row =
        column.pixels + static_cast<unsigned>(mirror_with_edge(y, column.height)) * column.pitch;
    CvvdpPixel pixel{};
#pragma unroll
    for (int k = 0; k < kReduceTaps; ++k) {
        const CvvdpPixel at = row[column.columns[k]];
#pragma unroll
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            pixel.c[c] = fmaf(column.parts[k], at.c[c], pixel.c[c]);
    }
    return pixel;
}

/// spec cvvdp 3.4, reduce, of rows `top` to `end` of column `x` of the level above `level`.
__device__ __forceinline__ void thread_reduce(const CvvdpPyramidParams &params, unsigned level, unsigned frame,
                                              unsigned picture, int x, int top, int end)
{
    const CvvdpLevel &from = params.levels[level], &to = params.levels[level + 1];
    ReducedColumn column{level_pixels(params, level, frame, picture), from.pitch, static_cast<int>(from.height_px)};
    thread_set_parts(x, from, to, column);
    CvvdpPixel *out = level_pixels(params, level + 1, frame, picture) +
                      static_cast<unsigned long long>(top) * to.pitch + static_cast<unsigned>(x);
    CvvdpPixel rows[kReduceTaps];
    for (int k = 0; k < 3; ++k)
        rows[k] = thread_reduced_row(column, 2 * top - 2 + k);
    for (int y = top; y < end; ++y) {
        rows[3] = thread_reduced_row(column, 2 * y + 1);
        rows[4] = thread_reduced_row(column, 2 * y + 2);
        CvvdpPixel pixel;
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            pixel.c[c] = reduced(rows[2].c[c], rows[1].c[c], rows[3].c[c], rows[0].c[c], rows[4].c[c]);
        *out = pixel;
        out += to.pitch;
        for (int k = 0; k < 3; ++k)
            rows[k] = rows[k + 2];
    }
}

/// A tile of one picture of one frame. blockIdx.z is frame * 2 + picture.
__device__ __forceinline__ void block_reduce(const CvvdpPyramidParams &params)
{
    const CvvdpLevel &to = params.levels[params.level + 1];
    const int x = static_cast<int>(blockIdx.x * kCvvdpReduceColumns + threadIdx.x);
    const int top = static_cast<int>(blockIdx.y * kCvvdpReduceRows);
    if (x < static_cast<int>(to.width_px))
        thread_reduce(params, params.level, blockIdx.z / 2, blockIdx.z % 2, x, top,
                      min(top + static_cast<int>(kCvvdpReduceRows), static_cast<int>(to.height_px)));
}

/// The small levels that are left, one after the other.
__device__ __forceinline__ void block_reduce_rest(const CvvdpPyramidParams &params)
{
    const int x = static_cast<int>(threadIdx.x % kCvvdpReduceColumns);
    const int walker = static_cast<int>(threadIdx.x / kCvvdpReduceColumns);
    for (unsigned level = params.level; level + 1 < params.band_count; ++level) {
        const CvvdpLevel &to = params.levels[level + 1];
        const int height = static_cast<int>(to.height_px);
        const int rows = (height - 1) / static_cast<int>(kCvvdpRestWalkers) + 1, top = walker * rows;
        if (x < static_cast<int>(to.width_px) && top < height)
            thread_reduce(params, level, blockIdx.z / 2, blockIdx.z % 2, x, top, min(top + rows, height));
        __syncthreads();
    }
}

/// e^2.264..., and 3e-5 of it more: however log2 and exp2 round, nothing is left of a difference
/// of 0.
constexpr float kUndiffering = 4.7669e-12F;

/// A row so far below that the way from any row to the first goes back.
constexpr int kFarBelow = 0x7fffffff;

/// (x + e)^power.
__device__ __forceinline__ float thread_power(float x, float power)
{
    return thread_exp2(power * thread_log2(x + kCvvdpFloatEpsilon));
}

/// One strip of a band: who walks down it, and where.
struct Strip {
    CvvdpStripShared &shared;
    const float *taps; ///< of the blur
    unsigned thread;
    bool blurs;                             ///< the band's masks are blurred
    bool scores;                            ///< the thread's column is
    const CvvdpPixel *pixels[2], *above[2]; ///< of the band, of the level above
    unsigned pitch, above_pitch;
    unsigned column; ///< the thread's, mirrored
    int last_row, last_above_row;
    unsigned above_columns[3];
    CvvdpParts above_parts;
};

/// Rows of the level above that a row of the band is expanded from, expanded across.
struct Expansion {
    int middle; ///< row of rows[1]
    CvvdpPixel rows[3][2];
};

__device__ __forceinline__ CvvdpPixel thread_expanded_across(const Strip &strip, int row, unsigned picture)
{
    const CvvdpPixel *const at =
        strip.above[picture] + static_cast<unsigned>(min(max(row, 0), strip.last_above_row)) * strip.above_pitch;
    CvvdpPixel around[3], pixel;
#pragma unroll
    for (int k = 0; k < 3; ++k)
        around[k] = at[strip.above_columns[k]];
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c)
        pixel.c[c] = fmaf(strip.above_parts.of[1], around[1].c[c],
                          fmaf(strip.above_parts.of[0], around[0].c[c], strip.above_parts.of[2] * around[2].c[c]));
    return pixel;
}

/// Walks on to the rows around `middle`; back, too, where rows are mirrored.
__device__ __forceinline__ void thread_expand_to(const Strip &strip, int middle, Expansion &expansion)
{
    if (middle < expansion.middle)
        expansion.middle = middle - 3;
#pragma unroll 1
    for (; expansion.middle < middle; ++expansion.middle)
#pragma unroll
        for (unsigned picture = 0; picture < 2; ++picture) {
            expansion.rows[0][picture] = expansion.rows[1][picture];
            expansion.rows[1][picture] = expansion.rows[2][picture];
            expansion.rows[2][picture] = thread_expanded_across(strip, expansion.middle + 2, picture);
        }
}

/// A column's pixels in one row, of ref and dis.
struct PixelPair {
    CvvdpPixel pixels[2];
};

__device__ __forceinline__ PixelPair thread_load_pixels(const Strip &strip, int y)
{
    const unsigned at = static_cast<unsigned>(y) * strip.pitch + strip.column;
    return {{strip.pixels[0][at], strip.pixels[1][at]}};
}

/// spec cvvdp 3.4 to 3.6: |T' - R'| and the lesser of |T'| and |R'| of a pixel in row `y`.
__device__ __forceinline__ void thread_contrast(const Strip &strip, int y, const PixelPair &pair, Expansion &expansion,
                                                CvvdpPixel &difference, CvvdpPixel &least)
{
    CvvdpPixel means[2];
    thread_expand_to(strip, y / 2, expansion);
    const bool even = y % 2 == 0;
    const CvvdpParts parts = cvvdp_parts(even);
#pragma unroll
    for (unsigned picture = 0; picture < 2; ++picture)
#pragma unroll
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            means[picture].c[c] =
                fmaf(parts.of[1], expansion.rows[1][picture].c[c],
                     fmaf(parts.of[0], expansion.rows[0][picture].c[c], parts.of[2] * expansion.rows[2][picture].c[c]));
    const float ref_mean = fmaxf(means[0].c[0], kCvvdpLeastMean), dis_mean = fmaxf(means[1].c[0], kCvvdpLeastMean);
    const float ref_factor = thread_reciprocal(ref_mean), dis_factor = thread_reciprocal(dis_mean);
    const float place = fminf(fmaxf(fmaf(kCvvdpPositionScale, thread_log2(ref_mean), kCvvdpPositionOffset), 0),
                              static_cast<float>(kCvvdpCsfPoints - 1));
    const int index = static_cast<int>(place);
    const float part = place - static_cast<float>(index);
    const CvvdpPixel below = strip.shared.sensitivity[index], rise = strip.shared.rise[index];
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const float sensitivity = thread_exp2(fmaf(part, rise.c[c], below.c[c]));
        const float ref = fminf((pair.pixels[0].c[c] - means[0].c[c]) * ref_factor, kCvvdpMostContrast);
        const float dis = fminf((pair.pixels[1].c[c] - means[1].c[c]) * dis_factor, kCvvdpMostContrast);
        difference.c[c] = sensitivity * fabsf(dis - ref); // exactly 0 for equal pictures
        least.c[c] = sensitivity * fminf(fabsf(dis), fabsf(ref));
    }
}

/// spec cvvdp 3.6 of a pixel: adds pw(D, 2). With A = pw(|T' - R'|), D = V (A / M) / (V + A / M) =
/// V A / (V M + A).
__device__ __forceinline__ void thread_score(const float (&mask)[kCvvdpChannels], const CvvdpPixel &difference,
                                             float (&sums)[kCvvdpChannels])
{
    constexpr CvvdpMasking masking = kCvvdpMasking;
    float masked[kCvvdpChannels]; // e^q, below 4e-7, is not taken off: it vanishes beside the 1 in M
#pragma unroll
    for (unsigned k = 0; k < kCvvdpChannels; ++k)
        masked[k] = thread_power(kCvvdpMaskScale * mask[k], masking.power[k]);
#pragma unroll
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        float divisor = kCvvdpLargestD;
#pragma unroll
        for (unsigned k = 0; k < kCvvdpChannels; ++k)
            divisor = fmaf(kCvvdpLargestD * masking.weight[k][c], masked[k], divisor);
        const float above = fmaxf(thread_power(difference.c[c], kCvvdpDifferencePower) - kUndiffering, 0);
        const float d = kCvvdpLargestD * above * thread_reciprocal(divisor + above);
        sums[c] = fmaf(d, d, fmaf(2 * kCvvdpFloatEpsilon, d, sums[c]));
    }
}

/// What rows up to the latest add to the masks of the rows around it, of a lane's columns and its
/// warp's channel. Each row moves all sums on by one.
struct Blur {
    float sums[kCvvdpBlurColumns][2 * kCvvdpBlurReach];
};

/// Takes the latest row, and gives the row kCvvdpBlurReach above it (the latest itself in bands
/// that are not blurred).
__device__ __forceinline__ void warp_blur(const Strip &strip, int buffer, Blur &blur)
{
    constexpr int kReach = kCvvdpBlurReach, kColumns = kCvvdpBlurColumns;
    const unsigned channel = strip.thread / kWarpSize, first = strip.thread % kWarpSize * kCvvdpBlurColumns;
    if (first >= kCvvdpStripColumns)
        return;
    const auto *const from = reinterpret_cast<const CvvdpPixel *>(strip.shared.least[buffer][channel] + first);
    float values[2 * kReach + kColumns];
#pragma unroll
    for (int i = 0; i < 2 * kReach + kColumns; ++i)
        values[i] = from[i / kColumns].c[i % kColumns];
    CvvdpPixel masks{{values[kReach], values[kReach + 1], values[kReach + 2], values[kReach + 3]}}; // of columns
    if (strip.blurs) {
#pragma unroll
        for (int i = 0; i < kColumns; ++i) {
            float across = strip.taps[0] * values[kReach + i];
#pragma unroll
            for (int k = 1; k <= kReach; ++k)
                across = fmaf(strip.taps[k], values[kReach + i - k] + values[kReach + i + k], across);
            float(&sums)[2 * kReach] = blur.sums[i];
            masks.c[i] = fmaf(strip.taps[kReach], across, sums[0]);
#pragma unroll
            for (int k = 0; k < 2 * kReach - 1; ++k)
                sums[k] = fmaf(strip.taps[k < kReach ? kReach - 1 - k : k - kReach + 1], across, sums[k + 1]);
            sums[2 * kReach - 1] = strip.taps[kReach] * across;
        }
    }
    *reinterpret_cast<CvvdpPixel *>(strip.shared.masks[buffer][channel] + first) = masks;
}

__device__ __forceinline__ unsigned band_of_strip(const CvvdpPyramidParams &params, unsigned strip)
{
    unsigned band = 0;
    while (band + 2 < params.band_count && strip >= params.levels[band + 1].first_strip)
        ++band;
    return band;
}

/// Walks down a strip, scores it. Step s takes the row s - reach of the strip, blurs what it made
/// of it behind the barrier, and scores what the step before it blurred.
__device__ __forceinline__ void block_walk(const Strip &strip, int top, int rows, float (&sums)[kCvvdpChannels])
{
    constexpr int kSlots = kCvvdpDifferenceRows;
    CvvdpStripShared &shared = strip.shared;
    const int reach = strip.blurs ? static_cast<int>(kCvvdpBlurReach) : 0, steps = rows + 2 * reach;
    Expansion expansion{};
    expansion.middle = kFarBelow;
    Blur blur{};
    const auto row_of_step = [&](int step) { return mirror(top + min(step, steps - 1) - reach, strip.last_row + 1); };
    int y = row_of_step(0);
    PixelPair pair = thread_load_pixels(strip, y); // is there before it is needed
    for (int step = 0; step <= steps; ++step) {
        const int buffer = step % 2;
        if (step < steps) {
            CvvdpPixel least;
            thread_contrast(strip, y, pair, expansion, shared.differences[step % kSlots][strip.thread], least);
            y = row_of_step(step + 1);
            pair = thread_load_pixels(strip, y);
            for (unsigned c = 0; c < kCvvdpChannels; ++c)
                shared.least[buffer][c][strip.thread] = least.c[c];
        }
        __syncthreads();
        if (step < steps)
            warp_blur(strip, buffer, blur);
        if (step <= 2 * reach || !strip.scores)
            continue;
        float mask[kCvvdpChannels];
        for (unsigned c = 0; c < kCvvdpChannels; ++c)
            mask[c] = shared.masks[1 - buffer][c][strip.thread - kCvvdpBlurReach];
        thread_score(mask, shared.differences[(step - 1 - reach) % kSlots][strip.thread], sums);
    }
}

__device__ __forceinline__ void block_strip(const CvvdpPyramidParams &params, unsigned number)
{
    CvvdpStripShared &shared = *reinterpret_cast<CvvdpStripShared *>(dynamic_shared());
    const unsigned thread = threadIdx.x, frame = blockIdx.z, band = band_of_strip(params, number);
    const CvvdpLevel &level = params.levels[band], &above = params.levels[band + 1];
    const unsigned place = number - level.first_strip;
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const int left = static_cast<int>(place % level.strips_across * kCvvdpStripColumns);
    const int top = static_cast<int>(place / level.strips_across * kCvvdpStripRows);
    const int x = left + static_cast<int>(thread) - static_cast<int>(kCvvdpBlurReach);
    const int column = mirror_far(x, width);
    Strip strip{shared, params.blur_taps, thread};
    strip.blurs = width > static_cast<int>(kCvvdpBlurReach) && height > static_cast<int>(kCvvdpBlurReach);
    strip.scores = thread >= kCvvdpBlurReach && thread < kCvvdpStripThreads - kCvvdpBlurReach && x < width;
    for (unsigned picture = 0; picture < 2; ++picture) {
        strip.pixels[picture] = level_pixels(params, band, frame, picture);
        strip.above[picture] = level_pixels(params, band + 1, frame, picture);
    }
    strip.pitch = level.pitch;
    strip.column = static_cast<unsigned>(column);
    strip.above_pitch = above.pitch;
    strip.last_row = height - 1;
    strip.last_above_row = static_cast<int>(above.height_px) - 1;
    const int last_above = static_cast<int>(above.width_px) - 1;
    strip.above_parts = cvvdp_parts(column % 2 == 0);
    for (int k = 0; k < 3; ++k)
        strip.above_columns[k] = static_cast<unsigned>(min(max(column / 2 - 1 + k, 0), last_above));
    const unsigned point = thread % kCvvdpCsfPoints, channel = thread / kCvvdpCsfPoints;
    static_assert(kCvvdpStripThreads == kCvvdpChannels * kCvvdpCsfPoints);
    const float *const table = params.tables[band].sensitivity[channel];
    shared.sensitivity[point].c[channel] = table[point];
    shared.rise[point].c[channel] = table[min(point + 1, kCvvdpCsfPoints - 1)] - table[point];
    __syncthreads();
    float sums[kCvvdpChannels] = {};
    block_walk(strip, top, min(static_cast<int>(kCvvdpStripRows), height - top), sums);
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const double sum = warp_sum_in_fixed_order(static_cast<double>(sums[c]));
        if (thread % kWarpSize == 0)
            shared.sums[thread / kWarpSize][c] = sum;
    }
    __syncthreads();
    if (thread >= kCvvdpChannels)
        return;
    double sum = 0;
    for (unsigned warp = 0; warp < kCvvdpStripThreads / kWarpSize; ++warp)
        sum += shared.sums[warp][thread];
    params.slots[(static_cast<unsigned long long>(frame) * params.strip_count + number) * kCvvdpChannels + thread] =
        sum;
}

/// The sum of a value of every thread, in every thread.
__device__ __forceinline__ double block_sum_in_fixed_order(double value, unsigned thread,
                                                           double (&warps)[kCvvdpStripThreads / kWarpSize])
{
    const double of_warp = warp_sum_in_fixed_order(value);
    __syncthreads();
    if (thread % kWarpSize == 0)
        warps[thread / kWarpSize] = of_warp;
    __syncthreads();
    double sum = 0;
    for (const double warp : warps)
        sum += warp;
    return sum;
}

/// spec cvvdp 3.4 to 3.6 of the base band: one block a frame.
__device__ __forceinline__ void block_base(const CvvdpPyramidParams &params)
{
    __shared__ double warps[kCvvdpStripThreads / kWarpSize];
    const unsigned thread = threadIdx.x, frame = blockIdx.z, band = params.band_count - 1;
    const CvvdpLevel &level = params.levels[band];
    const unsigned pixels = level.width_px * level.height_px;
    const auto value = [&](unsigned picture, unsigned c, unsigned i) {
        const unsigned long long at = static_cast<unsigned long long>(i / level.width_px) * level.pitch;
        return level_pixels(params, band, frame, picture)[at + i % level.width_px].c[c];
    };
    const auto mean = [&](unsigned picture) {
        double sum = 0;
        for (unsigned i = thread; i < pixels; i += kCvvdpStripThreads)
            sum += static_cast<double>(fmaxf(value(picture, 0, i), kCvvdpLeastMean));
        return block_sum_in_fixed_order(sum, thread, warps) / pixels;
    };
    const double ref_mean = mean(0), dis_mean = mean(1);
    const float place =
        fminf(fmaxf(fmaf(kCvvdpPositionScale, thread_log2(static_cast<float>(ref_mean)), kCvvdpPositionOffset), 0),
              static_cast<float>(kCvvdpCsfPoints - 1));
    const unsigned index = min(static_cast<unsigned>(place), kCvvdpCsfPoints - 2);
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        const float *const table = params.tables[band].sensitivity[c] + index;
        const float sensitivity = thread_exp2(fmaf(place - static_cast<float>(index), table[1] - table[0], table[0]));
        double sum = 0;
        for (unsigned i = thread; i < pixels; i += kCvvdpStripThreads) {
            const double ref =
                fmin(static_cast<double>(value(0, c, i)) / ref_mean, static_cast<double>(kCvvdpMostContrast));
            const double dis =
                fmin(static_cast<double>(value(1, c, i)) / dis_mean, static_cast<double>(kCvvdpMostContrast));
            const double d = fabs(dis - ref) * static_cast<double>(sensitivity);
            sum += d * d + 2 * kCvvdpEpsilon * d;
        }
        sum = block_sum_in_fixed_order(sum, thread, warps);
        if (thread == 0)
            params.sums[frame]->squares[band][c] = sum;
    }
}

/// The sums of a band's strips, in a fixed order: a warp a channel. blockIdx.x is the band.
__device__ __forceinline__ void block_sum(const CvvdpPyramidParams &params)
{
    const unsigned band = blockIdx.x, frame = blockIdx.z, lane = threadIdx.x % kWarpSize,
                   channel = threadIdx.x / kWarpSize;
    const unsigned first = params.levels[band].first_strip,
                   end = band + 2 < params.band_count ? params.levels[band + 1].first_strip : params.strip_count;
    const double *const slots =
        params.slots + static_cast<unsigned long long>(frame) * params.strip_count * kCvvdpChannels + channel;
    double sum = 0;
    for (unsigned strip = first + lane; strip < end; strip += kWarpSize)
        sum += slots[static_cast<unsigned long long>(strip) * kCvvdpChannels];
    sum = warp_sum_in_fixed_order(sum);
    if (lane == 0)
        params.sums[frame]->squares[band][channel] = sum;
}

} // namespace cvvdp_kernels

#define VMAF_CVVDP_CHANNELS(name, Sample, chroma, light)                                                               \
    extern "C" __global__ void __launch_bounds__(kCvvdpChannelsThreads)                                                \
        name(const __grid_constant__ CvvdpChannelsParams params)                                                       \
    {                                                                                                                  \
        block_channels<Sample, ChromaRows::chroma, RgbLight::light>(params);                                           \
    }
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_8bit, std::uint8_t, none, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_8bit, std::uint8_t, one, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_8bit, std::uint8_t, two, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_16bit, std::uint16_t, none, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_16bit, std::uint16_t, one, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_16bit, std::uint16_t, two, srgb)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_light_8bit, std::uint8_t, none, tagged)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_light_8bit, std::uint8_t, one, tagged)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_light_8bit, std::uint8_t, two, tagged)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_grey_light_16bit, std::uint16_t, none, tagged)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_half_light_16bit, std::uint16_t, one, tagged)
VMAF_CVVDP_CHANNELS(vmaf_cvvdp_channels_full_light_16bit, std::uint16_t, two, tagged)

extern "C" __global__ void __launch_bounds__(kCvvdpReduceColumns, kCvvdpReduceBlocks)
    vmaf_cvvdp_reduce(const __grid_constant__ CvvdpPyramidParams params)
{
    block_reduce(params);
}

extern "C" __global__ void __launch_bounds__(kCvvdpRestThreads)
    vmaf_cvvdp_reduce_rest(const __grid_constant__ CvvdpPyramidParams params)
{
    block_reduce_rest(params);
}

/// Block 0 is the base band, which takes long for its few pixels: it begins first.
extern "C" __global__ void __launch_bounds__(kCvvdpStripThreads, kCvvdpStripBlocks)
    vmaf_cvvdp_bands(const __grid_constant__ CvvdpPyramidParams params)
{
    if (blockIdx.x == 0)
        block_base(params);
    else
        block_strip(params, blockIdx.x - 1);
}

extern "C" __global__ void __launch_bounds__(kCvvdpSumThreads)
    vmaf_cvvdp_sum(const __grid_constant__ CvvdpPyramidParams params)
{
    block_sum(params);
}

} // namespace vmaf
