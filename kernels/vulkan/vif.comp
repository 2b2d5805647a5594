#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#define GROUP_SUMS 2
#include "common.glsl"
#include "real.glsl"
#include "vif_statistic.glsl"

// Integer VIF: one dispatch a scale on batches of frames, which leaves the sums and the pictures of
// the next scale. A group goes down a tile of a frame (z) in steps of some rows. In each step a
// thread filters its column, whose samples it keeps, then a run of pixels of one row. The outer
// columns only supply what their neighbours' horizontal filter reads.
//
// Pictures of scales 1 to 3 lie in scratch memory, a sample of the reference in the lower half of a
// word, that of the distorted picture in the upper half.

layout(constant_id = 1) const int kScale = 0;
layout(constant_id = 2) const bool kIsScored = true;
// kVifFilter of the scale, by distance from the centre.
layout(constant_id = 3) const uint kTap0 = 0;
layout(constant_id = 4) const uint kTap1 = 0;
layout(constant_id = 5) const uint kTap2 = 0;
layout(constant_id = 6) const uint kTap3 = 0;
layout(constant_id = 7) const uint kTap4 = 0;
layout(constant_id = 8) const uint kTap5 = 0;
layout(constant_id = 9) const uint kTap6 = 0;
layout(constant_id = 10) const uint kTap7 = 0;
layout(constant_id = 11) const uint kTap8 = 0;
// That of the next scale, and at scale 3 that of scale 2.
layout(constant_id = 12) const uint kOther0 = 0;
layout(constant_id = 13) const uint kOther1 = 0;
layout(constant_id = 14) const uint kOther2 = 0;
layout(constant_id = 15) const uint kOther3 = 0;
layout(constant_id = 16) const uint kOther4 = 0;
const int kHalf = 8 >> kScale;
const int kNextHalf = kHalf >> 1;
const int kTileColumns = 112, kTileRows = 32; // as in src/feature/vif/vif_vulkan.cpp
const int kStepRows = 8;
const int kRun = kTileColumns * kStepRows / kGroupThreads, kRunsInRow = kTileColumns / kRun;
const bool kIsNarrow = kScale == 0 && kSampleBytes == 1; // sums of squares fit in 32 bits

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t pyramid;
    uint64_t log_table_at;
    uint64_t pyramid_frame_bytes;
    uint64_t gain_limit_bits;
    uint64_t gain_offset_bits;
    ivec2 size_px;       // of the picture
    uint first_word[4];  // of a scale in a frame's pyramid; not at scale 0
    uint bpc;
    float gain_bound;    // gains below it are not limited, however they were rounded
};

// By distance from the centre. Loops that call them are unrolled.
uint tap(int d)
{
    const uint taps[9] = uint[9](kTap0, kTap1, kTap2, kTap3, kTap4, kTap5, kTap6, kTap7, kTap8);
    return taps[abs(d)];
}
uint other_tap(int d)
{
    const uint taps[5] = uint[5](kOther0, kOther1, kOther2, kOther3, kOther4);
    return taps[abs(d)];
}

struct Column { // spec vif 3.3
    uint v1, v2, v11, v22, v12;
};

// Both pictures' samples of the thread's column under the filter, as in the pyramid.
uint window[kStepRows + 2 * 8];

const int kStride = kGroupThreads + kRunsInRow; // runs of different rows lie in different banks
shared uint means[kStepRows][kStride];          // v1 and v2, as samples in the pyramid
shared uint squares[3][kStepRows][kStride];     // v11, v22, v12
shared uint next_rows[kStepRows / 2][kStride];  // for the next scale, as in the pyramid

ivec2 size_of(int scale)
{
    return size_px >> scale;
}

Words pyramid_of(int scale)
{
    return Words(pyramid + pyramid_frame_bytes * gl_WorkGroupID.z + uint64_t(first_word[scale]) * 4);
}

// Both samples of a scale above 0.
uint word_of(int scale, int x, int y)
{
    return pyramid_of(scale).words[uint(y) * uint(size_of(scale).x) + uint(x)];
}

Pair pair; // of the frame

// Both samples of this scale. Rows and columns outside are reflected; spec vif 4: the neighbours of
// scale 3's only row are row 1 of scale 2.
uint load(int x, int y)
{
    const ivec2 size = size_of(kScale);
    const int column = mirror(x, size.x), row = mirror(y, size.y);
    if (kScale == 0) {
        return sample_of(row_of(pair.ref[0], row), column) | sample_of(row_of(pair.dis[0], row), column) << 16;
    }
    if (kScale == 3 && size.y == 1 && y != 0)
        return word_of(2, column, 1);
    return word_of(kScale, column, row);
}

struct ColumnSums {
    uint v1, v2;
    uint64_t v11, v22, v12;
};

