#pragma once

#include <span>
#include <vector>

#include "alignment/descriptors.h"

namespace vmaf::tool {

/// How badly each distorted frame fits the reference frame at each lag.
class LagCosts {
  public:
    /// Cost of a frame that is nothing like the distorted one.
    static constexpr float kMost = 3;
    /// Where the reference has no frame.
    static constexpr float kOutside = -1;

    LagCosts(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames);

    std::size_t lags() const { return 2 * std::size_t{most_} + 1; }
    int lag(std::size_t k) const { return static_cast<int>(k) - static_cast<int>(most_); }
    std::size_t frames() const { return dis_.frames(); }
    /// Position of the reference frame, which may lie outside.
    long ref_position(std::size_t frame, std::size_t k) const { return static_cast<long>(frame) + shift_ - lag(k); }
    long ref_frames() const { return static_cast<long>(ref_.frames()); }

    struct Fit {
        bool is_flat = false;    ///< nothing to be seen in the distorted frame
        bool shows_none = false; ///< it is like no reference frame
    };
    /// Logarithms of distances over the least one. @param costs one for each lag.
    Fit costs_of(std::size_t frame, std::span<float> costs);
    /// Forgets the best lag so far. costs_of() tries it first, and then leaves out what is
    /// hopeless.
    void begin_again() { likely_ = most_; }

    const Descriptors &ref() const { return ref_; }
    const Descriptors &dis() const { return dis_; }

  private:
    /// Squared distance of the distorted frame from the nearest of the pictures that the reference
    /// frame at lag k may have become. @param least distance of the best lag.
    float distance_of(std::size_t frame, std::size_t k, float least) const;

    Descriptors ref_, dis_;
    unsigned most_;
    long shift_; ///< difference between the frame numbers of the two windows
    std::size_t likely_;
    /// How a reference frame differs from the picture before, which may be held for two frames.
    struct Change {
        std::size_t frames = 0;
        float distance = 0;
    };
    std::vector<Change> changes_;
    std::vector<float> distances_;
};

} // namespace vmaf::tool
