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
    uint64_t data; // 0: not there
    int64_t stride_bytes;
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
    return Words(plane.data + uint64_t(plane.stride_bytes * y));
}

uint sample_of(Words row, int x)
{
    const int bits = int(kSampleBytes) * 8, at = x * bits;
    return bitfieldExtract(row.words[at >> 5], at & 31, bits);
}

// Reflects without repeating the edge, as often as it takes; a line of one sample repeats it.
int mirror(int index, int size)
{
    if (size == 1)
        return 0;
    const int period = 2 * (size - 1);
    const int folded = abs(index) % period;
    return min(folded, period - folded);
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

shared uint64_t of_threads[kGroupThreads];

// Sum over all threads of the group, which all call it; for the first one.
uint64_t group_sum(uint64_t value)
{
    const uint thread = gl_LocalInvocationID.x;
    barrier(); // an earlier call may still read
    of_threads[thread] = value;
    for (uint half_count = kGroupThreads / 2; half_count > 0; half_count /= 2) {
        barrier();
        if (thread < half_count)
            of_threads[thread] += of_threads[thread + half_count];
    }
    return of_threads[0];
}

// Adds the values of all threads of the group to the sum at that address. All of them call it.
void group_add_to_sum(uint64_t address, uint64_t value)
{
    const uint64_t sum = group_sum(value);
    if (gl_LocalInvocationID.x == 0)
        add_to_sum(address, sum);
}