void add_samples(uint tap, uint word, inout ColumnSums sums)
{
    const uint ref = word & 0xffff, dis = word >> 16;
    sums.v1 += tap * ref;
    sums.v2 += tap * dis;
    if (kIsNarrow) {
        sums.v11 = uint(sums.v11) + tap * (ref * ref);
        sums.v22 = uint(sums.v22) + tap * (dis * dis);
        sums.v12 = uint(sums.v12) + tap * (ref * dis);
        return;
    }
    sums.v11 += uint64_t(tap) * (ref * ref);
    sums.v22 += uint64_t(tap) * (dis * dis);
    sums.v12 += uint64_t(tap) * (ref * dis);
}

Column rounded(ColumnSums sums)
{
    const uint bits = kScale == 0 ? bpc : 16, square_bits = kScale == 0 ? 2 * (bpc - 8) : 16;
    const uint mean = 1u << (bits - 1);
    const uint64_t square = (uint64_t(1) << square_bits) >> 1;
    return Column((sums.v1 + mean) >> bits, (sums.v2 + mean) >> bits, uint((sums.v11 + square) >> square_bits),
                  uint((sums.v22 + square) >> square_bits), uint((sums.v12 + square) >> square_bits));
}

// spec vif 4: the neighbours of scale 3's only column are those of scale 2, last row, column 1.
Column stale_column()
{
    const int height = size_of(2).y;
    ColumnSums sums = ColumnSums(0, 0, 0, 0, 0);
    [[unroll]] for (int d = -2; d <= 2; ++d)
        add_samples(other_tap(d), word_of(2, 1, mirror(height - 1 + d, height)), sums);
    return rounded(sums);
}

void filter_column(int thread, int x)
{
    ColumnSums sums[kStepRows];
    [[unroll]] for (int row = 0; row < kStepRows; ++row)
        sums[row] = ColumnSums(0, 0, 0, 0, 0);
    [[unroll]] for (int i = 0; i < kStepRows + 2 * kHalf; ++i)
        [[unroll]] for (int row = 0; row < kStepRows; ++row)
            if (row <= i && i <= row + 2 * kHalf)
                add_samples(tap(i - row - kHalf), window[i], sums[row]);
    const bool is_stale = kScale == 3 && size_of(kScale).x == 1 && x != 0;
    [[unroll]] for (int row = 0; row < kStepRows; ++row) {
        Column column = rounded(sums[row]);
        if (is_stale)
            column = stale_column();
        means[row][thread] = column.v1 | column.v2 << 16;
        squares[0][row][thread] = column.v11;
        squares[1][row][thread] = column.v22;
        squares[2][row][thread] = column.v12;
    }
}

struct Sums {
    uint log_num, log_den, low_count;
    uint64_t low_var2;
};

// Whether the statistic is no matter of rounding; if it is, the term of log_num is missing.
bool add_pixel(uint s1, int s2, int s12, inout Sums sums)
{
    if (int(s1) < int(kNoise)) {
        sums.low_var2 += uint(max(s2, 0));
        ++sums.low_count;
        return true;
    }
    sums.log_den += logarithm(kNoise + s1) - 2048 * 17;
    if (s2 <= 0 || s12 <= 0)
        return true;
    const Explained x = explain(s1, uint(s12), gain_bound);
    if (x.is_certain)
        sums.log_num += log_rise(Parts(uint(max(s2 - 1 - int(x.whole), 0)), x.whole));
    return x.is_certain;
}

// The horizontal filters of a run of pixels, and their statistic.
void score_run(int row, int first, int pixels, inout Sums sums)
{
    uint mean[2][kRun];
    [[unroll]] for (int j = 0; j < kRun; ++j)
        mean[0][j] = mean[1][j] = 0;
    [[unroll]] for (int i = 0; i < kRun + 2 * kHalf; ++i) {
        const uint word = means[row][first + i];
        [[unroll]] for (int j = 0; j < kRun; ++j)
            if (j <= i && i <= j + 2 * kHalf) {
                mean[0][j] += tap(i - j - kHalf) * (word & 0xffff);
                mean[1][j] += tap(i - j - kHalf) * (word >> 16);
            }
    }
    uint moments[3][kRun]; // S1, S2, S12
    [[unroll]] for (int which = 0; which < 3; ++which) {
        uint64_t filtered[kRun];
        [[unroll]] for (int j = 0; j < kRun; ++j)
            filtered[j] = 0x8000;
        [[unroll]] for (int i = 0; i < kRun + 2 * kHalf; ++i) {
            const uint word = squares[which][row][first + i];
            [[unroll]] for (int j = 0; j < kRun; ++j)
                if (j <= i && i <= j + 2 * kHalf)
                    filtered[j] += uint64_t(tap(i - j - kHalf)) * word;
        }
        [[unroll]] for (int j = 0; j < kRun; ++j) {
            uint product, below;
            umulExtended(mean[which & 1][j], mean[(which + 1) >> 1][j], product, below);
            moments[which][j] = uint(filtered[j] >> 16) - (product + (below >> 31));
        }
    }
    uint uncertain = 0;
    [[unroll]] for (int j = 0; j < kRun; ++j)
        if (j < pixels && !add_pixel(moments[0][j], int(moments[1][j]), int(moments[2][j]), sums))
            uncertain |= 1u << j;
    for (; uncertain != 0; uncertain &= uncertain - 1) {
        uvec3 pixel;
        [[unroll]] for (int j = 0; j < kRun; ++j)
            if (findLSB(uncertain) == j)
                pixel = uvec3(moments[0][j], moments[1][j], moments[2][j]);
        sums.log_num += log_rise(parts(pixel.x, pixel.y, pixel.z));
    }
}

