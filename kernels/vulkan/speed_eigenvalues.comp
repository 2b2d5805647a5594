#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"
#include "speed_matrix.glsl"

// spec speed 3.6: a group has a plane.

shared uint diagonal[kSize], subdiagonal[kSize];

const uint kHalf = 0x3f000000;

// Exactly, but for the smallest numbers.
uint half_of(uint a)
{
    return single_product(a, kHalf);
}

// Steps 1 to 3 for column i. A thread has a row, or elements.
void reflect(int i)
{
    const int m = i + 1, row = thread;
    const bool is_below = row >= m && row < kSize;
    const uint alpha = matrix[m][i];
    uint sum = 0;
    for (int r = m + 1; r < kSize; ++r)
        sum = add_product(sum, matrix[r][i], matrix[r][i]);
    const uint tail = single_root(sum);
    if (thread == 0)
        subdiagonal[i] = alpha;
    if (tail == 0)
        return;
    const uint length = single_root(add_product(single_product(alpha, alpha), tail, tail));
    const uint beta = alpha > kSign ? length : single_negative(length);
    const uint scale = single_difference(alpha, beta);
    const uint tau = single_quotient(single_difference(beta, alpha), beta);
    uint v = row == m ? kOne : 0;
    if (is_below && row > m)
        v = single_quotient(matrix[row][i], scale);
    if (row < kSize)
        vector_v[row] = v;
    if (thread == 0)
        subdiagonal[i] = beta;
    barrier();
    uint x = 0;
    if (is_below)
        for (int c = m; c < kSize; ++c) // the block is symmetric
            x = add_product(x, single_product(tau, matrix[c][row]), vector_v[c]);
    if (row < kSize)
        vector_x[row] = x;
    barrier();
    uint product = 0;
    for (int r = m; r < kSize; ++r)
        product = add_product(product, vector_x[r], vector_v[r]);
    const uint f = single_product(single_negative(half_of(tau)), product);
    barrier();
    if (is_below)
        vector_x[row] = add_product(x, f, v);
    barrier();
    for (int at = thread; at < kSize * kSize; at += kGroupThreads) {
        const int r = at / kSize, c = at % kSize;
        if (r < m || c < m)
            continue;
        const uint both = add_product(single_product(vector_x[r], vector_v[c]), vector_v[r], vector_x[c]);
        matrix[r][c] = single_difference(matrix[r][c], both);
    }
    barrier();
}

Number share_of(uint a)
{
    return times(Number(real_of_bits(kNegligible), false), number_of_bits(a));
}

void chop(int low, int high)
{
    for (int i = low; i < high; ++i) {
        const uint both = single_sum(single_size(diagonal[i]), single_size(diagonal[i + 1]));
        if (is_less(number_of_bits(single_size(subdiagonal[i])), share_of(both)))
            subdiagonal[i] = 0;
    }
}

// Step 1 and 2.
uint shift_of(int first, int last)
{
    const uint tb = diagonal[last], t = subdiagonal[last - 1];
    const uint dt = half_of(single_difference(diagonal[last - 1], tb));
    const uint length = single_root(add_product(single_product(dt, dt), t, t));
    uint mu = single_difference(tb, single_size(t));
    if (!single_is_zero(dt)) {
        const uint part = single_product(t, single_quotient(t, single_sum(single_size(dt), length)));
        mu = single_sum(tb, dt > kSign ? part : single_negative(part));
    }
    const uint head = single_sum(single_size(diagonal[first]), single_size(subdiagonal[first]));
    return is_less(number_of_bits(head), share_of(single_size(mu))) ? 0 : mu;
}

// The root is not rounded to binary32.
uint inverse_length(uint g)
{
    return single_of_number(over(number_of(1), root_of(number_of_bits(add_product(kOne, g, g)))));
}

// Steps 1 to 5 on the elements first..last of the diagonal, two or more.
void sweep(int first, int last)
{
    uint x = single_difference(diagonal[first], shift_of(first, last)), z = subdiagonal[first];
    uint bk = 0, zk = 0, p = diagonal[first], q = z, r = diagonal[first + 1], u = 0;
    if (last - first > 1)
        u = subdiagonal[first + 1];
    for (int k = first; k < last; ++k) {
        uint c = kOne, s = 0;
        if (!single_is_zero(z)) {
            const bool is_steep = single_size(x) < single_size(z);
            const uint g = single_negative(is_steep ? single_quotient(x, z) : single_quotient(z, x));
            const uint longer = inverse_length(g), shorter = single_product(longer, g);
            c = is_steep ? shorter : longer;
            s = is_steep ? longer : shorter;
        }
        const uint b1 = single_difference(single_product(c, bk), single_product(s, zk));
        const uint cp_sq = single_difference(single_product(c, p), single_product(s, q));
        const uint sr_cq = single_difference(single_product(s, r), single_product(c, q));
        const uint sp_cq = add_product(single_product(s, p), c, q);
        const uint sq_cr = add_product(single_product(s, q), c, r);
        diagonal[k] = add_product(single_product(c, cp_sq), s, sr_cq);
        if (k > first)
            subdiagonal[k - 1] = b1;
        bk = single_difference(single_product(c, sp_cq), single_product(s, sq_cr));
        zk = single_negative(single_product(s, u));
        p = add_product(single_product(s, sp_cq), c, sq_cr);
        q = single_product(c, u);
        if (k + 1 < last) {
            r = diagonal[k + 2];
            subdiagonal[k + 1] = q;
        }
        if (k + 2 < last)
            u = subdiagonal[k + 2];
        x = bk;
        z = zk;
    }
    diagonal[last] = p;
    subdiagonal[last - 1] = bk;
}

void iterate()
{
    const int most_steps = 500;
    int last = kSize - 1, steps = 0;
    chop(0, last);
    while (last > 0 && steps < most_steps) {
        if (single_is_zero(subdiagonal[last - 1])) {
            --last;
            continue;
        }
        int first = last - 1;
        while (first > 0 && !single_is_zero(subdiagonal[first - 1]))
            --first;
        sweep(first, last);
        chop(first, last);
        ++steps;
    }
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    Model model = model_of(gl_WorkGroupID.z);
    load_covariance(model);
    for (int i = 0; i < kSize - 2; ++i)
        reflect(i);
    if (thread != 0)
        return;
    for (int i = 0; i < kSize; ++i)
        diagonal[i] = matrix[i][i];
    subdiagonal[kSize - 2] = matrix[kSize - 1][kSize - 2];
    iterate();
    bool has_small = false;
    for (int i = 0; i < kSize; ++i) {
        model.eigenvalues[i] = diagonal[i];
        has_small = has_small || is_small(diagonal[i]);
    }
    model.has_small_eigenvalue = has_small ? 1 : 0;
}
