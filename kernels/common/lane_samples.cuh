#pragma once

#include <cstdint>

namespace vmaf {

/// Samples of one row as they lie in memory, as many as a lane takes at once.
template <class Sample, int Pixels> struct LaneSamples {
    static constexpr int kPerWord = sizeof(unsigned) / sizeof(Sample);
    static constexpr int kWords = Pixels / kPerWord;
    static constexpr unsigned kBytes = Pixels * sizeof(Sample);
    static_assert(kWords == 1 || kWords == 2 || kWords == 4, "one load");

    unsigned words[kWords];

    __device__ __forceinline__ int sample(int i) const
    {
        return static_cast<Sample>(words[i / kPerWord] >> (i % kPerWord * 8 * static_cast<int>(sizeof(Sample))));
    }
    /// Sets a sample that is 0.
    __device__ __forceinline__ void put(int i, unsigned sample)
    {
        words[i / kPerWord] |= sample << (i % kPerWord * 8 * static_cast<int>(sizeof(Sample)));
    }
};

/// All at once, from a multiple of kBytes on.
template <class Sample, int Pixels>
__device__ __forceinline__ void thread_load_vector(const unsigned char *from, LaneSamples<Sample, Pixels> &to)
{
    if constexpr (LaneSamples<Sample, Pixels>::kWords == 1) {
        to.words[0] = __ldg(reinterpret_cast<const unsigned *>(from));
    } else if constexpr (LaneSamples<Sample, Pixels>::kWords == 2) {
        const uint2 words = __ldg(reinterpret_cast<const uint2 *>(from));
        to.words[0] = words.x;
        to.words[1] = words.y;
    } else {
        const uint4 words = __ldg(reinterpret_cast<const uint4 *>(from));
        to.words[0] = words.x;
        to.words[1] = words.y;
        to.words[2] = words.z;
        to.words[3] = words.w;
    }
}

} // namespace vmaf
