#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The frames of two videos that are compared with each other (spec comparison 6).
namespace vmaf::tool {

/// How far they are looked for.
enum class Alignment {
    off,    ///< frames of equal number
    check,  ///< the same, and a warning if others fit better
    offset, ///< one lag for all frames
    frames, ///< for each distorted frame the reference frame that it shows
};

/// How late a distorted video is; negative: early.
struct FrameOffset {
    double value = 0;
    bool is_in_seconds = false; ///< else in frames, and a whole number

    bool operator==(const FrameOffset &) const = default;
};

/// "off", "check", "offset" or "frames".
std::optional<Alignment> parse_alignment(std::string_view text);
/// "3", "-1", "0.5s" or "-0.04s".
std::optional<FrameOffset> parse_frame_offset(std::string_view text);

/// The offset as text for an option.
std::string frame_offset_text(const FrameOffset &offset);
/// "1 frame late", "12 frames early".
std::string lag_text(int lag);
/// Text of a lag; "in step" for none.
std::string step_text(int lag);

/// Frames that are compared, as both videos number them after the frames that are dropped at their
/// start.
struct FramePair {
    unsigned dis, ref;

    bool operator==(const FramePair &) const = default;
};

/// The pairing of an encode's frames with the reference's.
struct Pairing {
    /// Source of the pairing: "given" by --offset, or "offset" or "frames" of --align. Null: frames
    /// of equal number are compared.
    const char *method = nullptr;
    /// Frames by which the distorted video is late; negative: early. Empty: that cannot be told,
    /// and frames of equal number are compared.
    std::optional<int> lag = 0;
    std::vector<FramePair> pairs = {};   ///< in place of the lag, ascending; empty: there are none
    std::vector<unsigned> dropped = {};  ///< frames of the reference that the distorted video lacks
    std::vector<unsigned> repeated = {}; ///< distorted frames that show the same as those before
    /// PSNR of small luma of the frames that are compared, and of those of equal number.
    std::optional<std::pair<double, double>> evidence_db = {};
};

/// Frames that are dropped at the start of both videos.
struct FrameSkips {
    unsigned ref = 0, dis = 0;
};
/// @param skips what is dropped without a lag.
FrameSkips skips_with(int lag, const FrameSkips &skips);

/// Frames of a given offset. Throws Failure.
/// @param frame_rate frames per second; empty: unknown.
int frames_of(const FrameOffset &offset, std::optional<double> frame_rate);

} // namespace vmaf::tool
