#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.7 from step 3, B, on: a thread has a block of samples.

const uint64_t kGaussianBits = 0x40106073a671183dUL; // C

// Steps 3 and 4, and S: the variance of the block whose first sample is `first`.
uint variance_of(Model model, Words details, int first)
{
    uint x[kSize];
    for (int i = 0; i < kSize; ++i) {
        uint sum = 0;
        for (int j = 0; j < kSize; ++j)
            sum = add_product(sum, model.g[i][j], details.words[first + offset_of(j)]);
        x[i] = sum;
    }
    for (int i = kSize - 1; i >= 0; --i) {
        uint rest = x[i];
        for (int j = i + 1; j < kSize; ++j)
            rest = add_product(rest, single_negative(x[j]), model.r[i][j]);
        x[i] = single_quotient(rest, model.r[i][i]);
    }
    uint variance = 0;
    for (int p = 0; p < kSize; ++p) {
        const uint product = single_product(x[p], details.words[first + offset_of(p)]);
        variance = single_sum(variance, single_quotient(product, single_of(kSize, 0)));
    }
    return variance;
}

// S and E of a block. Those of a singular plane do not matter.
void main()
{
    const uint plane = gl_WorkGroupID.z;
    if (is_absent(plane / (2 * params.pairs)) || index >= block_count() || is_singular(plane))
        return;
    Model model = model_of(plane);
    const int pitch = kBlock * params.blocks.x;
    const int first = index / params.blocks.x * kBlock * pitch + index % params.blocks.x * kBlock;
    const uint variance = variance_of(model, words_of(plane, params.details_at), first);
    const Number constant = Number(real_of_bits(kGaussianBits), false);
    uint bits = 0;
    bool is_number = true;
    for (int k = 0; k < kSize; ++k) {
        const uint argument = add_product(params.sigma_nn, model.eigenvalues[k], variance);
        is_number = is_number && argument != 0 && argument < kSign;
        if (is_number)
            bits = single_of_number(
                plus(number_of_bits(bits), plus(logarithm_of(number_of_bits(argument).size), constant)));
    }
    words_of(plane, params.variances_at).words[index] = variance;
    words_of(plane, params.entropies_at).words[index] = is_number ? bits : kNotANumber;
}
