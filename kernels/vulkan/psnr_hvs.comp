#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "single.glsl"

// spec psnr_hvs 3 on batches of frames, as kernels/psnr_hvs/psnr_hvs.cu: first the errors z of every
// coefficient of a part of a plane (y) of a frame (z), into scratch memory; then they are added in
// their order, by one group a plane.

layout(constant_id = 1) const bool kAdds = false;

const int kBlockPx = 8, kStepPx = 7, kCoefficients = 64;
const int kBlocks = 32;         // that a group measures, in both pictures
const int kPictures = 2 * kBlocks;
const int kRun = kGroupThreads; // blocks that are added at once: as in src/feature/psnr_hvs/psnr_hvs_vulkan.cpp

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Weights
{
    uint csf[kCoefficients], mask[kCoefficients];
};

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch;
    uint64_t weights; // HvsWeights of the planes
    uint64_t frame_bytes; // of scratch memory
    uint blocks[3];       // of a plane
    uint columns[3];      // of them
    uint first_run;       // of this part
    uint part_runs;
    uint peak;
};

// Where the errors of a run of this part are, by coefficient and block.
Words errors_of(uint run_of_part)
{
    uint before = run_of_part;
    for (uint plane = 0; plane < gl_WorkGroupID.y; ++plane)
        before += min((blocks[plane] + kRun - 1) / kRun, part_runs);
    return Words(scratch + frame_bytes * gl_WorkGroupID.z + uint64_t(before) * (kCoefficients * kRun * 4));
}

shared int numbers[kCoefficients][kPictures]; // samples, then coefficients; blocks of the reference first
shared uint masks[kPictures];

void load(int thread, uint first_block)
{
    const int block = thread % kBlocks, side = thread / kBlocks % 2;
    const uint plane = gl_WorkGroupID.y, place = min(first_block + block, blocks[plane] - 1);
    const Pair pair = batch.frames[gl_WorkGroupID.z].pair;
    const Plane from = side == 0 ? pair.ref[plane] : pair.dis[plane];
    const ivec2 corner = kStepPx * ivec2(place % columns[plane], place / columns[plane]);
    for (int k = thread / kPictures; k < kCoefficients; k += kGroupThreads / kPictures) {
        Words row = row_of(from, corner.y + k / kBlockPx);
        numbers[k][thread % kPictures] = int(min(sample_of(row, corner.x + k % kBlockPx), peak));
    }
}

// spec psnr_hvs 3.2: gv or v_q, of a square whose first sample is `corner`. Deviations are multiples
// of 2^exponent.
uint variance_of(int corner, int side, int exponent, int picture)
{
    int sum = 0;
    for (int n = 0; n < side * side; ++n)
        sum += numbers[corner + n / side * kBlockPx + n % side][picture];
    uint variance = 0;
    for (int n = 0; n < side * side; ++n) {
        const int64_t deviation = side * side * numbers[corner + n / side * kBlockPx + n % side][picture] - sum;
        variance = single_sum(variance, single_rounded(uint64_t(deviation * deviation), 2 * exponent, 0));
    }
    return variance;
}

// spec psnr_hvs 3.2: the ratio.
uint variance_ratio(int picture)
{
    const uint whole = 0x3f820821, quadrant = 0x3f888889; // K64, K16
    const int half_px = kBlockPx / 2;
    uint sum = 0;
    for (int q = 0; q < 4; ++q) { // TL, BL, TR, BR
        const int corner = (q & 1) * kBlockPx * half_px + (q >> 1) * half_px;
        sum = add_product(sum, variance_of(corner, half_px, -4, picture), quadrant);
    }
    return single_quotient(sum, single_product(variance_of(0, kBlockPx, -6, picture), whole));
}

int product(int a, int factor, int shift)
{
    return (a * factor + (1 << (shift - 1))) >> shift;
}

int half_of(int a)
{
    return (a - (a >> 31)) >> 1;
}

