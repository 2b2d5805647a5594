#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "input/video_format.h"

namespace vmaf::tool {

/// How samples are stored. Samples of up to 8 bits take a byte, others two, the lower one first.
struct SampleCoding {
    unsigned depth = 8; ///< bits, 8 to 16
    Range range = Range::limited;

    bool operator==(const SampleCoding &) const = default;
};

/// The codes of one kind of plane that a coding has for a value and for a difference of 1.
struct CodeScale {
    std::int64_t origin; ///< code of black, or of no colour
    std::int64_t span;
};
enum class PlaneKind { luma, chroma };
CodeScale code_scale(const SampleCoding &coding, PlaneKind kind);

/// Brings the samples of a plane to another range and depth: exact, rounded half up and clipped
/// (spec comparison 2.1).
class SampleMap {
  public:
    SampleMap(const SampleCoding &from, const SampleCoding &to, PlaneKind kind);

    /// Whether samples stay as they are.
    bool is_copy() const { return from_ == to_; }
    /// @param from, to need no alignment and do not overlap.
    void convert(const std::byte *from, std::byte *to, std::size_t samples) const;

  private:
    SampleCoding from_, to_;
    bool is_shift_;
    std::vector<std::uint16_t> table_; ///< empty: a copy or a shift
};

/// Sample maps of all planes of a frame.
class FrameMap {
  public:
    FrameMap(const SampleCoding &from, const SampleCoding &to)
        : luma_(from, to, PlaneKind::luma), chroma_(from, to, PlaneKind::chroma)
    {
    }

    bool is_copy() const { return luma_.is_copy(); }
    const SampleMap &of_plane(unsigned plane) const { return plane == 0 ? luma_ : chroma_; }

  private:
    SampleMap luma_, chroma_;
};

} // namespace vmaf::tool
