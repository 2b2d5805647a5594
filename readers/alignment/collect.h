#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alignment/small_luma.h"
#include "input/video_format.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/picture.h"

/// Small luma of a video's frames, made while they are read.
namespace vmaf::tool {

/// Adds the small luma of a picture in host memory. Of high boxes every n-th line counts, 8 to 15
/// of them, which keeps this cheap.
/// @param range of its samples.
void append_small_luma(const VmafPicture &picture, Range range, SmallLuma &luma);

/// Frame numbers.
struct FrameWindow {
    unsigned first, count;

    bool contains(unsigned number) const { return number >= first && number - first < count; }
    bool operator==(const FrameWindow &) const = default;
};

/// Frames that say whether two videos are in step: the first 20 s, and in a longer clip 10 s at one
/// half and at seven eighths, or as near to that as the clip has room.
/// @param frames of the clip; empty: unknown. @param frame_rate frames per second; empty: unknown.
std::vector<FrameWindow> windows_of(std::optional<std::uint64_t> frames, std::optional<double> frame_rate);

/// Frames of a rate for so many seconds.
unsigned frames_in(double seconds, std::optional<double> frame_rate);

/// Collects the frames of one video that lie in windows. One thread reads them at a time.
class LumaCollector {
  public:
    /// @param form of the pictures.
    LumaCollector(const PictureForm &form, std::span<const FrameWindow> windows);

    /// A frame that was read.
    void take(unsigned number, const VmafPicture &picture);
    /// Whether a frame of that number would be kept.
    bool wants(unsigned number) const;
    /// How vmaf_luma_boxes_create() is to cut the frames.
    VmafLumaGrid boxes() const;
    /// A frame that was read into other memory. @param sums those boxes', of samples of that depth.
    /// @return its small luma; null: it is not kept.
    std::vector<std::uint8_t> *take_sums(unsigned number, std::span<const std::uint32_t> sums, unsigned depth);
    /// Small chroma of such a frame, which is not kept: codes of 8 bits, neutral where a box is
    /// empty. @param sums of a plane of that size.
    std::vector<std::uint8_t> chroma_of_sums(std::span<const std::uint32_t> sums, unsigned width_px, unsigned height_px,
                                             unsigned depth) const;
    /// Frames that another reader of the same video has read.
    void add(const LumaCollector &other);
    /// Small luma of each window: its frames as far as they were read.
    /// @param end number of the frame before which they end.
    std::vector<SmallLuma> small_luma(unsigned end) const;

  private:
    struct Window {
        FrameWindow frames;
        std::vector<std::vector<std::uint8_t>> samples; ///< samples of each frame; empty: it was not read
    };

    std::vector<std::uint8_t> *place_of(unsigned number);
    std::uint64_t samples_of_box(std::size_t box, unsigned width_px, unsigned height_px) const;

    SmallGrid grid_;
    VideoFormat format_;
    Range range_;
    std::vector<Window> windows_;
};

} // namespace vmaf::tool