// spec psnr_hvs 3.3: eight numbers of a block, from `first` on.
void transform(int first, int step, int picture)
{
    int x[kBlockPx];
    [[unroll]] for (int k = 0; k < kBlockPx; ++k)
        x[k] = numbers[first + k * step][picture];
    int u1 = x[0] - x[7];
    const int k1 = half_of(u1);
    int u0 = x[0] - k1;
    int u4 = x[1] + x[6];
    const int k4 = half_of(u4);
    int u5 = x[6] - k4;
    int u3 = x[2] - x[5];
    int u2 = x[2] - half_of(u3);
    int u6 = x[3] + x[4];
    const int k6 = half_of(u6);
    int u7 = k6 - x[4];
    u0 += k6;
    u6 = u0 - u6;
    u2 = k4 - u2;
    u4 = u2 - u4;
    u0 -= product(u4, 13573, 15);
    u4 += product(u0, 11585, 14);
    u0 -= product(u4, 13573, 15);
    u6 -= product(u2, 21895, 15);
    u2 += product(u6, 15137, 14);
    u6 -= product(u2, 21895, 15);
    u3 += product(u5, 19195, 15);
    u5 += product(u3, 11585, 14);
    u3 -= product(u5, 7489, 13);
    u7 = half_of(u5) - u7;
    u5 -= u7;
    u3 = k1 - u3;
    u1 -= u3;
    u7 += product(u1, 3227, 15);
    u1 -= product(u7, 6393, 15);
    u7 += product(u1, 3227, 15);
    u5 += product(u3, 2485, 13);
    u3 -= product(u5, 18205, 15);
    u5 += product(u3, 2485, 13);
    const int u[kBlockPx] = int[kBlockPx](u0, u1, u2, u3, u4, u5, u6, u7);
    [[unroll]] for (int k = 0; k < kBlockPx; ++k)
        numbers[first + k * step][picture] = u[k];
}

// spec psnr_hvs 3.4: mask.
uint masking(int picture, uint ratio, Weights weights)
{
    const uint one_by_32 = 0x3d000000;
    uint sum = 0;
    for (int k = 1; k < kCoefficients; ++k)
        sum = add_product(sum, single_of(numbers[k][picture] * numbers[k][picture], 0), weights.mask[k]);
    return single_product(single_root(single_product(sum, ratio)), one_by_32);
}

// spec psnr_hvs 3.4: z.
uint error_of(int k, int block, Weights weights)
{
    const int difference = abs(numbers[k][block] - numbers[k][kBlocks + block]);
    if (difference == 0)
        return 0;
    uint visible = single_of(difference, 0);
    if (k > 0) {
        const uint hidden = single_quotient(max(masks[block], masks[kBlocks + block]), weights.mask[k]);
        visible = visible > hidden ? single_difference(visible, hidden) : 0;
    }
    const uint weighted = single_product(visible, weights.csf[k]);
    return single_product(weighted, weighted);
}

void measure(int thread, uint block_of_part)
{
    Weights of_plane = Weights(weights + gl_WorkGroupID.y * (2 * kCoefficients * 4));
    const int picture = thread % kPictures;
    load(thread, first_run * kRun + block_of_part);
    barrier();
    uint ratio = 0;
    if (thread < kPictures)
        ratio = variance_ratio(picture);
    barrier();
    for (int i = thread / kPictures; i < kBlockPx; i += kGroupThreads / kPictures)
        transform(i, kBlockPx, picture);
    barrier();
    for (int i = thread / kPictures; i < kBlockPx; i += kGroupThreads / kPictures)
        transform(i * kBlockPx, 1, picture);
    barrier();
    if (thread < kPictures)
        masks[picture] = masking(picture, ratio, of_plane);
    barrier();
    Words errors = errors_of(block_of_part / kRun);
    const int block = thread % kBlocks;
    for (int k = thread / kBlocks; k < kCoefficients; k += kGroupThreads / kBlocks)
        errors.words[k * kRun + block_of_part % kRun + block] = error_of(k, block, of_plane);
}

// The sum in the order of the chapter. While an accumulator's exponent stays, adding to its bits
// adds to it.

// More than what leaves an exponent as it is; sums of it over a group's threads stay below 2^31.
const uint kTooMuch = 1u << 23;

// What numbers add to an accumulator whose last bit is 0 (x) or 1 (y): spec psnr_hvs 5's F.
shared uvec2 runs[kGroupThreads];
shared uint reached, leaves;

