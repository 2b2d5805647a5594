#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

// spec psnr 3 on batches of frames, all planes in one dispatch: a group takes kGroupRows rows of a
// plane (y) of a frame (z), and a thread words of them.

const int kGroupRows = 16;

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch; // none
    ivec2 size_px[3];
};

uint square_error(uint ref, uint dis)
{
    uint difference = ref > dis ? ref - dis : dis - ref;
    return difference * difference; // below 2^32 even at 16 bit
}

// Error of the first `count` samples of a word.
uint64_t word_error(uint ref, uint dis, int count)
{
    const int bits = int(kSampleBytes) * 8;
    uint64_t sum = 0;
    for (int i = 0; i < min(count, 32 / bits); ++i)
        sum += square_error(bitfieldExtract(ref, i * bits, bits), bitfieldExtract(dis, i * bits, bits));
    return sum;
}

void main()
{
    const uint plane = gl_WorkGroupID.y;
    const ivec2 size = size_px[plane];
    const Plane ref = batch.frames[gl_WorkGroupID.z].pair.ref[plane];
    const Plane dis = batch.frames[gl_WorkGroupID.z].pair.dis[plane];
    const int word_samples = 4 / int(kSampleBytes);
    const int top = int(gl_WorkGroupID.x) * kGroupRows;
    uint64_t sum = 0;
    for (int y = top; y < min(top + kGroupRows, size.y); ++y) {
        Words ref_row = row_of(ref, y);
        Words dis_row = row_of(dis, y);
        for (int x = int(gl_LocalInvocationID.x) * word_samples; x < size.x; x += kGroupThreads * word_samples)
            sum += word_error(ref_row.words[x / word_samples], dis_row.words[x / word_samples], size.x - x);
    }
    group_add_to_sums(batch.frames[gl_WorkGroupID.z].sums + plane * 8, uint64_t[GROUP_SUMS](sum));
}
