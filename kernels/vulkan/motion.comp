#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

// spec motion 3 on batches of frames: a group takes a tile of a frame (z), a thread a column of it.
// The outer columns only supply what their neighbours' horizontal filter reads.

// kMotionTaps of src/feature/motion/motion_params.h.
layout(constant_id = 1) const uint kOuter = 0;
layout(constant_id = 2) const uint kInner = 0;
layout(constant_id = 3) const uint kCentre = 0;

const int kReach = 2;
const int kTileColumns = kGroupThreads - 2 * kReach; // as in src/feature/motion/motion_vulkan.cpp
const int kTileRows = 16;

layout(push_constant) uniform Arguments
{
    Batch batch;
    ivec2 size_px;
    uint bpc;
    uint distance; // how many pairs earlier the picture was that a frame is compared with; not 0
};

shared int filtered[kTileRows][kGroupThreads];

int low_pass(int outer_pair, int inner_pair, int centre, uint shift)
{
    const int64_t sum =
        int64_t(kOuter) * outer_pair + int64_t(kInner) * inner_pair + int64_t(kCentre) * centre;
    return int((sum + (1 << (shift - 1))) >> shift);
}

// Step 1: samples above the depth's maximum count as the maximum.
int difference(Plane earlier, Plane current, int x, int y)
{
    const uint most = (1u << bpc) - 1;
    const int row = mirror(y, size_px.y);
    return int(min(sample_of(row_of(earlier, row), x), most)) - int(min(sample_of(row_of(current, row), x), most));
}

// Step 2 down the thread's column.
void filter_column(Plane earlier, Plane current, int x, int top)
{
    int rows[5];
    for (int i = 0; i < 4; ++i)
        rows[i] = difference(earlier, current, x, top - kReach + i);
    for (int row = 0; row < kTileRows && top + row < size_px.y; ++row) {
        rows[4] = difference(earlier, current, x, top + row + kReach);
        filtered[row][gl_LocalInvocationID.x] = low_pass(rows[0] + rows[4], rows[1] + rows[3], rows[2], bpc);
        for (int i = 0; i < 4; ++i)
            rows[i] = rows[i + 1];
    }
}

void main()
{
    const Plane current = batch.frames[gl_WorkGroupID.z].pair.ref[0];
    const Plane earlier = batch.frames[gl_WorkGroupID.z].earlier[distance - 1].ref[0];
    if (earlier.data == 0)
        return;
    const int thread = int(gl_LocalInvocationID.x);
    const int x = int(gl_WorkGroupID.x) * kTileColumns + thread - kReach, top = int(gl_WorkGroupID.y) * kTileRows;
    filter_column(earlier, current, mirror(x, size_px.x), top);
    barrier();
    uint sum = 0; // of 16 values below 2^16
    if (thread >= kReach && thread < kGroupThreads - kReach && x < size_px.x)
        for (int row = 0; row < kTileRows && top + row < size_px.y; ++row)
            sum += abs(low_pass(filtered[row][thread - 2] + filtered[row][thread + 2],
                                filtered[row][thread - 1] + filtered[row][thread + 1], filtered[row][thread], 16));
    group_add_to_sums(batch.frames[gl_WorkGroupID.z].sums, uint64_t[GROUP_SUMS](sum));
}