uint increment_of(uvec2 run, uint accumulator)
{
    return (accumulator & 1) != 0 ? run.y : run.x;
}

// What two runs add, one after the other.
uvec2 composed(uvec2 first, uvec2 second)
{
    return first + uvec2(increment_of(second, first.x), increment_of(second, first.y + 1));
}

uint rounded_increment(uint mantissa, uint shift, uint last_bit)
{
    const uint whole = mantissa >> shift, rest = mantissa - (whole << shift), half_unit = 1u << (shift - 1);
    const bool is_up = rest > half_unit || (rest == half_unit && ((whole + last_bit) & 1) != 0);
    return whole + (is_up ? 1 : 0);
}

// What an error adds to accumulators of that exponent.
uvec2 with_error(uvec2 run, uint z, uint exponent)
{
    const int shift = int(exponent) - int(z >> 23);
    if (z == 0 || shift > 24) // less than half a unit
        return run;
    if (exponent == 0 || shift <= 0)
        return uvec2(kTooMuch);
    const uint mantissa = z & 0x7fffff | 0x800000;
    run += uvec2(rounded_increment(mantissa, uint(shift), run.x), rounded_increment(mantissa, uint(shift), run.y + 1));
    return min(run, uvec2(kTooMuch));
}

// What a block's errors add. Many are asked for at a time: memory is what it waits for.
uvec2 block_increment(Words errors, int block, uint exponent)
{
    const int at_once = 16;
    uvec2 run = uvec2(0);
    for (int first = 0; first < kCoefficients; first += at_once) {
        uint z[at_once];
        [[unroll]] for (int i = 0; i < at_once; ++i)
            z[i] = errors.words[(first + i) * kRun + block];
        [[unroll]] for (int i = 0; i < at_once; ++i)
            run = with_error(run, z[i], exponent);
    }
    return run;
}

uint added_in_order(Words errors, int block, uint accumulator)
{
    for (int k = 0; k < kCoefficients; ++k)
        accumulator = single_sum(accumulator, errors.words[k * kRun + block]);
    return accumulator;
}

// What the threads up to each one add.
uvec2 scan(uvec2 run, int thread)
{
    for (int distance = 1; distance < kGroupThreads; distance *= 2) {
        barrier();
        runs[thread] = run;
        barrier();
        if (thread >= distance)
            run = composed(runs[thread - distance], run);
    }
    return run;
}

// The accumulator after `count` blocks: those between two changes of its exponent at once.
uint after_run(Words errors, uint count, int thread, uint accumulator)
{
    for (uint first = 0; first < count;) {
        const bool is_added = thread >= first && thread < count;
        const uvec2 up_to = scan(is_added ? block_increment(errors, thread, accumulator >> 23) : uvec2(0), thread);
        const uint end = accumulator + increment_of(up_to, accumulator);
        if (thread == 0) {
            leaves = count;
            reached = accumulator;
        }
        barrier();
        if ((end ^ accumulator) >> 23 != 0)
            atomicMin(leaves, uint(thread));
        barrier();
        if (thread + 1 == leaves)
            reached = end;
        barrier();
        if (thread == leaves && thread < count)
            reached = added_in_order(errors, thread, reached);
        first = leaves + 1;
        barrier();
        accumulator = reached;
        barrier(); // before thread 0 writes again
    }
    return accumulator;
}

void main()
{
    const uint plane = gl_WorkGroupID.y;
    const int thread = int(gl_LocalInvocationID.x);
    const uint first = min(first_run * kRun, blocks[plane]);
    const uint count = min(blocks[plane] - first, part_runs * kRun); // of this part
    if (!kAdds) {
        const uint block = gl_WorkGroupID.x * kBlocks;
        if (block < count)
            measure(thread, block);
        return;
    }
    Words sums = Words(batch.frames[gl_WorkGroupID.z].sums);
    uint accumulator = sums.words[plane];
    for (uint block = 0; block < count; block += kRun)
        accumulator = after_run(errors_of(block / kRun), min(count - block, kRun), thread, accumulator);
    if (thread == 0)
        sums.words[plane] = accumulator;
}
