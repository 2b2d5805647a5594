#pragma once

#include <gtest/gtest.h>

#include <random>

namespace vmaf::test {

/// Random numbers: another sequence in every run. Failures print `seed`.
class Random {
  public:
    unsigned operator()() { return static_cast<unsigned>(engine_()); }
    unsigned below(unsigned limit) { return static_cast<unsigned>(engine_()) % limit; }
    double between(double low, double high) { return std::uniform_real_distribution(low, high)(engine_); }
    testing::Message seed() const { return testing::Message() << "seed " << seed_; }

  private:
    unsigned seed_ = std::random_device{}();
    std::mt19937 engine_{seed_};
};

} // namespace vmaf::test
