// What all kernels share. The structures are those of src/vulkan/batch.h.

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// Every device has groups of so many threads.
const int kGroupThreads = 128;
layout(local_size_x = kGroupThreads) in;

// Of a picture's sample: 1 or 2.
layout(constant_id = 0) const uint kSampleBytes = 1;

struct Plane {
    uint64_t data;     // 0: not there
    uvec2 stride_bytes; // below 2^32, so all in the first
};
struct Pair {
    Plane ref[3];
    Plane dis[3];
};
struct Frame {
    Pair pair;
    Pair earlier[2];
    uint64_t sums;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Batch
{
    Frame frames[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words
{
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Sum
{
    uint low, high;
};

Words row_of(Plane plane, int y)
{
    return Words(plane.data + uint64_t(plane.stride_bytes.x) * uint(y));
}

uint sample_of(Words row, int x)
{
    const int bits = int(kSampleBytes) * 8, at = x * bits;
    return bitfieldExtract(row.words[at >> 5], at & 31, bits);
}

// Reflects without repeating the edge, up to three times; from farther away it is some index inside.
// Without branches: loads that follow wait for memory together.
int mirror(int index, int size)
{
    const int last = size - 1, once = abs(index);
    return min(abs(min(once, 2 * last - once)), last);
}

// Adds in two halves: not every device has 64-bit atomics. Each carry comes from one addition, so
// the result does not depend on their order.
void add_to_sum(uint64_t address, uint64_t value)
{
    Sum sum = Sum(address);
    uint low = uint(value);
    uint carry = atomicAdd(sum.low, low) > ~low ? 1u : 0u;
    atomicAdd(sum.high, uint(value >> 32) + carry);
}

// How many sums a kernel makes of its threads' values.
#ifndef GROUP_SUMS
#define GROUP_SUMS 1
#endif
const uint kParts = 8; // of a sum
shared uint64_t of_threads[GROUP_SUMS][kGroupThreads];
shared uint64_t of_parts[GROUP_SUMS][kParts];

// Adds the values of all threads of the group, which all call it, once in a kernel: they wait for
// each other twice, however many sums there are.
void add_in_group(uint64_t values[GROUP_SUMS])
{
    const uint thread = gl_LocalInvocationID.x, which = thread / kParts, part = thread % kParts;
    for (uint i = 0; i < GROUP_SUMS; ++i)
        of_threads[i][thread] = values[i];
    barrier();
    if (which < GROUP_SUMS) {
        uint64_t sum = 0;
        for (uint i = part; i < kGroupThreads; i += kParts)
            sum += of_threads[which][i];
        of_parts[which][part] = sum;
    }
    barrier();
}

// What add_in_group() has found.
uint64_t group_sum(uint which)
{
    uint64_t sum = 0;
    for (uint part = 0; part < kParts; ++part)
        sum += of_parts[which][part];
    return sum;
}

// Adds the group's sums to those that lie one after the other from that address on. All threads
// call it, once in a kernel.
void group_add_to_sums(uint64_t address, uint64_t values[GROUP_SUMS])
{
    add_in_group(values);
    const uint which = gl_LocalInvocationID.x;
    if (which < GROUP_SUMS)
        add_to_sum(address + which * 8, group_sum(which));
}
