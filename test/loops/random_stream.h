#pragma once

#include <cstdint>

namespace vmaf::test {

/// Cheap random numbers. A seed gives one sequence (splitmix64).
class RandomStream {
  public:
    explicit RandomStream(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// A number from 0 to limit - 1; limit is at most 2^32.
    std::uint64_t below(std::uint64_t limit) { return ((bits() >> 32) * limit) >> 32; }
    /// True once in `count` calls on average.
    bool one_in(unsigned count) { return below(count) == 0; }
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    /// A number from 0 to 1, both included.
    double unit() { return static_cast<double>(bits() >> 11) * (1.0 / 9007199254740991.0); }
    double real(double low, double high) { return low + (high - low) * unit(); }

  private:
    std::uint64_t state_;
};

} // namespace vmaf::test
