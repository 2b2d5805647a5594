#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.8: a group has a pair of planes.

Number scaled(Number a, int quarters)
{
    return rounded(a.size.mantissa * uint(quarters), a.size.exponent - 2, a.is_negative);
}

Number single(Number a)
{
    return number_of_bits(single_of_number(a));
}

// The argument of the logarithm that weights the entropy of one side.
Number weight_of(bool is_dis, Number ref, Number dis)
{
    const Number one = number_of(1);
    const int mode = params.weight_var_mode;
    if (mode == 3 || (mode == 4 && is_dis))
        return plus(one, scaled(single(plus(ref, dis)), 2));
    if (mode == 5 && is_dis)
        return plus(one, plus(scaled(ref, 3), scaled(dis, 1)));
    if (mode == 6 && is_dis)
        return plus(one, plus(scaled(ref, 1), scaled(dis, 3)));
    return single(plus(one, mode == 2 || (mode == 0 && is_dis) ? dis : ref));
}

bool is_below_noise(uint entropy)
{
    return entropy != kNotANumber && is_less(number_of_bits(entropy), number_of_bits(params.noise_entropy));
}

// What a block adds.
uint difference_of(uint ref_plane, int block)
{
    const uint ref = words_of(ref_plane, params.entropies_at).words[block];
    const uint dis = words_of(ref_plane + 1, params.entropies_at).words[block];
    if (is_below_noise(ref) && is_below_noise(dis))
        return 0;
    const Number ref_variance = number_of_bits(words_of(ref_plane, params.variances_at).words[block]);
    const Number dis_variance = number_of_bits(words_of(ref_plane + 1, params.variances_at).words[block]);
    const Number ref_weight = weight_of(false, ref_variance, dis_variance);
    const Number dis_weight = weight_of(true, ref_variance, dis_variance);
    if (ref == kNotANumber || dis == kNotANumber || is_zero(ref_weight) || ref_weight.is_negative ||
        is_zero(dis_weight) || dis_weight.is_negative)
        return kNotANumber;
    const uint of_ref = single_of_number(times(number_of_bits(ref), logarithm_of(ref_weight.size)));
    const uint of_dis = single_of_number(times(number_of_bits(dis), logarithm_of(dis_weight.size)));
    return single_size(single_difference(of_ref, of_dis));
}

shared uint terms[kGroupThreads];

void main()
{
    const uint pair = gl_WorkGroupID.z, ref_plane = 2 * pair, frame = pair / params.pairs;
    if (is_absent(frame))
        return;
    Words score = Words(batch.frames[frame].sums + pair % params.pairs * 8);
    if (is_singular(ref_plane) || is_singular(ref_plane + 1)) {
        if (thread == 0)
            score.words[1] = 1;
        return;
    }
    uint sum = 0;
    bool is_number = true;
    for (int first = 0; first < block_count(); first += kGroupThreads) {
        barrier();
        terms[thread] = first + thread < block_count() ? difference_of(ref_plane, first + thread) : 0;
        barrier();
        for (int i = 0; thread == 0 && i < kGroupThreads; ++i) {
            is_number = is_number && terms[i] != kNotANumber;
            sum = single_sum(sum, terms[i]);
        }
    }
    if (thread == 0)
        score.words[0] = is_number ? single_quotient(sum, single_of(block_count(), 0)) : kNotANumber;
}
