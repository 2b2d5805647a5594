#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/crop.h"
#include "input/video_format.h"

/// How videos are read and brought together (spec cli 10.1).
namespace vmaf::tool {

enum class ContainerFormat { automatic, raw, y4m, media };

struct ScaleOption {
    enum class Kind {
        automatic, ///< reference if at least one side is media, else none
        none,
        reference,
        size
    };
    Kind kind = Kind::automatic;
    unsigned width_px = 0;
    unsigned height_px = 0;
};

/// The display on which pictures are shown (spec comparison 5).
enum class Display { none, hd, phone, uhd, uhd_tv };

/// "1080p".
const char *display_text(Display display);

struct PixelFormatOption {
    enum class Kind {
        automatic, ///< common if at least one side is media, else none
        none,
        named
    };
    Kind kind = Kind::automatic;
    VmafPixelFormat pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    unsigned depth = 0;
};

struct Fraction {
    int num;
    int den;

    bool operator==(const Fraction &) const = default;
};

enum class Decoding { automatic, cuda, software };

/// What to do with the grain that AV1 and H.274 let decoders add.
enum class FilmGrain { keep, remove };

/// ffmpeg's filter for --deinterlace: one frame for each frame.
constexpr std::string_view kDeinterlacer = "bwdif=mode=send_frame";

class MediaGpu;

/// The scaler: libswscale's, or the library's, which makes the same samples on CPU and GPU.
enum class ScalerChoice { swscale, integer };

/// Options for the files of one side.
struct SideOptions {
    ContainerFormat container = ContainerFormat::automatic;
    SampleTags samples;
    std::optional<std::string> filter; ///< a filter graph; empty: none
    std::optional<CropOption> crop;    ///< empty: InputOptions::crop
};

struct InputOptions {
    SideOptions ref;
    SideOptions dis;
    std::optional<VideoFormat> raw; ///< format of raw videos
    CropOption crop;                ///< crop of sides without their own
    ScaleOption scale;
    Display display = Display::none; ///< that both videos are scaled to
    unsigned sdr_depth = 0;          ///< bits that SDR is measured at; 0: its own
    PixelFormatOption pix_fmt;
    ScalerChoice scaler = ScalerChoice::swscale;
    bool accurate_scale = false;
    /// Colour that transparent videos are composed over; empty: alpha is ignored.
    std::optional<Background> background = std::nullopt;
    bool unequal_depths_allowed = false; ///< for raw and Y4M videos: the lower depth is raised
    bool allow_fps_mismatch = false;
    bool allow_network = false;
    bool deinterlace = false; ///< what says that it is interlaced
    FilmGrain film_grain = FilmGrain::keep;
    bool autorotate = true;                ///< pictures are shown as their files say
    std::optional<Fraction> sequence_rate; ///< frames per second of image sequences
    Decoding decoding = Decoding::automatic;
    std::shared_ptr<MediaGpu> gpu = nullptr; ///< that decodes media files; null: none does

    const CropOption &crop_of(const SideOptions &side) const { return side.crop ? *side.crop : crop; }
    bool filters_frames() const { return deinterlace || ref.filter || dis.filter; }
};

/// "auto", "none", "ref" or "1920x1080".
std::optional<ScaleOption> parse_scale(std::string_view text);
/// "none", "1080p", "phone", "4k" or "4k_tv".
std::optional<Display> parse_display(std::string_view text);
/// "swscale" or "integer".
std::optional<ScalerChoice> parse_scaler(std::string_view text);
/// "auto", "none", or a layout as in Y4M headers: "420", "422p10", "mono12".
std::optional<PixelFormatOption> parse_common_format(std::string_view text);
/// A format with these planes for it, as deep as models measure at least: "420p10".
std::string common_format_text(const VideoFormat &format);
/// A positive number of frames per second: "25", "23.976" or "24000/1001".
std::optional<Fraction> parse_frame_rate(std::string_view text);
/// "RRGGBB" in hexadecimal digits.
std::optional<Background> parse_background(std::string_view text);
/// "auto", "cuda" or "software".
std::optional<Decoding> parse_decoding(std::string_view text);
/// "keep" or "remove".
std::optional<FilmGrain> parse_film_grain(std::string_view text);
/// "limited" or "full", or "auto", which is empty.
std::optional<std::optional<Range>> parse_range(std::string_view text);
/// "bt601", "bt709", "bt2020", another matrix as ffmpeg calls it, or "auto", which is empty.
std::optional<std::optional<int>> parse_matrix(std::string_view text);
/// "auto", "raw", "y4m" or "media".
std::optional<ContainerFormat> parse_container_format(std::string_view text);

} // namespace vmaf::tool