// spec vif 3.2: the vertical pass of the next scale's filter, on even rows.
void filter_next_column(int thread)
{
    const uint bits = kScale == 0 ? bpc : 16;
    [[unroll]] for (int row = 0; row < kStepRows; row += 2) {
        uint ref = 1u << (bits - 1), dis = ref;
        [[unroll]] for (int d = -kNextHalf; d <= kNextHalf; ++d) {
            const uint word = window[row + kHalf + d];
            ref += other_tap(d) * (word & 0xffff);
            dis += other_tap(d) * (word >> 16);
        }
        next_rows[row / 2][thread] = (ref >> bits) | (dis >> bits) << 16;
    }
}

// The horizontal pass, on even columns: `from` in next_rows, `to` in the picture of the next scale.
void store_next(ivec2 from, ivec2 to)
{
    const ivec2 next = size_of(kScale + 1);
    if (any(greaterThanEqual(to, next)))
        return;
    uint ref = 0x8000, dis = 0x8000;
    [[unroll]] for (int d = -kNextHalf; d <= kNextHalf; ++d) {
        const uint word = next_rows[from.y][from.x + d];
        ref += other_tap(d) * (word & 0xffff);
        dis += other_tap(d) * (word >> 16);
    }
    pyramid_of(kScale + 1).words[uint(to.y) * uint(next.x) + uint(to.x)] = (ref >> 16) | dis & 0xffff0000;
}

void main()
{
    log_table = Words(log_table_at);
    gain_limit = gain_limit_bits;
    gain_offset = gain_offset_bits;
    const ivec2 size = size_of(kScale);
    const int thread = int(gl_LocalInvocationID.x);
    const ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(kTileColumns, kTileRows);
    const int x = tile.x + thread - kHalf;
    pair = batch.frames[gl_WorkGroupID.z].pair;
    Sums sums = Sums(0, 0, 0, 0);
    [[unroll]] for (int i = 0; i < kStepRows + 2 * kHalf; ++i)
        window[i] = load(x, tile.y - kHalf + i);
    for (int top = tile.y; top < min(tile.y + kTileRows, size.y); top += kStepRows) {
        if (kScale < 3)
            filter_next_column(thread);
        if (kIsScored)
            filter_column(thread, x);
        // Those of the next step come while this one goes on.
        [[unroll]] for (int i = 0; i < kStepRows + 2 * kHalf; ++i)
            window[i] = i < 2 * kHalf ? window[i + kStepRows] : load(x, top + kStepRows - kHalf + i);
        barrier();
        for (int i = thread; kScale < 3 && i < kStepRows / 2 * kTileColumns / 2; i += kGroupThreads) {
            const ivec2 at = ivec2(i % (kTileColumns / 2), i / (kTileColumns / 2));
            store_next(ivec2(2 * at.x + kHalf, at.y), at + ivec2(tile.x, top) / 2);
        }
        const int row = thread / kRunsInRow, first = thread % kRunsInRow * kRun;
        if (kIsScored && top + row < size.y)
            score_run(row, first, size.x - tile.x - first, sums);
        barrier();
    }
    if (!kIsScored)
        return;
    // Two in one: over a group's pixels, logarithms stay below 2^32, and variances below 2^48.
    add_in_group(uint64_t[GROUP_SUMS](uint64_t(sums.log_den) << 32 | sums.log_num,
                                      uint64_t(sums.low_count) << 48 | sums.low_var2));
    if (thread < GROUP_SUMS) {
        const uint64_t both = group_sum(uint(thread)), total = batch.frames[gl_WorkGroupID.z].sums + kScale * 32;
        const int bits = thread == 0 ? 32 : 48;
        const uint64_t first = total + thread * 16; // in a VifScaleSums
        add_to_sum(first, both & ((uint64_t(1) << bits) - 1));
        add_to_sum(first + 8, both >> bits);
    }
}
