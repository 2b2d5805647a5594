#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "real.glsl"

// spec adm 3.1 to 3.7 on batches of frames: one dispatch a scale, then one that rounds and adds the
// sums of the rows.
//
// A group takes a tile of the bands of a frame (z), with a halo of one position for the masks. It
// leaves band A in scratch memory, and of each row of the tile the sums over its columns.

layout(constant_id = 1) const int kScale = 0;
layout(constant_id = 2) const bool kFinishes = false;
// kAdmLow and kAdmHigh of src/feature/adm/adm_params.h.
layout(constant_id = 3) const int kLow0 = 0;
layout(constant_id = 4) const int kLow1 = 0;
layout(constant_id = 5) const int kLow2 = 0;
layout(constant_id = 6) const int kLow3 = 0;
layout(constant_id = 7) const int kHigh0 = 0;
layout(constant_id = 8) const int kHigh1 = 0;
layout(constant_id = 9) const int kHigh2 = 0;
layout(constant_id = 10) const int kHigh3 = 0;

const int kScales = 4, kBands = 3; // H, V, D
const int kRowSums = 3 * kBands;   // num, aim, den
const int kColumns = 32, kRows = 8; // of a tile, as in src/feature/adm/adm_vulkan.cpp
const int kWide = kColumns + 2, kTall = kRows + 2, kPositions = kWide * kTall;
const int kInputs = 2 * kWide + 2; // input columns under the taps

