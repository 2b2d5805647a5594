#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/plane_view.h"
#include "feature/picture_format.h"

/// The procedural conformance clips, made in memory. They use integer arithmetic only, and equal
/// the published files bit for bit.
namespace vmaf::test {

struct ClipSpec {
    const char *name; ///< kind_WIDTHxHEIGHT_BITS
    unsigned width, height, bits;
    VmafPixelFormat pix_fmt;
    unsigned frames;
    const char *ref_sha256; ///< SHA-256 of the whole file, with chroma planes rounded up
    const char *dis_sha256;
};

/// All clips, in the order of their published list.
std::span<const ClipSpec> clip_specs();

enum class Side { ref, dis };

/// A clip with all its frames. Planes in memory have the size of the *file*: chroma is rounded up,
/// samples are packed, with 1 byte at 8 bits and 2 little-endian bytes above. plane() views the
/// part that a picture holds, with chroma rounded down.
class Clip {
  public:
    /// Makes the clip at the first call for that name and keeps it until the process ends. Aborts
    /// the test program if the name is unknown.
    static const Clip &get(std::string_view name);

    /// Makes a clip with any pictures. `sample` returns their samples. `spec` lives at least as
    /// long.
    using SampleAt = std::function<unsigned(Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)>;
    Clip(const ClipSpec &spec, const SampleAt &sample);

    const ClipSpec &spec() const { return *spec_; }
    PictureFormat format() const { return {spec_->pix_fmt, spec_->bits, spec_->width, spec_->height}; }

    /// View of a plane with the picture's dimensions; empty if the format lacks the plane.
    PlaneView plane(Side side, unsigned frame, unsigned plane) const;
    /// Bytes of the frame as in the file.
    std::span<const std::uint8_t> file_frame(Side side, unsigned frame) const;

  private:
    explicit Clip(const ClipSpec &spec);

    const ClipSpec *spec_;
    std::vector<std::vector<std::uint8_t>> frames_[2];
};

} // namespace vmaf::test
