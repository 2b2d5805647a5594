#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/plane_view.h"
#include "feature/picture_format.h"

/// The procedural conformance clips, made in memory: integer arithmetic only, equal bit for bit to
/// the published files.
namespace vmaf::test {

struct ClipSpec {
    const char *name; ///< kind_WIDTHxHEIGHT_BITS
    unsigned width, height, bits;
    VmafPixelFormat pix_fmt;
    unsigned frames;
    const char *ref_sha256; ///< of the whole file, chroma planes rounded up
    const char *dis_sha256;
};

/// All clips, in the order of their published list.
std::span<const ClipSpec> clip_specs();

enum class Side { ref, dis };

/// A clip with all its frames. Planes in memory have the *file's* size (chroma rounded up, samples
/// packed, 1 byte at 8 bits and 2 little-endian bytes above); plane() views the part that a picture
/// holds (chroma rounded down).
class Clip {
  public:
    /// Made at the first call for that name and kept for the process's life. Aborts the test
    /// program on an unknown name.
    static const Clip &get(std::string_view name);

    /// Any pictures: `sample` says what they hold, packed as the clips are. `spec` lives at least
    /// as long.
    using SampleAt = std::function<unsigned(Side side, unsigned frame, unsigned plane, unsigned x, unsigned y)>;
    Clip(const ClipSpec &spec, const SampleAt &sample);

    const ClipSpec &spec() const { return *spec_; }
    PictureFormat format() const { return {spec_->pix_fmt, spec_->bits, spec_->width, spec_->height}; }

    /// View with picture dimensions; empty for a plane that the format lacks.
    PlaneView plane(Side side, unsigned frame, unsigned plane) const;
    /// The frame's bytes as the file holds them.
    std::span<const std::uint8_t> file_frame(Side side, unsigned frame) const;

  private:
    explicit Clip(const ClipSpec &spec);

    const ClipSpec *spec_;
    std::vector<std::vector<std::uint8_t>> frames_[2];
};

} // namespace vmaf::test
