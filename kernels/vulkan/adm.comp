#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "real.glsl"

// spec adm 3.1 to 3.7 on batches of frames: one dispatch a scale, then one that rounds and adds the
// sums of the rows.
//
// A group goes down a tile of the bands of a frame (z), which has a halo of one position for the
// masks, in steps of two rows. In each step a thread filters down an input column. Then it takes a
// position of a row: it filters along the lines and makes everything that the position tells alone.
// A step later the positions around are there too, so that its cubes can be added. The sums of each
// row over the tile's columns stay in scratch memory, as does band A.

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
const int kColumns = 61, kRows = 30; // of a tile, as in src/feature/adm/adm_vulkan.cpp
const int kStepRows = 2, kRowThreads = kGroupThreads / kStepRows;
const int kWide = kColumns + 2; // positions of a row, with the halo
const int kSlots = 8;           // rows of neighbours: those of two steps and one before

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
    uint64_t scratch;
    AdmParams params;
    uint64_t frame_bytes; // of scratch memory
    ivec2 size_px;
};

#include "adm_signals.glsl"

shared ivec2 lines[2][kStepRows][kGroupThreads]; // low and high pass down the columns
shared uint neighbours[2][kSlots][kRowThreads];  // n of both maskers, summed over the bands
const int kSums = kRowSums * kStepRows;      // of a step: [which][row]
const int kSumParts = kGroupThreads / kSums; // of each
const int kStride = kRowThreads + kSumParts; // sums lie in different banks
shared uint64_t of_positions[kSums][kStride];
shared uint64_t sums_of_parts[kSums][kSumParts];

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
RowSums row_sums;

ivec2 size_of_input()
{
    return kScale == 0 ? size_px : ivec2(params.scale[kScale - 1].width, params.scale[kScale - 1].height);
}

// spec adm 3.1: index -1 means 1, index >= size means 2 * size - 1 - index; both held inside.
int mirror_of_taps(int index, int size)
{
    return clamp(min(abs(index), 2 * size - 1 - index), 0, size - 1);
}

Pair pair; // of the frame

// Samples of a picture above the depth's maximum count as the maximum.
ivec2 load(int x, int y)
{
    const ivec2 size = size_of_input();
    const int column = mirror_of_taps(x, size.x), row = mirror_of_taps(y, size.y);
    if (kScale == 0) {
        const uint most = kSampleBytes == 1 ? 255 : (1u << params.bpc) - 1;
        return ivec2(min(sample_of(row_of(pair.ref[0], row), column), most),
                     min(sample_of(row_of(pair.dis[0], row), column), most));
    }
    return band_before.values[uint(row) * uint(size.x) + uint(column)];
}

int low_pass(int taps[4], int64_t start, uint shift)
{
    return int((start + int64_t(kLow0) * taps[0] + int64_t(kLow1) * taps[1] + int64_t(kLow2) * taps[2] +
                int64_t(kLow3) * taps[3]) >> shift);
}

int high_pass(int taps[4], int64_t start, uint shift)
{
    return int((start + int64_t(kHigh0) * taps[0] + int64_t(kHigh1) * taps[1] + int64_t(kHigh2) * taps[2] +
                int64_t(kHigh3) * taps[3]) >> shift);
}

const int kInputRows = 2 * kStepRows + 2; // under the taps
ivec2 window[kInputRows];                 // of the thread's column

// Down the thread's input column.
void filter_column(int thread)
{
    const uint shift = kScale == 0 ? params.bpc : kScale == 1 ? 0 : 16;
    const int half_unit = (1 << shift) >> 1;
    const int grey = kScale == 0 ? (kLow0 + kLow1 + kLow2 + kLow3) * half_unit : 0; // becomes 0
    [[unroll]] for (int row = 0; row < kStepRows; ++row)
        [[unroll]] for (int side = 0; side < 2; ++side) {
            const int taps[4] = int[4](window[2 * row][side], window[2 * row + 1][side], window[2 * row + 2][side],
                                       window[2 * row + 3][side]);
            lines[0][row][thread][side] = low_pass(taps, int64_t(half_unit) - int64_t(grey), shift);
            lines[1][row][thread][side] = high_pass(taps, half_unit, shift);
        }
}

// What a position tells alone.
struct Position {
    uint strengths[2][kBands]; // of the restored and the additive signal
    uint centres[2];           // z - n likewise, summed over the bands
    uint sizes[kBands];        // abs(o)
};

// Along the lines, then everything about the position. @param slot of the row's neighbours
Position transform(int row, int column, ivec2 at, bool is_inside, int slot)
{
    const uint shift = kScale == 0 || kScale == 2 ? 16 : 15;
    const int half_unit = 1 << (shift - 1);
    ivec2 low, bands[kBands];
    [[unroll]] for (int side = 0; side < 2; ++side) {
        int taps[2][4];
        [[unroll]] for (int k = 0; k < 4; ++k) {
            taps[0][k] = lines[0][row][2 * column + k][side];
            taps[1][k] = lines[1][row][2 * column + k][side];
        }
        low[side] = low_pass(taps[0], half_unit, shift);
        bands[0][side] = low_pass(taps[1], half_unit, shift);
        bands[1][side] = high_pass(taps[0], half_unit, shift);
        bands[2][side] = high_pass(taps[1], half_unit, shift);
    }
    const AdmScale scale = params.scale[kScale];
    if (kScale < kScales - 1 && is_inside && at.x < int(scale.width) && at.y < int(scale.height))
        low_band.values[uint(at.y) * scale.width + uint(at.x)] = low;

    Position made;
    const bool flag = angle_flag(bands[0], bands[1]);
    uint neighbour[2] = uint[2](0, 0);
    made.centres = uint[2](0, 0);
    [[unroll]] for (int band = 0; band < kBands; ++band) {
        const Decoupled decoupled = decouple(bands[band].x, bands[band].y, flag);
        made.sizes[band] = abs(bands[band].x);
        [[unroll]] for (int i = 0; i < 2; ++i) {
            const Masker one = masker(scale.weight[band], i == 0 ? decoupled.restored : decoupled.additive, band == 2);
            made.strengths[i][band] = one.strength;
            neighbour[i] += one.neighbour;
            made.centres[i] += one.centre - one.neighbour;
        }
    }
    neighbours[0][slot][column] = neighbour[0];
    neighbours[1][slot][column] = neighbour[1];
    return made;
}

