#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.5: means, then K. A thread makes an element.

layout(constant_id = 1) const bool kMakesMeans = false;

ivec2 windows()
{
    return kBlock * params.blocks - (kBlock - 1);
}

void find_mean()
{
    if (thread >= kSize)
        return;
    Words details = details_of(gl_WorkGroupID.z);
    const int pitch = kBlock * params.blocks.x, offset = offset_of(thread);
    Number sum = kNothing;
    for (int y = 0; y < windows().y; ++y)
        for (int x = 0; x < windows().x; ++x)
            sum = single(plus(sum, number_of_bits(details.words[y * pitch + x + offset])));
    const Number count = single(number_of(windows().x * windows().y));
    model_of(gl_WorkGroupID.z).means[thread] = bits_of(single(over(sum, count)));
}

// One element of K: row p and column (p + distance) % kSize, which makes every pair once.
void find_covariance()
{
    const int distance = index / kSize, p = index % kSize, q = (p + distance) % kSize;
    if (distance > kSize / 2)
        return;
    Words details = details_of(gl_WorkGroupID.z);
    Model model = model_of(gl_WorkGroupID.z);
    const Number mean_p = number_of_bits(model.means[p]), mean_q = number_of_bits(model.means[q]);
    const int pitch = kBlock * params.blocks.x, offset_p = offset_of(p), offset_q = offset_of(q);
    Number sum = kNothing;
    for (int y = 0; y < windows().y; ++y)
        for (int x = 0; x < windows().x; ++x) {
            const int at = y * pitch + x;
            sum = plus(sum, times(minus(number_of_bits(details.words[at + offset_p]), mean_p),
                                  minus(number_of_bits(details.words[at + offset_q]), mean_q)));
        }
    const uint mean = bits_of(single(over(sum, number_of(windows().x * windows().y))));
    model.covariance[p][q] = mean;
    model.covariance[q][p] = mean;
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    if (kMakesMeans)
        find_mean();
    else
        find_covariance();
}
