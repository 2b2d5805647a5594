#pragma once

// Shared with device code: plain C++17.

#include <initializer_list>
#include <type_traits>

namespace vmaf {

/// How many calls back a feature may look: a quarter of a second at 240 frames/s (spec cvvdp 3.3).
constexpr unsigned kMaxLookBack = 60;

/// What there is of each of the pairs that were read before a frame, the latest ([0]) first; nothing (T{}) of older ones. Most features look
/// back at one pair or at none: what it costs goes by how many there are, not by how many there may be.
template <class T> class Earlier {
    static_assert(std::is_trivially_copyable<T>::value && std::is_trivially_destructible<T>::value,
                  "copied bit by bit");

  public:
    Earlier() = default;
    Earlier(std::initializer_list<T> latest_first)
    {
        for (const T &one : latest_first)
            slots_[count_++].value = one;
    }
    Earlier(const Earlier &other) noexcept { *this = other; }
    Earlier &operator=(const Earlier &other) noexcept
    {
        if (this == &other)
            return *this;
        for (unsigned i = 0; i < other.count_; ++i)
            slots_[i].value = other.slots_[i].value;
        count_ = other.count_;
        return *this;
    }

    /// Behind it there is nothing.
    unsigned count() const { return count_; }
    /// To write to: from now on it counts. `index` is below kMaxLookBack.
    T &operator[](unsigned index)
    {
        while (count_ <= index)
            slots_[count_++].value = T{};
        return slots_[index].value;
    }
    const T &operator[](unsigned index) const
    {
        static const T nothing{};
        return index < count_ ? slots_[index].value : nothing;
    }

  private:
    union Slot {
        Slot() {} // NOLINT(modernize-use-equals-default): deleted then, since T{} is not trivial
        T value;
    };
    Slot slots_[kMaxLookBack];
    unsigned count_ = 0;
};

/// The planes of a reference and of a distorted picture.
template <class Plane> struct PairOf {
    Plane ref[3]{};
    Plane dis[3]{};
};

/// What a feature reads to score one frame, in host memory or on a device. A plane that is not there, or that the feature does not read,
/// is empty.
template <class Plane> struct FrameOf : PairOf<Plane> {
    Earlier<PairOf<Plane>> earlier;
    unsigned frame_index = 0;
};

} // namespace vmaf