// spec adm 3.5: the row or column before the first one is the second one, that behind the last is
// the last.
ivec3 around(int at, uint size)
{
    return ivec3(at > 0 ? at - 1 : min(1, int(size) - 1), at, min(at + 1, int(size) - 1));
}

uint threshold(int masker_, uint centre, ivec3 columns, ivec3 slots)
{
    uint sum = centre;
    [[unroll]] for (int j = 0; j < 3; ++j)
        [[unroll]] for (int i = 0; i < 3; ++i)
            sum += neighbours[masker_][slots[j]][columns[i]];
    return sum;
}

int slot_of(int row)
{
    return row & (kSlots - 1);
}

// num, aim and den of a position, 0 outside the borders.
void keep_cubes(Position of, ivec2 at, bool is_inside, ivec2 tile, int row, int column)
{
    const AdmScale scale = params.scale[kScale];
    uint64_t cubes[kRowSums] = uint64_t[kRowSums](0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (is_inside && at.x >= int(scale.left) && at.x < int(scale.right) && at.y >= int(scale.top) &&
        at.y < int(scale.bottom)) {
        const ivec3 columns = around(at.x, scale.width) - tile.x + 1, rows = around(at.y, scale.height) - tile.y + 1;
        const ivec3 slots = ivec3(slot_of(rows.x), slot_of(rows.y), slot_of(rows.z));
        const uint by_additive = threshold(1, of.centres[1], columns, slots);
        const uint by_restored = threshold(0, of.centres[0], columns, slots);
        [[unroll]] for (int band = 0; band < kBands; ++band) {
            cubes[band] = cube(of.strengths[0][band], by_additive, scale.cube_shift[band], band == 2);
            if (params.skip_aim == 0)
                cubes[kBands + band] = cube(of.strengths[1][band], by_restored, scale.cube_shift[band], band == 2);
            cubes[2 * kBands + band] = den_cube(of.sizes[band], scale.den_cube_shift);
        }
    }
    [[unroll]] for (int which = 0; which < kRowSums; ++which)
        of_positions[which * kStepRows + row][column] = cubes[which];
}

void sum_positions(int thread)
{
    const int sum = thread / kSumParts, part = thread % kSumParts;
    if (sum >= kSums)
        return;
    uint64_t value = 0;
    for (int column = part; column < kRowThreads; column += kSumParts)
        value += of_positions[sum][column];
    sums_of_parts[sum][part] = value;
}

// @param first the step's first row
void store_row_sums(int thread, int first, ivec2 tile)
{
    const int which = thread / kStepRows, y = first + thread % kStepRows;
    if (thread >= kSums || y < tile.y || y >= min(tile.y + kRows, int(params.scale[kScale].height)))
        return;
    uint64_t value = 0;
    for (int part = 0; part < kSumParts; ++part)
        value += sums_of_parts[thread][part];
    const int strip = which * strips_of(kScale) + int(gl_WorkGroupID.x);
    row_sums.values[uint(strip) * params.scale[kScale].height + uint(y)] = value;
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
    row_sums = RowSums(place_of(kScale, true));
    pair = batch.frames[gl_WorkGroupID.z].pair;
    const int thread = int(gl_LocalInvocationID.x), row = thread / kRowThreads, column = thread % kRowThreads;
    const ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(kColumns, kRows);
    const int rows = min(kRows, int(params.scale[kScale].height) - tile.y);
    const int steps = (rows + 2 + kStepRows - 1) / kStepRows;
    const int input_x = 2 * (tile.x - 1) - 1 + thread;
    Position before, now;
    [[unroll]] for (int i = 0; i < kInputRows; ++i)
        window[i] = load(input_x, 2 * (tile.y - 1) - 1 + i);
    // The cubes of a step's rows take a further step, and their sums one more.
    for (int step = 0; step < steps + 2; ++step) {
        const int y = tile.y - 1 + step * kStepRows;
        if (step < steps) {
            filter_column(thread);
            // Those of the next step come while this one goes on.
            [[unroll]] for (int i = 0; i < kInputRows; ++i)
                window[i] = i < 2 ? window[i + 2 * kStepRows] : load(input_x, 2 * (y + kStepRows) - 1 + i);
        }
        barrier();
        const bool is_column = column > 0 && column <= kColumns;
        before = now;
        if (step < steps && column < kWide)
            now = transform(row, column, ivec2(tile.x - 1 + column, y + row),
                            is_column && y + row >= tile.y && y + row < tile.y + kRows, slot_of(y + row - tile.y + 1));
        if (step >= 2)
            sum_positions(thread);
        barrier();
        if (step >= 2)
            store_row_sums(thread, y - 2 * kStepRows, tile);
        if (step >= 1 && step <= steps)
            keep_cubes(before, ivec2(tile.x - 1 + column, y - kStepRows + row), is_column, tile, row, column);
    }
}
