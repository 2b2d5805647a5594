#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"
#include "speed_matrix.glsl"

// spec speed 3.7 to step 3, R: a group has a plane.

shared uint matrix_g[kSize][kSize];   // G; the other one is Z
shared uint reflection[kSize][kSize]; // H

uint length_from(int first)
{
    uint sum = 0;
    for (int i = first; i < kSize; ++i)
        sum = add_product(sum, vector_v[i], vector_v[i]);
    return single_root(sum);
}

// Steps 1 and 2: H. Rows above `step` are done; sums of the whole matrices would only add zeros.
void make_reflection(int step, bool diagonal_is_negative)
{
    if (thread < kSize)
        vector_v[thread] = matrix[thread][step];
    barrier();
    const uint norm = length_from(step), head = vector_v[step];
    barrier();
    if (thread == 0)
        vector_v[step] = single_sum(head, diagonal_is_negative ? single_negative(norm) : norm);
    barrier();
    const uint scale = length_from(step);
    barrier();
    if (thread < kSize)
        vector_v[thread] = single_quotient(vector_v[thread], scale);
    barrier();
    for (int at = thread; at < kSize * kSize; at += kGroupThreads) {
        const uint a = vector_v[at / kSize];
        const uint product = single_product(single_negative(single_sum(a, a)), vector_v[at % kSize]);
        reflection[at / kSize][at % kSize] = at / kSize == at % kSize ? single_sum(product, kOne) : product;
    }
    barrier();
}

const int kOwnElements = (kSize * kSize + kGroupThreads - 1) / kGroupThreads;

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    Model model = model_of(gl_WorkGroupID.z);
    load_covariance(model);
    for (int at = thread; at < kSize * kSize; at += kGroupThreads)
        matrix_g[at / kSize][at % kSize] = at / kSize == at % kSize ? kOne : 0;
    for (int step = 0; step < kSize - 1; ++step) {
        make_reflection(step, model.covariance[step][step] > kSign);
        uint z[kOwnElements], g[kOwnElements];
        for (int own = 0; own < kOwnElements; ++own) {
            const int at = own * kGroupThreads + thread, row = at / kSize, column = at % kSize;
            uint z_sum = 0, g_sum = 0;
            for (int i = step; i < kSize && row >= step && row < kSize; ++i) {
                z_sum = add_product(z_sum, reflection[row][i], matrix[i][column]);
                g_sum = add_product(g_sum, reflection[row][i], matrix_g[i][column]);
            }
            z[own] = z_sum;
            g[own] = g_sum;
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
        uint r = 0;
        for (int i = 0; i < kSize; ++i)
            r = add_product(r, matrix_g[row][i], model.covariance[i][column]);
        model.g[row][column] = matrix_g[row][column];
        model.r[row][column] = r;
        if (row == column && is_small(single_size(r)))
            vector_x[0] = 1;
    }
    barrier();
    if (thread == 0)
        model.has_small_divisor = vector_x[0];
}
