#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

// spec motion 3 on batches of frames: a group takes a tile of a frame (z), a thread the columns of a
// word. The outer words only supply what their neighbours' horizontal filter reads.

// kMotionTaps of src/feature/motion/motion_params.h.
layout(constant_id = 1) const uint kOuter = 0;
layout(constant_id = 2) const uint kInner = 0;
layout(constant_id = 3) const uint kCentre = 0;

const int kReach = 2;
const int kInWord = 4 / int(kSampleBytes); // samples
const int kTileColumns = kInWord * (kGroupThreads - 2), kTileRows = 8; // as in src/feature/motion/motion_vulkan.cpp

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch;
    ivec2 size_px;
    uint bpc;
    uint distance; // how many pairs earlier the picture was that a frame is compared with; not 0
};

shared int filtered[kTileRows][kInWord][kGroupThreads]; // down the columns

int low_pass(int outer_pair, int inner_pair, int centre, uint shift, bool is_narrow)
{
    if (is_narrow)
        return (int(kOuter) * outer_pair + int(kInner) * inner_pair + int(kCentre) * centre + (1 << (shift - 1))) >> shift;
    const int64_t sum =
        int64_t(kOuter) * outer_pair + int64_t(kInner) * inner_pair + int64_t(kCentre) * centre;
    return int((sum + (1 << (shift - 1))) >> shift);
}

// The difference of the pictures' samples in a word; step 1: larger ones count as the maximum.
ivec4 difference(uint earlier, uint current)
{
    const int bits = int(kSampleBytes) * 8;
    const uint most = (1u << bpc) - 1;
    ivec4 samples;
    [[unroll]] for (int k = 0; k < kInWord; ++k)
        samples[k] = int(min(bitfieldExtract(earlier, k * bits, bits), most)) -
                     int(min(bitfieldExtract(current, k * bits, bits), most));
    return samples;
}

// What was filtered down a column, which may lie outside. @param first column of the tile's words
int filtered_at(int row, int first, int x)
{
    const int column = max(mirror(x, size_px.x) - first, 0); // 0: nobody asks for what is made of it
    return filtered[row][column % kInWord][column / kInWord];
}

// Step 2 along the lines of the tile's rows, and the sum of what it makes.
uint sum_rows(int thread, int first, int rows)
{
    const int x = first + thread * kInWord;
    const bool is_inside = x >= kInWord && x + 2 * kInWord <= size_px.x;
    uint sum = 0;
    for (int row = 0; row < rows; ++row) {
        int line[kInWord + 2 * kReach];
        [[unroll]] for (int i = 0; i < kInWord + 2 * kReach; ++i) {
            const int at = i - kReach + kInWord; // in the words before, here and behind
            line[i] = is_inside ? filtered[row][at % kInWord][thread - 1 + at / kInWord]
                                : filtered_at(row, first, x + i - kReach);
        }
        [[unroll]] for (int k = 0; k < kInWord; ++k)
            if (x + k < size_px.x)
                sum += abs(low_pass(line[k] + line[k + 4], line[k + 1] + line[k + 3], line[k + 2], 16, false));
    }
    return sum;
}

void main()
{
    const Plane current = batch.frames[gl_WorkGroupID.z].pair.ref[0];
    const Plane earlier = batch.frames[gl_WorkGroupID.z].earlier[distance - 1].ref[0];
    if (earlier.data == 0)
        return;
    const int thread = int(gl_LocalInvocationID.x);
    const int first = int(gl_WorkGroupID.x) * kTileColumns - kInWord, top = int(gl_WorkGroupID.y) * kTileRows;
    const int words = (size_px.x + kInWord - 1) / kInWord;
    const int word = clamp(first / kInWord + thread, 0, words - 1); // outside: nobody looks at it
    ivec4 rows[kTileRows + 2 * kReach];
    [[unroll]] for (int i = 0; i < kTileRows + 2 * kReach; ++i) {
        const int row = mirror(top - kReach + i, size_px.y);
        rows[i] = difference(row_of(earlier, row).words[word], row_of(current, row).words[word]);
    }
    [[unroll]] for (int row = 0; row < kTileRows; ++row) {
        const ivec4 outer_pair = rows[row] + rows[row + 4], inner_pair = rows[row + 1] + rows[row + 3];
        [[unroll]] for (int k = 0; k < kInWord; ++k)
            filtered[row][k][thread] =
                low_pass(outer_pair[k], inner_pair[k], rows[row + 2][k], bpc, kSampleBytes == 1);
    }
    barrier();
    uint sum = 0; // of 32 values below 2^16
    if (thread > 0 && thread < kGroupThreads - 1)
        sum = sum_rows(thread, first, min(kTileRows, size_px.y - top));
    group_add_to_sums(batch.frames[gl_WorkGroupID.z].sums, uint64_t[GROUP_SUMS](sum));
}
