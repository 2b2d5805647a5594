#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.7 from step 3, B, on: a thread has a block of samples.

const uint64_t kGaussianBits = 0x40106073a671183dUL; // C

// Steps 3 and 4, and S: the variance of the block whose first sample is `first`.
Number variance_of(Model model, Words details, int first)
{
    uint x[kSize];
    for (int i = 0; i < kSize; ++i) {
        Number sum = kNothing;
        for (int j = 0; j < kSize; ++j)
            sum = add_product(sum, number_of_bits(model.g[i][j]), number_of_bits(details.words[first + offset_of(j)]));
        x[i] = bits_of(sum);
    }
    for (int i = kSize - 1; i >= 0; --i) {
        Number rest = number_of_bits(x[i]);
        for (int j = i + 1; j < kSize; ++j)
            rest = add_product(rest, negative(number_of_bits(x[j])), number_of_bits(model.r[i][j]));
        x[i] = bits_of(single(over(rest, number_of_bits(model.r[i][i]))));
    }
    Number variance = kNothing;
    for (int p = 0; p < kSize; ++p) {
        const Number product = single(times(number_of_bits(x[p]), number_of_bits(details.words[first + offset_of(p)])));
        variance = single(plus(variance, single(over(product, number_of(kSize)))));
    }
    return variance;
}

// S and E of a block. Those of a singular plane do not matter.
void find_entropy()
{
    const uint plane = gl_WorkGroupID.z;
    if (index >= block_count() || is_singular(plane))
        return;
    Model model = model_of(plane);
    const int pitch = kBlock * params.blocks.x;
    const int first = index / params.blocks.x * kBlock * pitch + index % params.blocks.x * kBlock;
    const Number variance = variance_of(model, details_of(plane), first);
    const Number noise = number_of_bits(params.sigma_nn), constant = Number(real_of_bits(kGaussianBits), false);
    Number bits = kNothing;
    bool is_number = true;
    for (int k = 0; k < kSize; ++k) {
        const Number eigenvalue = number_of_bits(model.eigenvalues[k]);
        const Number argument = single(plus(single(times(eigenvalue, variance)), noise));
        is_number = is_number && !is_zero(argument) && !argument.is_negative;
        if (is_number)
            bits = single(plus(bits, plus(logarithm_of(argument.size), constant)));
    }
    variances_of(plane).words[index] = bits_of(variance);
    entropies_of(plane).words[index] = is_number ? bits_of(bits) : kNotANumber;
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    find_entropy();
}
