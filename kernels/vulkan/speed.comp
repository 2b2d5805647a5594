#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.2 to 3.4: D, then A. A thread makes a sample.

layout(constant_id = 1) const bool kMakesDetails = false;

const int kStep = 16;

// A plane, or the difference of two.
Plane minuend, subtrahend;

Plane plane_of(Pair pair, bool is_dis, uint number)
{
    if (is_dis)
        return pair.dis[number];
    return pair.ref[number];
}

void find_source(uint frame, uint pair, bool is_dis)
{
    const uint number = uint(params.first_plane) + pair;
    const Frame of = batch.frames[frame];
    if (params.is_temporal == 0) {
        minuend = plane_of(of.pair, is_dis, number);
        subtrahend = Plane(0, uvec2(0));
        return;
    }
    minuend = plane_of(of.earlier[0], is_dis, 0);
    subtrahend = plane_of(of.pair, is_dis && params.uses_ref_diff == 0, 0);
}

// All of it is exact.
uint converted(int x, int y)
{
    const int other =
        subtrahend.data == 0 ? 1 << (params.bpc - 1) : int(sample_of(row_of(subtrahend, y), x));
    return single_of(int(sample_of(row_of(minuend, y), x)) - other, 8 - params.bpc);
}

uint prescaled(int x, int y)
{
    if (params.prescale_taps == 0)
        return converted(x, y);
    const ivec2 size = params.prescaled;
    const int of_columns = params.prescale_taps * size.x, of_rows = params.prescale_taps * size.y;
    uint sum = 0, weights = 0;
    for (int j = 0; j < params.prescale_taps; ++j) {
        const int row = 2 * of_columns + j * size.y + y;
        const uint row_weight = params.prescale[row + of_rows];
        for (int i = 0; i < params.prescale_taps; ++i) {
            const int column = i * size.x + x;
            const uint weight = single_product(params.prescale[column + of_columns], row_weight);
            sum = add_product(sum, converted(int(params.prescale[column]), int(params.prescale[row])), weight);
            weights = single_sum(weights, weight);
        }
    }
    return params.is_normalised != 0 ? single_quotient(sum, weights) : sum;
}

void reduce_sample()
{
    const ivec2 size = params.reduced;
    if (index >= size.x * size.y)
        return;
    const ivec2 first = kStep * ivec2(index % size.x, index / size.x) - params.reducing_count / 2;
    uint sum = 0;
    for (int i = 0; i < params.reducing_count; ++i) {
        const int x = mirror(first.x + i, params.prescaled.x);
        uint column = 0;
        for (int j = 0; j < params.reducing_count; ++j)
            column =
                add_product(column, params.reducing_taps[j], prescaled(x, mirror(first.y + j, params.prescaled.y)));
        sum = add_product(sum, params.reducing_taps[i], column);
    }
    words_of(gl_WorkGroupID.z, params.reduced_at).words[index] = sum;
}

void make_detail()
{
    const ivec2 size = params.reduced, kept = kBlock * params.blocks;
    if (index >= kept.x * kept.y)
        return;
    const ivec2 at = ivec2(index % kept.x, index / kept.x), first = at - params.mean_count / 2;
    Words reduced = words_of(gl_WorkGroupID.z, params.reduced_at);
    uint mean = 0;
    for (int i = 0; i < params.mean_count; ++i) {
        const int x = mirror(first.x + i, size.x);
        uint column = 0;
        for (int j = 0; j < params.mean_count; ++j)
            column = add_product(column, params.mean_taps[j], reduced.words[mirror(first.y + j, size.y) * size.x + x]);
        mean = add_product(mean, params.mean_taps[i], column);
    }
    words_of(gl_WorkGroupID.z, params.details_at).words[index] =
        single_difference(reduced.words[at.y * size.x + at.x], mean);
}

void main()
{
    const uint plane = gl_WorkGroupID.z, frame = plane / (2 * params.pairs);
    if (is_absent(frame))
        return;
    if (kMakesDetails) {
        make_detail();
        return;
    }
    find_source(frame, plane / 2 % params.pairs, plane % 2 != 0);
    reduce_sample();
}
