#version 460
#extension GL_GOOGLE_include_directive : require
#include "speed.glsl"

// spec speed 3.5: means, then K.

layout(constant_id = 1) const bool kMakesMeans = false;

// A group takes so many elements, and so many windows at a time: its threads find what the windows
// add, then one a sum adds that up in the order of the windows.
const int kElements = 16, kAtOnce = 64; // as in src/feature/speed/speed_vulkan.cpp
shared uint values[kAtOnce][kSize];          // bits of floats
shared uint64_t products[kAtOnce][kElements]; // bits of doubles

ivec2 windows()
{
    return kBlock * params.blocks - (kBlock - 1);
}

// Of a window, in A.
int place_of(int window)
{
    return window / windows().x * kBlock * params.blocks.x + window % windows().x;
}

void find_means()
{
    Words details = words_of(gl_WorkGroupID.z, params.details_at);
    const int count = windows().x * windows().y;
    uint sum = 0;
    for (int first = 0; first < count; first += kAtOnce) {
        barrier();
        for (int i = thread; i < kAtOnce * kSize; i += kGroupThreads) {
            const int window = first + i / kSize;
            values[i / kSize][i % kSize] = window < count ? details.words[place_of(window) + offset_of(i % kSize)] : 0;
        }
        barrier();
        if (thread < kSize)
            for (int i = 0; i < kAtOnce; ++i)
                sum = single_sum(sum, values[i][thread]);
    }
    if (thread < kSize)
        model_of(gl_WorkGroupID.z).means[thread] = single_quotient(sum, single_of(count, 0));
}

// What a window adds to the sum of elements p and q.
uint64_t product_of(Words details, int place, int p, int q, uint mean_p, uint mean_q)
{
    const Number deviation = minus(number_of_bits(details.words[place + offset_of(p)]), number_of_bits(mean_p));
    const Number other = minus(number_of_bits(details.words[place + offset_of(q)]), number_of_bits(mean_q));
    return double_bits_of(times(deviation, other));
}

// Elements of K: row p and column (p + distance) % kSize, which makes every pair once.
void find_covariances()
{
    Words details = words_of(gl_WorkGroupID.z, params.details_at);
    Model model = model_of(gl_WorkGroupID.z);
    const int count = windows().x * windows().y, own = thread % kElements;
    const int element = min(int(gl_WorkGroupID.x) * kElements + own, kSize * (kSize / 2 + 1) - 1);
    const int p = element % kSize, q = (p + element / kSize) % kSize;
    const uint mean_p = model.means[p], mean_q = model.means[q];
    Number sum = number_of(0);
    for (int first = 0; first < count; first += kAtOnce) {
        barrier();
        for (int i = thread / kElements; i < kAtOnce; i += kGroupThreads / kElements)
            products[i][own] =
                first + i < count ? product_of(details, place_of(first + i), p, q, mean_p, mean_q) : 0;
        barrier();
        if (thread < kElements)
            for (int i = 0; i < kAtOnce; ++i)
                sum = plus(sum, number_of_double_bits(products[i][own]));
    }
    if (thread >= kElements)
        return;
    const uint mean = single_of_number(over(sum, number_of(count)));
    model.covariance[p][q] = mean;
    model.covariance[q][p] = mean;
}

void main()
{
    if (is_absent(gl_WorkGroupID.z / (2 * params.pairs)))
        return;
    if (kMakesMeans)
        find_means();
    else
        find_covariances();
}
