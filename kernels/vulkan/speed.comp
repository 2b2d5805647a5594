#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.2 to 3.4: D, then A. A thread makes a sample.

layout(constant_id = 1) const bool kMakesDetails = false;

const int kStep = 16;

// A plane, or the difference of two.
Plane minuend, subtrahend;

void find_source(uint frame, uint pair, bool is_dis)
{
    const uint number = uint(params.first_plane) + pair;
    if (params.is_temporal == 0) {
        minuend = is_dis ? batch.frames[frame].pair.dis[number] : batch.frames[frame].pair.ref[number];
        subtrahend = Plane(0, 0);
        return;
    }
    minuend = is_dis ? batch.frames[frame].earlier[0].dis[0] : batch.frames[frame].earlier[0].ref[0];
    subtrahend =
        is_dis && params.uses_ref_diff == 0 ? batch.frames[frame].pair.dis[0] : batch.frames[frame].pair.ref[0];
}

// All of it is exact.
Number converted(int x, int y)
{
    const int other =
        subtrahend.data == 0 ? 1 << (params.bpc - 1) : int(sample_of(row_of(subtrahend, y), x));
    const int difference = int(sample_of(row_of(minuend, y), x)) - other;
    return rounded(uint(abs(difference)), 8 - params.bpc, difference < 0);
}

Number prescaled(int x, int y)
{
    if (params.prescale_taps == 0)
        return converted(x, y);
    const ivec2 size = params.prescaled;
    const int of_columns = params.prescale_taps * size.x, of_rows = params.prescale_taps * size.y;
    Number sum = kNothing, weights = kNothing;
    for (int j = 0; j < params.prescale_taps; ++j) {
        const int row = 2 * of_columns + j * size.y + y;
        const Number row_weight = number_of_bits(params.prescale[row + of_rows]);
        for (int i = 0; i < params.prescale_taps; ++i) {
            const int column = i * size.x + x;
            const Number weight = single(times(number_of_bits(params.prescale[column + of_columns]), row_weight));
            sum = add_product(sum, converted(int(params.prescale[column]), int(params.prescale[row])), weight);
            weights = single(plus(weights, weight));
        }
    }
    return params.is_normalised != 0 ? single(over(sum, weights)) : sum;
}

void reduce_sample()
{
    const ivec2 size = params.reduced;
    if (index >= size.x * size.y)
        return;
    const ivec2 first = kStep * ivec2(index % size.x, index / size.x) - params.reducing_count / 2;
    Number sum = kNothing;
    for (int i = 0; i < params.reducing_count; ++i) {
        const int x = mirror(first.x + i, params.prescaled.x);
        Number column = kNothing;
        for (int j = 0; j < params.reducing_count; ++j)
            column = add_product(column, number_of_bits(params.reducing_taps[j]),
                                 prescaled(x, mirror(first.y + j, params.prescaled.y)));
        sum = add_product(sum, number_of_bits(params.reducing_taps[i]), column);
    }
    reduced_of(gl_WorkGroupID.z).words[index] = bits_of(sum);
}

void make_detail()
{
    const ivec2 size = params.reduced, kept = kBlock * params.blocks;
    if (index >= kept.x * kept.y)
        return;
    const ivec2 at = ivec2(index % kept.x, index / kept.x), first = at - params.mean_count / 2;
    Words reduced = reduced_of(gl_WorkGroupID.z);
    Number mean = kNothing;
    for (int i = 0; i < params.mean_count; ++i) {
        const int x = mirror(first.x + i, size.x);
        Number column = kNothing;
        for (int j = 0; j < params.mean_count; ++j)
            column = add_product(column, number_of_bits(params.mean_taps[j]),
                                 number_of_bits(reduced.words[mirror(first.y + j, size.y) * size.x + x]));
        mean = add_product(mean, number_of_bits(params.mean_taps[i]), column);
    }
    const Number here = number_of_bits(reduced.words[at.y * size.x + at.x]);
    details_of(gl_WorkGroupID.z).words[index] = bits_of(single(minus(here, mean)));
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
