#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// A fair choice of a clip's frames, and what it says of all of them (spec comparison 10).
namespace vmaf::tool {

/// How many frames are scored.
struct SampleOption {
    double share = 0; ///< share of all frames, above 0 and below 1; 0: as many as the error needs
    double error = 0; ///< half the width that the interval of the first score may have
};

/// "10%" or "auto:0.5".
std::optional<SampleOption> parse_sample(std::string_view text);

/// Fewer frames are scored as a whole.
constexpr unsigned kLeastSampledClip = 40;
constexpr unsigned kFirstPerStratum = 2;
constexpr std::uint64_t kSampleSeed = 1;

/// A clip cut into runs of frames, from each of which equally many frames are drawn. Every frame is
/// as likely as any other, so that the plain mean of a sample is fair.
class FrameSample {
  public:
    /// @param frames of the clip, at least kLeastSampledClip. @param wanted frames, of which each
    /// stratum has two: 10 strata at least are made.
    FrameSample(unsigned frames, double wanted, std::uint64_t seed = kSampleSeed);

    unsigned strata() const { return static_cast<unsigned>(drawn_.size()); }
    unsigned clip_frames() const { return frames_; }
    /// Frames that a stratum has at least.
    unsigned most_per_stratum() const { return frames_ / strata(); }
    /// The first frames that were drawn from each stratum: ascending. Those of a smaller number are
    /// among those of a larger one.
    std::vector<unsigned> frames(unsigned per_stratum) const;

    struct Interval {
        double low, high;
    };
    /// The interval in which the mean of all frames lies with a probability of 95 %, by a bootstrap
    /// over pairs of strata. Empty: a score is missing or infinite.
    /// @param scores of frames(per_stratum).
    std::optional<Interval> interval_of_mean(std::span<const double> scores, unsigned per_stratum) const;

  private:
    unsigned stratum_of(unsigned frame) const;

    unsigned frames_;
    std::uint64_t seed_;
    std::vector<unsigned> begins_;             ///< first frames of the strata; the last stratum wraps around
    std::vector<std::vector<unsigned>> drawn_; ///< all frames of each stratum, shuffled
};

/// Frames to read so that sampled frames have the scores of the whole clip.
struct SampleReading {
    std::vector<unsigned> frames;    ///< ascending
    std::vector<unsigned> positions; ///< positions of the sampled frames in `frames`
    std::vector<unsigned> needed;    ///< for each sampled frame, how many of the first frames it needs
};
/// @param before, after neighbours that each frame needs, as far as the clip has them.
SampleReading frames_to_read(std::span<const unsigned> sampled, unsigned clip_frames, unsigned before, unsigned after);

} // namespace vmaf::tool