struct AdmScale { // as in src/feature/adm/adm_params.h
    uint width, height, left, top, right, bottom;
    uint weight[kBands];
    uint cube_shift[kBands];
    uint row_shift, den_cube_shift, den_row_shift;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer AdmParams
{
    AdmScale scale[kScales];
    uint64_t gain_limit; // bits of a double
    uint bpc, skip_scale0, skip_aim;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pairs
{
    ivec2 values[]; // reference, distorted
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer RowSums
{
    uint64_t values[];
};

layout(push_constant) uniform Arguments
{
    Batch batch;
    AdmParams params;
    uint64_t scratch;
    uint64_t frame_bytes; // of scratch memory
    ivec2 size_px;
};

#include "adm_signals.glsl"

shared ivec2 lines[2 * kTall * kInputs]; // low and high pass down the columns; then sums of threads
shared uint strengths[2][kBands][kPositions]; // of the restored and the additive signal
shared uint neighbours[2][kPositions];        // n, summed over the bands
shared uint centres[2][kPositions];           // z - n likewise
shared uint sizes[kBands][kPositions];        // abs(o)

int strips_of(int scale)
{
    return (int(params.scale[scale].width) + kColumns - 1) / kColumns;
}

// Scratch memory of a frame holds band A of scales 0 to 2, then the sums of rows of all scales:
// [which][strip][row].
uint64_t place_of(int scale, bool is_sums)
{
    uint64_t at = scratch + frame_bytes * gl_WorkGroupID.z;
    for (int s = 0; s < (is_sums ? kScales - 1 : scale); ++s)
        at += uint64_t(params.scale[s].width) * params.scale[s].height * 8;
    for (int s = 0; is_sums && s < scale; ++s)
        at += uint64_t(strips_of(s) * kRowSums) * params.scale[s].height * 8;
    return at;
}

Pairs band_before, low_band;

ivec2 size_of_input()
{
    return kScale == 0 ? size_px : ivec2(params.scale[kScale - 1].width, params.scale[kScale - 1].height);
}

// spec adm 3.1: index -1 means 1, index >= size means 2 * size - 1 - index; both held inside.
int mirror_of_taps(int index, int size)
{
    return clamp(min(abs(index), 2 * size - 1 - index), 0, size - 1);
}

// Samples of a picture above the depth's maximum count as the maximum.
ivec2 load(int x, int y)
{
    const ivec2 size = size_of_input();
    const int column = mirror_of_taps(x, size.x), row = mirror_of_taps(y, size.y);
    if (kScale == 0) {
        const Pair pair = batch.frames[gl_WorkGroupID.z].pair;
        const uint most = (1u << params.bpc) - 1;
        return ivec2(min(sample_of(row_of(pair.ref[0], row), column), most),
                     min(sample_of(row_of(pair.dis[0], row), column), most));
    }
    return band_before.values[uint(row) * uint(size.x) + uint(column)];
}

int low_pass(int a, int b, int c, int d, int64_t start, uint shift)
{
    return int((start + int64_t(kLow0) * a + int64_t(kLow1) * b + int64_t(kLow2) * c + int64_t(kLow3) * d) >> shift);
}

int high_pass(int a, int b, int c, int d, int64_t start, uint shift)
{
    return int((start + int64_t(kHigh0) * a + int64_t(kHigh1) * b + int64_t(kHigh2) * c + int64_t(kHigh3) * d) >>
               shift);
}

int line_at(int pass, int row, int column)
{
    return (pass * kTall + row) * kInputs + column;
}

// Down an input column, for one row of the tile.
void filter_column(int row, int column, ivec2 tile)
{
    ivec2 taps[4];
    [[unroll]] for (int k = 0; k < 4; ++k)
        taps[k] = load(2 * (tile.x - 1) - 1 + column, 2 * (tile.y - 1 + row) - 1 + k);
    const uint shift = kScale == 0 ? params.bpc : kScale == 1 ? 0 : 16;
    const int half_unit = (1 << shift) >> 1;
    const int grey = kScale == 0 ? (kLow0 + kLow1 + kLow2 + kLow3) * half_unit : 0; // becomes 0
    [[unroll]] for (int side = 0; side < 2; ++side) {
        lines[line_at(0, row, column)][side] = low_pass(taps[0][side], taps[1][side], taps[2][side], taps[3][side],
                                               int64_t(half_unit) - int64_t(grey), shift);
        lines[line_at(1, row, column)][side] =
            high_pass(taps[0][side], taps[1][side], taps[2][side], taps[3][side], half_unit, shift);
    }
}

// Along the lines, then everything about the position.
void transform(int row, int column, ivec2 tile)
{
    const uint shift = kScale == 0 || kScale == 2 ? 16 : 15;
    const int half_unit = 1 << (shift - 1);
    ivec2 low, bands[kBands];
    [[unroll]] for (int side = 0; side < 2; ++side) {
        int taps[2][4];
        [[unroll]] for (int k = 0; k < 4; ++k) {
            taps[0][k] = lines[line_at(0, row, 2 * column + k)][side];
            taps[1][k] = lines[line_at(1, row, 2 * column + k)][side];
        }
        low[side] = low_pass(taps[0][0], taps[0][1], taps[0][2], taps[0][3], half_unit, shift);
        bands[0][side] = low_pass(taps[1][0], taps[1][1], taps[1][2], taps[1][3], half_unit, shift);
        bands[1][side] = high_pass(taps[0][0], taps[0][1], taps[0][2], taps[0][3], half_unit, shift);
        bands[2][side] = high_pass(taps[1][0], taps[1][1], taps[1][2], taps[1][3], half_unit, shift);
    }
    const AdmScale scale = params.scale[kScale];
    const ivec2 at = tile + ivec2(column, row) - 1;
    if (kScale < kScales - 1 && column > 0 && column <= kColumns && row > 0 && row <= kRows && at.x < int(scale.width) &&
        at.y < int(scale.height))
        low_band.values[uint(at.y) * scale.width + uint(at.x)] = low;

    const int position = row * kWide + column;
    const bool flag = angle_flag(bands[0], bands[1]);
    uint neighbour[2] = uint[2](0, 0), centre[2] = uint[2](0, 0);
    [[unroll]] for (int band = 0; band < kBands; ++band) {
        const Decoupled decoupled = decouple(bands[band].x, bands[band].y, flag);
        sizes[band][position] = abs(bands[band].x);
        [[unroll]] for (int i = 0; i < 2; ++i) {
            const Masker one = masker(scale.weight[band], i == 0 ? decoupled.restored : decoupled.additive, band == 2);
            strengths[i][band][position] = one.strength;
            neighbour[i] += one.neighbour;
            centre[i] += one.centre - one.neighbour;
        }
    }
    [[unroll]] for (int i = 0; i < 2; ++i) {
        neighbours[i][position] = neighbour[i];
        centres[i][position] = centre[i];
    }
}

// spec adm 3.5: the row or column before the first one is the second one, that behind the last is
// the last.
ivec3 around(int at, uint size)
{
    return ivec3(at > 0 ? at - 1 : min(1, int(size) - 1), at, min(at + 1, int(size) - 1));
}

uint threshold(int masker_, ivec2 at, ivec2 tile)
{
    const ivec3 columns = around(at.x, params.scale[kScale].width) - tile.x + 1;
    const ivec3 rows = around(at.y, params.scale[kScale].height) - tile.y + 1;
    uint sum = centres[masker_][rows.y * kWide + columns.y];
    [[unroll]] for (int j = 0; j < 3; ++j)
        [[unroll]] for (int i = 0; i < 3; ++i)
            sum += neighbours[masker_][rows[j] * kWide + columns[i]];
    return sum;
}

// Adds a position's num, aim and den.
void add_position(ivec2 at, ivec2 tile, inout uint64_t sums[kRowSums])
{
    const AdmScale scale = params.scale[kScale];
    const int position = (at.y - tile.y + 1) * kWide + at.x - tile.x + 1;
    const uint by_additive = threshold(1, at, tile), by_restored = threshold(0, at, tile);
    [[unroll]] for (int band = 0; band < kBands; ++band) {
        sums[band] += cube(strengths[0][band][position], by_additive, scale.cube_shift[band], band == 2);
        if (params.skip_aim == 0)
            sums[kBands + band] += cube(strengths[1][band][position], by_restored, scale.cube_shift[band], band == 2);
        sums[2 * kBands + band] += den_cube(sizes[band][position], scale.den_cube_shift);
    }
}

const int kRowThreads = kGroupThreads / kRows;

// Puts the sums of a thread where the lines were, in halves.
void keep_sums(int thread, uint64_t sums[kRowSums])
{
    [[unroll]] for (int which = 0; which < kRowSums; ++which)
        lines[which * kGroupThreads + thread] = ivec2(int(uint(sums[which])), int(uint(sums[which] >> 32)));
}

uint64_t kept_sum(int which, int thread)
{
    const ivec2 halves = lines[which * kGroupThreads + thread];
    return uint64_t(uint(halves.y)) << 32 | uint(halves.x);
}

void sum_rows(int thread, ivec2 tile)
{
    const AdmScale scale = params.scale[kScale];
    uint64_t sums[kRowSums] = uint64_t[kRowSums](0, 0, 0, 0, 0, 0, 0, 0, 0);
    const int y = tile.y + thread / kRowThreads;
    if (y >= int(scale.top) && y < int(scale.bottom))
        for (int column = thread % kRowThreads; column < kColumns; column += kRowThreads) {
            const int x = tile.x + column;
            if (x >= int(scale.left) && x < int(scale.right))
                add_position(ivec2(x, y), tile, sums);
        }
    keep_sums(thread, sums);
    barrier();
    const int row = thread % kRows, which = thread / kRows;
    if (which >= kRowSums || tile.y + row >= int(scale.height))
        return;
    uint64_t sum = 0;
    for (int i = 0; i < kRowThreads; ++i)
        sum += kept_sum(which, row * kRowThreads + i);
    const int strip = which * strips_of(kScale) + int(gl_WorkGroupID.x);
    RowSums(place_of(kScale, true)).values[uint(strip) * scale.height + uint(tile.y + row)] = sum;
}

// N of spec adm 3.6 or D of 3.7 of one scale and band.
void finish(int scale_index, int which)
{
    const AdmScale scale = params.scale[scale_index];
    const bool is_den = which >= 2 * kBands;
    const uint shift = is_den ? scale.den_row_shift : scale.row_shift;
    RowSums rows = RowSums(place_of(scale_index, true));
    const int strips = strips_of(scale_index);
    uint64_t sum = 0;
    if (scale_index > 0 || params.skip_scale0 == 0)
        for (uint y = scale.top + gl_LocalInvocationID.x; y < scale.bottom; y += kGroupThreads) {
            uint64_t row = half_unit_of(shift);
            for (int strip = which * strips; strip < (which + 1) * strips; ++strip)
                row += rows.values[uint(strip) * scale.height + y];
            sum += is_den ? row >> shift : uint64_t(int64_t(row) >> shift);
        }
    const int kind = which / kBands, band = which % kBands;
    group_add_to_sums(batch.frames[gl_WorkGroupID.z].sums + ((kind * kScales + scale_index) * kBands + band) * 8,
                      uint64_t[GROUP_SUMS](sum));
}

void main()
{
    if (kFinishes) {
        finish(int(gl_WorkGroupID.x), int(gl_WorkGroupID.y));
        return;
    }
    if (kScale > 0)
        band_before = Pairs(place_of(kScale - 1, false));
    low_band = Pairs(place_of(kScale, false));
    const int thread = int(gl_LocalInvocationID.x);
    const ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(kColumns, kRows);
    for (int i = thread; i < kTall * kInputs; i += kGroupThreads)
        filter_column(i / kInputs, i % kInputs, tile);
    barrier();
    for (int i = thread; i < kPositions; i += kGroupThreads)
        transform(i / kWide, i % kWide, tile);
    barrier();
    sum_rows(thread, tile);
}
