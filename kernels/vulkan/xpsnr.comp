#version 460
#extension GL_GOOGLE_include_directive : require
#define GROUP_SUMS 5 // errors of three planes, spatial and temporal activity
#include "common.glsl"
#include "real.glsl"

// spec xpsnr 3.2 to 3.5 on batches of frames, in three passes: the integers of a block (x) of a
// frame (z) and its weight; the smoothing, of small pictures; the sum of weighted errors of a plane
// (x). Each frame has a Block for each of its blocks in scratch memory, in raster order.

const int kMeasures = 0, kSmooths = 1, kAdds = 2;
layout(constant_id = 1) const int kPass = kMeasures;

struct Grid { // as in src/feature/xpsnr/xpsnr_blocks.h
    int width_px, height_px, sample_bytes, plane_count;
    int chroma_shift_x, chroma_shift_y;
    int block_px, step, columns, rows;
    int unweighted, second_order;
    uint64_t scale, least_weight; // bits of doubles
};
struct Block {
    uint64_t weight; // bits of a double
    uint64_t sse[3];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Blocks
{
    Block of_frame[];
};

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch;
    uint64_t frame_bytes; // of scratch memory
    Grid grid;
};

// Columns and rows of threads that walk over a block.
const int kThreadColumns = 32, kThreadRows = kGroupThreads / kThreadColumns;

Blocks blocks_of_frame()
{
    return Blocks(scratch + frame_bytes * gl_WorkGroupID.z);
}

// Squared error of a block's part of a plane.
uint64_t plane_error(int plane, ivec2 place, ivec2 thread)
{
    const ivec2 shift = plane == 0 ? ivec2(0) : ivec2(grid.chroma_shift_x, grid.chroma_shift_y);
    const ivec2 block = ivec2(grid.block_px) >> shift, first = place * block;
    const ivec2 end = min(first + block, ivec2(grid.width_px, grid.height_px) >> shift);
    const Plane ref = batch.frames[gl_WorkGroupID.z].pair.ref[plane];
    const Plane dis = batch.frames[gl_WorkGroupID.z].pair.dis[plane];
    uint64_t sum = 0;
    for (int y = first.y + thread.y; y < end.y; y += kThreadRows) {
        Words ref_row = row_of(ref, y), dis_row = row_of(dis, y);
        for (int x = first.x + thread.x; x < end.x; x += kThreadColumns) {
            const int difference = int(sample_of(ref_row, x)) - int(sample_of(dis_row, x));
            sum += uint(difference) * uint(difference); // below 2^32 even at 16 bit
        }
    }
    return sum;
}

// Black where there is no picture; the last column or row beyond it.
int sample_at(Plane plane, ivec2 at)
{
    if (plane.data == 0)
        return 0;
    const ivec2 inside = min(at, ivec2(grid.width_px, grid.height_px) - 1);
    return int(sample_of(row_of(plane, inside.y), inside.x));
}

// v of spec xpsnr 3.3.
int change_at(ivec2 at)
{
    const Frame frame = batch.frames[gl_WorkGroupID.z];
    const int change = sample_at(frame.pair.ref[0], at) - sample_at(frame.earlier[0].ref[0], at);
    return grid.second_order == 0
               ? change
               : change - sample_at(frame.earlier[0].ref[0], at) + sample_at(frame.earlier[1].ref[0], at);
}

// f of spec xpsnr 3.2.
int edge_at(ivec2 at)
{
    const Plane luma = batch.frames[gl_WorkGroupID.z].pair.ref[0];
    const int quarter[3][3] = {{0, -1, -1}, {-1, -2, -3}, {-1, -3, 12}}; // of the larger kernel
    int sum = 0;
    if (grid.step == 1) {
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                sum += (x == 0 && y == 0 ? 12 : x == 0 || y == 0 ? -2 : -1) * sample_at(luma, at + ivec2(x, y));
        return sum;
    }
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 6; ++x)
            sum += quarter[min(y, 5 - y)][min(x, 5 - x)] * sample_at(luma, at + ivec2(x - 2, y - 2));
    return sum;
}

uint change_of_step(ivec2 at)
{
    if (grid.step == 1)
        return abs(change_at(at));
    return abs(change_at(at) + change_at(at + ivec2(1, 0)) + change_at(at + ivec2(0, 1)) + change_at(at + ivec2(1)));
}

// A block's place, and where its spatial activity is measured, relative to that.
struct Area {
    ivec2 corner, size, begin, end;
};

Area area_of(ivec2 place)
{
    const ivec2 picture = ivec2(grid.width_px, grid.height_px), last = ivec2(grid.columns, grid.rows) - 1;
    Area area;
    area.corner = place * grid.block_px;
    area.size = min(ivec2(grid.block_px), picture - area.corner);
    area.begin = mix(ivec2(0), ivec2(grid.step), equal(place, ivec2(0)));
    area.end = area.size - mix(ivec2(0), ivec2(grid.step), equal(place, last));
    return area;
}

