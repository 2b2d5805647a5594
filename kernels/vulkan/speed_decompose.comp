#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"
#include "speed_matrix.glsl"

// spec speed 3.7 to step 3, R: a group has a plane.

shared uint matrix_g[kSize][kSize];   // G; the other one is Z
shared uint reflection[kSize][kSize]; // H

Number length_from(int first)
{
    Number sum = kNothing;
    for (int i = first; i < kSize; ++i)
        sum = add_product(sum, number_of_bits(vector_v[i]), number_of_bits(vector_v[i]));
    return single(root_of(sum));
}

// Steps 1 and 2: H. Rows above `step` are done; sums of the whole matrices would only add zeros.
void make_reflection(int step, bool diagonal_is_negative)
{
    if (thread < kSize)
        vector_v[thread] = matrix[thread][step];
    barrier();
    const Number norm = length_from(step), head = number_of_bits(vector_v[step]);
    barrier();
    if (thread == 0)
        vector_v[step] = bits_of(single(plus(head, diagonal_is_negative ? negative(norm) : norm)));
    barrier();
    const Number scale = length_from(step);
    barrier();
    if (thread < kSize)
        vector_v[thread] = bits_of(single(over(number_of_bits(vector_v[thread]), scale)));
    barrier();
    for (int at = thread; at < kSize * kSize; at += kGroupThreads) {
        const Number a = number_of_bits(vector_v[at / kSize]), b = number_of_bits(vector_v[at % kSize]);
        const Number minus_twice = Number(Real(a.size.mantissa, a.size.exponent + 1), !a.is_negative);
        const Number product = single(times(minus_twice, b));
        reflection[at / kSize][at % kSize] =
            bits_of(at / kSize == at % kSize ? single(plus(product, number_of(1))) : product);
    }
    barrier();
}

const int kOwnElements = (kSize * kSize + kGroupThreads - 1) / kGroupThreads;

void decompose()
{
    Model model = model_of(gl_WorkGroupID.z);
    load_covariance(model);
    for (int at = thread; at < kSize * kSize; at += kGroupThreads)
        matrix_g[at / kSize][at % kSize] = bits_of(number_of(at / kSize == at % kSize ? 1 : 0));
    for (int step = 0; step < kSize - 1; ++step) {
        make_reflection(step, number_of_bits(model.covariance[step][step]).is_negative);
        uint z[kOwnElements], g[kOwnElements];
        for (int own = 0; own < kOwnElements; ++own) {
            const int at = own * kGroupThreads + thread, row = at / kSize, column = at % kSize;
            Number z_sum = kNothing, g_sum = kNothing;
            for (int i = step; i < kSize && row >= step && row < kSize; ++i) {
                const Number h = number_of_bits(reflection[row][i]);
                z_sum = add_product(z_sum, h, element(i, column));
                g_sum = add_product(g_sum, h, number_of_bits(matrix_g[i][column]));
            }
            z[own] = bits_of(z_sum);
            g[own] = bits_of(g_sum);
        }
        barrier();
        for (int own = 0; own < kOwnElements; ++own) {
            const int at = own * kGroupThreads + thread, row = at / kSize, column = at % kSize;
            if (row >= step && row < kSize) {
                matrix[row][column] = z[own];
                matrix_g[row][column] = g[own];
            }
        }
        barrier();
    }
    if (thread == 0)
        vector_x[0] = 0;
    barrier();
    for (int at = thread; at < kSize * kSize; at += kGroupThreads) {
        const int row = at / kSize, column = at % kSize;
        Number r = kNothing;
        for (int i = 0; i < kSize; ++i)
            r = add_product(r, number_of_bits(matrix_g[row][i]), number_of_bits(model.covariance[i][column]));
        model.g[row][column] = matrix_g[row][column];
        model.r[row][column] = bits_of(r);
        if (row == column && is_small(size_of(r)))
            vector_x[0] = 1;
    }
    barrier();
    if (thread == 0)
        model.has_small_divisor = vector_x[0];
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    decompose();
}
