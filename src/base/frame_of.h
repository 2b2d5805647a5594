#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "base/pair_of.h"

namespace vmaf {

/// A value for each pair that was read before a frame, the latest ([0]) first; T{} for older ones.
/// Only the latest has its place here. Deeper windows take memory, which clear() keeps for the next
/// frame.
template <class T> class Earlier {
  public:
    Earlier() = default;
    Earlier(std::initializer_list<T> latest_first)
    {
        for (const T &one : latest_first)
            (*this)[count_] = one;
    }

    /// Number of values.
    unsigned count() const { return count_; }
    /// The value to write to. It counts from now on. Throws std::bad_alloc without reserve().
    T &operator[](unsigned index)
    {
        if (index > older_.size())
            older_.resize(index);
        count_ = std::max(count_, index + 1);
        return index == 0 ? latest_ : older_[index - 1];
    }
    const T &operator[](unsigned index) const
    {
        static const T nothing{};
        if (index >= count_)
            return nothing;
        return index == 0 ? latest_ : older_[index - 1];
    }
    /// Makes room for so many.
    void reserve(unsigned count) { older_.reserve(std::max(count, 1U) - 1); }
    void clear()
    {
        latest_ = {};
        older_.clear();
        count_ = 0;
    }

  private:
    T latest_{};
    std::vector<T> older_;
    unsigned count_ = 0;
};

/// The planes that a feature reads to score one frame, in host memory or on a device. A plane that
/// is not there, or that the feature does not read, is empty.
template <class Plane> struct FrameOf : PairOf<Plane> {
    Earlier<PairOf<Plane>> earlier;
    unsigned frame_index = 0;

    /// An empty frame of that index. What memory its window has stays.
    void begin(unsigned index)
    {
        static_cast<PairOf<Plane> &>(*this) = {};
        earlier.clear();
        frame_index = index;
    }
};

} // namespace vmaf
