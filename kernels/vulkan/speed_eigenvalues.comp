#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"
#include "speed_matrix.glsl"

// spec speed 3.6: a group has a plane.

shared uint diagonal[kSize], subdiagonal[kSize];

// Steps 1 to 3 for column i. A thread has a row, or elements.
void reflect(int i)
{
    const int m = i + 1, row = thread;
    const bool is_below = row >= m && row < kSize;
    const Number alpha = element(m, i);
    Number sum = kNothing;
    for (int r = m + 1; r < kSize; ++r)
        sum = add_product(sum, element(r, i), element(r, i));
    const Number tail = single(root_of(sum));
    if (thread == 0)
        subdiagonal[i] = bits_of(alpha);
    if (is_zero(tail))
        return;
    const Number squares = add_product(single(times(alpha, alpha)), tail, tail);
    const Number beta = Number(single(root_of(squares)).size, is_zero(alpha) || !alpha.is_negative);
    const Number scale = single(minus(alpha, beta));
    const Number tau = single(over(single(minus(beta, alpha)), beta));
    Number v = number_of(row == m ? 1 : 0);
    if (is_below && row > m)
        v = single(over(element(row, i), scale));
    if (row < kSize)
        vector_v[row] = bits_of(v);
    if (thread == 0)
        subdiagonal[i] = bits_of(beta);
    barrier();
    Number x = kNothing;
    if (is_below)
        for (int c = m; c < kSize; ++c) // the block is symmetric
            x = add_product(x, single(times(tau, element(c, row))), number_of_bits(vector_v[c]));
    if (row < kSize)
        vector_x[row] = bits_of(x);
    barrier();
    Number product = kNothing;
    for (int r = m; r < kSize; ++r)
        product = add_product(product, number_of_bits(vector_x[r]), number_of_bits(vector_v[r]));
    const Number half_tau = Number(Real(tau.size.mantissa, tau.size.exponent - 1), !tau.is_negative);
    const Number f = single(times(half_tau, product));
    barrier();
    if (is_below)
        vector_x[row] = bits_of(add_product(x, f, v));
    barrier();
    for (int at = thread; at < kSize * kSize; at += kGroupThreads) {
        const int r = at / kSize, c = at % kSize;
        if (r < m || c < m)
            continue;
        const Number one = single(times(number_of_bits(vector_x[r]), number_of_bits(vector_v[c])));
        const Number both = add_product(one, number_of_bits(vector_v[r]), number_of_bits(vector_x[c]));
        matrix[r][c] = bits_of(single(minus(element(r, c), both)));
    }
    barrier();
}

Number d_of(int i)
{
    return number_of_bits(diagonal[i]);
}
Number e_of(int i)
{
    return number_of_bits(subdiagonal[i]);
}

Number share_of(Number a)
{
    return times(Number(real_of_bits(kNegligible), false), a);
}

void chop(int low, int high)
{
    for (int i = low; i < high; ++i)
        if (is_less(size_of(e_of(i)), share_of(single(plus(size_of(d_of(i)), size_of(d_of(i + 1)))))))
            subdiagonal[i] = 0;
}

// Step 1 and 2.
Number shift_of(int first, int last)
{
    const Number tb = d_of(last), t = e_of(last - 1), difference = single(minus(d_of(last - 1), tb));
    const Number dt = Number(Real(difference.size.mantissa, difference.size.exponent - 1), difference.is_negative);
    const Number length = single(root_of(add_product(single(times(dt, dt)), t, t)));
    Number mu = single(minus(tb, size_of(t)));
    if (!is_zero(dt)) {
        const Number divisor = single(plus(size_of(dt), length));
        const Number part = single(times(t, single(over(t, divisor))));
        mu = single(plus(tb, dt.is_negative ? part : negative(part)));
    }
    const Number head = single(plus(size_of(d_of(first)), size_of(e_of(first))));
    return is_less(head, share_of(size_of(mu))) ? kNothing : mu;
}

Number inverse_length(Number g)
{
    const Number one = number_of(1);
    return single(over(one, root_of(add_product(one, g, g))));
}

// Steps 1 to 5 on the elements first..last of the diagonal, two or more.
void sweep(int first, int last)
{
    Number x = single(minus(d_of(first), shift_of(first, last))), z = e_of(first);
    Number bk = kNothing, zk = kNothing, p = d_of(first), q = z, r = d_of(first + 1), u = kNothing;
    if (last - first > 1)
        u = e_of(first + 1);
    for (int k = first; k < last; ++k) {
        Number c = number_of(1), s = kNothing;
        if (!is_zero(z)) {
            const bool is_steep = is_less(size_of(x), size_of(z));
            const Number g = is_steep ? single(over(negative(x), z)) : single(over(negative(z), x));
            const Number longer = inverse_length(g), shorter = single(times(longer, g));
            c = is_steep ? shorter : longer;
            s = is_steep ? longer : shorter;
        }
        const Number b1 = single(minus(single(times(c, bk)), single(times(s, zk))));
        const Number cp_sq = single(minus(single(times(c, p)), single(times(s, q))));
        const Number sr_cq = single(minus(single(times(s, r)), single(times(c, q))));
        const Number sp_cq = add_product(single(times(s, p)), c, q);
        const Number sq_cr = add_product(single(times(s, q)), c, r);
        diagonal[k] = bits_of(add_product(single(times(c, cp_sq)), s, sr_cq));
        if (k > first)
            subdiagonal[k - 1] = bits_of(b1);
        bk = single(minus(single(times(c, sp_cq)), single(times(s, sq_cr))));
        zk = negative(single(times(s, u)));
        p = add_product(single(times(s, sp_cq)), c, sq_cr);
        q = single(times(c, u));
        if (k + 1 < last) {
            r = d_of(k + 2);
            subdiagonal[k + 1] = bits_of(q);
        }
        if (k + 2 < last)
            u = e_of(k + 2);
        x = bk;
        z = zk;
    }
    diagonal[last] = bits_of(p);
    subdiagonal[last - 1] = bits_of(bk);
}

void iterate()
{
    const int most_steps = 500;
    int last = kSize - 1, steps = 0;
    chop(0, last);
    while (last > 0 && steps < most_steps) {
        if (is_zero(e_of(last - 1))) {
            --last;
            continue;
        }
        int first = last - 1;
        while (first > 0 && !is_zero(e_of(first - 1)))
            --first;
        sweep(first, last);
        chop(first, last);
        ++steps;
    }
}

void find_eigenvalues()
{
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
        has_small = has_small || is_small(d_of(i));
    }
    model.has_small_eigenvalue = has_small ? 1 : 0;
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    find_eigenvalues();
}
