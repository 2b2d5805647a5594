#include "comparison/frame_sample.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace vmaf::tool {
namespace {

constexpr unsigned kLeastStrata = 10;
constexpr unsigned kReplicates = 1000;
constexpr double kTail = 0.025;

/// SplitMix64 (Steele, Lea, Flood 2014): number n mixes seed + n times the golden ratio.
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    /// 0 to `end` - 1, equally likely but for one part in 2^32 or less.
    unsigned below(unsigned end)
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return static_cast<unsigned>((((z ^ (z >> 31)) >> 32) * end) >> 32);
    }

  private:
    std::uint64_t state_;
};

std::optional<double> positive_number(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
        return std::nullopt;
    return value;
}

/// Ratio of the interval of Student's t to the normal one, by Cornish-Fisher, for 95 %.
double student_widening(double degrees)
{
    constexpr double kZ = 1.959963984540054, kZ3 = kZ * kZ * kZ, kZ5 = kZ3 * kZ * kZ, kLeastDegrees = 3;
    const double n = std::max(degrees, kLeastDegrees);
    return 1 + ((kZ3 + kZ) / (4 * n) + (5 * kZ5 + 16 * kZ3 + 3 * kZ) / (96 * n * n)) / kZ;
}

/// Sum of squares of deviations.
double scatter_of(std::span<const double> scores)
{
    const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
    double squares = 0;
    for (const double score : scores)
        squares += (score - mean) * (score - mean);
    return squares;
}

/// Degrees of freedom of a sum of variances (Satterthwaite 1946): few where few strata, such as
/// those with a cut, have most of it.
double degrees_of_freedom(std::span<const std::vector<double>> groups)
{
    double sum = 0, squares = 0;
    for (const std::vector<double> &group : groups) {
        const auto size = static_cast<double>(group.size());
        const double variance = scatter_of(group) / (size - 1) * size; // variance of the group's sum
        sum += variance;
        squares += variance * variance / (size - 1);
    }
    return squares > 0 ? sum * sum / squares : static_cast<double>(groups.size());
}

} // namespace

std::optional<SampleOption> parse_sample(std::string_view text)
{
    constexpr std::string_view kAuto = "auto:";
    if (text.starts_with(kAuto)) {
        const auto error = positive_number(text.substr(kAuto.size()));
        return error ? std::optional(SampleOption{.error = *error}) : std::nullopt;
    }
    if (!text.ends_with('%'))
        return std::nullopt;
    text.remove_suffix(1);
    const auto percent = positive_number(text);
    return percent && *percent < 100 ? std::optional(SampleOption{.share = *percent / 100}) : std::nullopt;
}

/// The first stratum begins anywhere in the first run's length: so each frame is as often in a
/// larger or smaller stratum as any other.
FrameSample::FrameSample(unsigned frames, double wanted, std::uint64_t seed)
    : frames_(frames), seed_(seed), begins_(std::clamp(static_cast<unsigned>(std::lround(wanted / kFirstPerStratum)),
                                                       kLeastStrata, frames / kFirstPerStratum))
{
    RandomNumbers random(seed);
    const std::uint64_t strata = begins_.size(), shift = random.below(frames);
    for (std::uint64_t i = 0; i < strata; ++i)
        begins_[i] = static_cast<unsigned>((shift + i * frames) / strata);
    drawn_.resize(strata);
    for (unsigned frame = 0; frame < frames; ++frame)
        drawn_[stratum_of(frame)].push_back(frame);
    for (std::vector<unsigned> &stratum : drawn_)
        for (unsigned i = 0; i + 1 < stratum.size(); ++i)
            std::swap(stratum[i], stratum[i + random.below(static_cast<unsigned>(stratum.size()) - i)]);
}

unsigned FrameSample::stratum_of(unsigned frame) const
{
    const auto behind = std::ranges::upper_bound(begins_, frame);
    return static_cast<unsigned>((behind == begins_.begin() ? begins_.end() : behind) - begins_.begin()) - 1;
}

std::vector<unsigned> FrameSample::frames(unsigned per_stratum) const
{
    std::vector<unsigned> chosen;
    for (const std::vector<unsigned> &stratum : drawn_)
        chosen.insert(chosen.end(), stratum.begin(), stratum.begin() + per_stratum);
    std::ranges::sort(chosen);
    return chosen;
}

/// Two neighbouring strata are one group: two frames alone tell too little of a variance, and what
/// groups add to it makes the interval wider at most. A replicate draws one score less than a group
/// has, with replacement, which gives its mean the right variance. Frames that are scored leave
/// nothing to chance: the square root is of the share of the others.
std::optional<FrameSample::Interval> FrameSample::interval_of_mean(std::span<const double> scores,
                                                                   unsigned per_stratum) const
{
    if (!std::ranges::all_of(scores, [](double score) { return std::isfinite(score); }))
        return std::nullopt;
    const std::vector<unsigned> chosen = frames(per_stratum);
    std::vector<std::vector<double>> neighbours(strata() / 2); // two strata each, or three
    for (std::size_t i = 0; i < chosen.size(); ++i)
        neighbours[std::min<std::size_t>(stratum_of(chosen[i]) / 2, neighbours.size() - 1)].push_back(scores[i]);
    RandomNumbers random(~seed_);
    std::vector<double> means(kReplicates);
    for (double &mean : means) {
        double sum = 0;
        for (const std::vector<double> &group : neighbours) {
            const auto size = static_cast<unsigned>(group.size());
            double of_group = 0;
            for (unsigned draw = 1; draw < size; ++draw)
                of_group += group[random.below(size)];
            sum += of_group / (size - 1) * size;
        }
        mean = sum / static_cast<double>(scores.size());
    }
    std::ranges::sort(means);
    const auto n = static_cast<double>(scores.size());
    const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / n;
    const double scale = student_widening(degrees_of_freedom(neighbours)) * std::sqrt(1 - n / frames_);
    const auto tail = static_cast<std::size_t>(kTail * kReplicates);
    return Interval{mean + (means[tail] - mean) * scale, mean + (means[kReplicates - 1 - tail] - mean) * scale};
}

SampleReading frames_to_read(std::span<const unsigned> sampled, unsigned clip_frames, unsigned before, unsigned after)
{
    SampleReading reading;
    unsigned next = 0; // the first frame that is not among them yet
    for (const unsigned frame : sampled) {
        for (unsigned i = std::max(next, frame - std::min(frame, before)); i < frame; ++i)
            reading.frames.push_back(i);
        next = std::max(next, frame);
        const unsigned end = frame + 1 + std::min(after, clip_frames - frame - 1);
        for (; next < end; ++next)
            reading.frames.push_back(next);
    }
    const auto position = [&reading](unsigned frame) {
        return static_cast<unsigned>(std::ranges::lower_bound(reading.frames, frame) - reading.frames.begin());
    };
    for (const unsigned frame : sampled) {
        reading.positions.push_back(position(frame));
        reading.needed.push_back(position(frame + std::min(after, clip_frames - frame - 1)) + 1);
    }
    return reading;
}

} // namespace vmaf::tool
