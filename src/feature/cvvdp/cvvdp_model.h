#pragma once

#include <array>
#include <vector>

#include "feature/common/colour_options.h"
#include "feature/cvvdp/cvvdp_display.h"
#include "feature/cvvdp/cvvdp_params.h"

namespace vmaf {

inline constexpr std::array kCvvdpOptions{
    text_option("display", nullptr, "standard_4k", InName::no, "a name of spec cvvdp 3.1, or the path of a JSON file")
        .with(VMAF_ROLE_DISPLAY),
    double_option("ppd", nullptr, 0, 0, 200, InName::no, "pixels per degree, at least 1; 0: the display's")
        .with(VMAF_ROLE_PIXELS_PER_DEGREE),
    double_option("fps", nullptr, 25, 1, 240, InName::no, "frame rate").with(VMAF_ROLE_FRAME_RATE),
    int_option("yuv_matrix", nullptr, -1, -1, 5, InName::no,
               "0 BT.709 limited, 1 BT.601 limited, 2 BT.709 full, 3 BT.601 full, 4 BT.2020 limited, 5 BT.2020 full "
               "range; -1: by the display, 0 or 4")
        .with(VMAF_ROLE_MATRIX),
    text_option("transfer", nullptr, "", InName::no, "sdr, srgb, bt1886, pq, hlg or linear; empty: the display's")
        .with(VMAF_ROLE_TRANSFER),
    text_option("primaries", nullptr, "", InName::no, "bt709, bt2020 or p3; empty: the display's")
        .with(VMAF_ROLE_PRIMARIES),
};
/// The options of spec cvvdp 2.
struct CvvdpOptions {
    /// -EINVAL with one log line.
    static Result<CvvdpOptions> read(const OptionValues &options);

    /// With the transfer, the primaries and the pixels per degree that options give.
    CvvdpDisplay display;
    LightSignal light;
    double fps = 25;
    int yuv_matrix = 0; ///< 0 to 5
};

/// Light comes in cd/m2, not relative to the display's peak.
bool cvvdp_is_absolute(Transfer transfer);

/// Checks option values that ranges of single options cannot exclude: -EINVAL with one log line.
Status check_cvvdp_options(const OptionValues &options);

/// spec cvvdp 3.3: N.
unsigned cvvdp_tap_count(double fps);
/// r[0] to r[K] of each channel, and what all taps of the transient one sum to.
struct CvvdpTaps {
    std::array<std::vector<double>, kCvvdpChannels> r;
    double transient_sum;
};
CvvdpTaps cvvdp_taps(double fps);

/// The filters' weights of a frame and of the frames before it.
struct CvvdpWeights {
    unsigned count; ///< of frames
    /// [0] is the frame itself. The transient channel takes Y of the frame, and Y of earlier ones
    /// minus it (spec cvvdp 5.1).
    float weights[kCvvdpMaxTaps][kCvvdpChannels];
};
/// Weights of a frame with so many frames before it, at most N - 1. The first frame stands for
/// those before it.
CvvdpWeights cvvdp_weights(const CvvdpTaps &taps, unsigned earlier);

/// spec cvvdp 3.4: n.
unsigned cvvdp_band_count(unsigned width_px, unsigned height_px, double ppd);
/// rho of each band, the base band's last.
std::vector<double> cvvdp_frequencies(unsigned width_px, unsigned height_px, double ppd);

/// spec cvvdp 3.5: log10 of the sensitivity to that frequency by luminance, of a channel.
std::array<double, kCvvdpCsfPoints> cvvdp_sensitivities(unsigned channel, double frequency);
/// Tables of one of `count` bands.
CvvdpBandTables cvvdp_tables(unsigned band, unsigned count, double frequency);

/// spec cvvdp 3.6: of the blur of masks, at distance 0 to kCvvdpBlurReach.
std::array<float, kCvvdpBlurReach + 1> cvvdp_blur_taps();

/// From light, relative or in cd/m2, to Y, RG, YV.
CvvdpColour cvvdp_colour(const CvvdpDisplay &display);

} // namespace vmaf