// S (x) and half of T (y) of spec xpsnr 3.2 and 3.3.
u64vec2 activity(Area area, ivec2 thread)
{
    const int narrowest = 12; // quirk: of large pictures' last columns
    const bool has_spatial = grid.step == 1 || area.end.x > narrowest;
    u64vec2 sums = u64vec2(0);
    for (int y = thread.y * grid.step; y < area.size.y; y += kThreadRows * grid.step)
        for (int x = thread.x * grid.step; x < area.size.x; x += kThreadColumns * grid.step) {
            const ivec2 at = ivec2(x, y);
            if (has_spatial && all(greaterThanEqual(at, area.begin)) && all(lessThan(at, area.end)))
                sums.x += abs(edge_at(area.corner + at));
            sums.y += change_of_step(area.corner + at);
        }
    return sums;
}

// spec xpsnr 3.4, as bits.
uint64_t weight_of(Area area, uint64_t spatial, uint64_t temporal)
{
    const ivec2 measured = area.end - area.begin;
    const Real least = real_of_bits(grid.least_weight);
    Real value = least;
    if (spatial != 0)
        value = real_quotient(real_of(spatial), real_of(uint64_t(measured.x) * measured.y));
    if (temporal != 0) {
        const Real change = real_quotient(real_of(temporal), real_of(uint64_t(area.size.x) * area.size.y));
        value = spatial != 0 ? real_sum(value, change) : change;
    }
    return bits_of(real_quotient(real_of(1), real_is_less(value, least) ? least : value));
}

void measure(int index)
{
    const ivec2 place = ivec2(index % grid.columns, index / grid.columns);
    const int lane = int(gl_LocalInvocationID.x);
    const ivec2 thread = ivec2(lane % kThreadColumns, lane / kThreadColumns);
    uint64_t sums[GROUP_SUMS] = uint64_t[GROUP_SUMS](0, 0, 0, 0, 0);
    for (int plane = 0; plane < grid.plane_count; ++plane)
        sums[plane] = plane_error(plane, place, thread);
    const Area area = area_of(place);
    const bool is_weighted = grid.unweighted == 0 && all(lessThan(area.begin, area.end)); // else it is thin
    if (is_weighted) {
        const u64vec2 both = activity(area, thread);
        sums[3] = both.x;
        sums[4] = both.y;
    }
    add_in_group(sums);
    if (lane != 0)
        return;
    const uint64_t weight = is_weighted ? weight_of(area, group_sum(3), 2 * group_sum(4)) : bits_of(real_of(1));
    blocks_of_frame().of_frame[index] = Block(weight, uint64_t[3](group_sum(0), group_sum(1), group_sum(2)));
}

// spec xpsnr 3.4, smoothing. Bits of doubles have the order of their values.
void smooth_weights()
{
    Blocks blocks = blocks_of_frame();
    const int columns = grid.columns, last = columns * grid.rows - 1;
    uint64_t before = 0;
    for (int k = 0; k <= last; ++k) {
        uint64_t largest = k % columns > 0 || k == last ? before : 0;
        if (k < last && k % columns < columns - 1)
            largest = max(largest, blocks.of_frame[k + 1].weight);
        if (k >= columns)
            largest = max(largest, blocks.of_frame[k - columns].weight);
        before = blocks.of_frame[k].weight;
        if (k < last || last > columns)
            before = min(before, largest);
        blocks.of_frame[k].weight = before;
    }
}

shared uint64_t products[kGroupThreads]; // bits of doubles

// spec xpsnr 3.5: E.
uint64_t weighted_error(int plane)
{
    Blocks blocks = blocks_of_frame();
    const int thread = int(gl_LocalInvocationID.x), count = grid.columns * grid.rows;
    if (grid.unweighted != 0)
        return blocks.of_frame[0].sse[plane];
    uint64_t sum = 0; // bits of a double
    for (int first = 0; first < count; first += kGroupThreads) {
        barrier(); // the products before were added
        products[thread] = 0;
        if (first + thread < count) {
            const Block block = blocks.of_frame[first + thread];
            if (block.sse[plane] != 0 && block.weight != 0)
                products[thread] = bits_of(real_product(real_of_large(block.sse[plane]), real_of_bits(block.weight)));
        }
        barrier();
        for (int i = 0; thread == 0 && i < kGroupThreads; ++i)
            if (products[i] != 0)
                sum = sum == 0 ? products[i] : bits_of(real_sum(real_of_bits(sum), real_of_bits(products[i])));
    }
    if (sum == 0)
        return 0;
    const Real scaled = real_product(real_of_bits(sum), real_of_bits(grid.scale));
    return real_floor(real_sum(scaled, Real(uint64_t(1) << 52, -53)));
}

void main()
{
    const int index = int(gl_WorkGroupID.x);
    if (kPass == kMeasures) {
        measure(index);
    } else if (kPass == kSmooths) {
        if (gl_LocalInvocationID.x == 0)
            smooth_weights();
    } else {
        const uint64_t error = weighted_error(index);
        if (gl_LocalInvocationID.x == 0)
            add_to_sum(batch.frames[gl_WorkGroupID.z].sums + index * 8, error);
    }
}
