// What all kernels share. The structures are those of src/vulkan/batch.h.

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// Every device has groups of so many threads.
const uint kGroupThreads = 128;
layout(local_size_x = kGroupThreads) in;

struct Plane {
    uint64_t data; // 0: not there
    int64_t stride_bytes;
};
struct PairFrame {
    Plane ref[3];
    Plane dis[3];
    uint64_t sums;
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer PairBatch
{
    PairFrame frames[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words
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

// In two halves: not every device has 64-bit atomics. Each carry comes from one addition, so the
// result does not depend on their order.
void add_to_sum(uint64_t address, uint64_t value)
{
    Sum sum = Sum(address);
    uint low = uint(value);
    uint carry = atomicAdd(sum.low, low) > ~low ? 1u : 0u;
    atomicAdd(sum.high, uint(value >> 32) + carry);
}

shared uint64_t of_threads[kGroupThreads];

// Adds the values of all threads of the group to the sum at that address. All of them call it.
void group_add_to_sum(uint64_t address, uint64_t value)
{
    const uint thread = gl_LocalInvocationID.x;
    of_threads[thread] = value;
    for (uint half_count = kGroupThreads / 2; half_count > 0; half_count /= 2) {
        barrier();
        if (thread < half_count)
            of_threads[thread] += of_threads[thread + half_count];
    }
    if (thread == 0)
        add_to_sum(address, of_threads[0]);
}
