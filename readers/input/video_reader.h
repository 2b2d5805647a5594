#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/console.h"
#include "input/coded_frame.h"
#include "input/crop.h"
#include "input/input_file.h"
#include "input/segment_start.h"
#include "input/video_format.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

class MediaGpu;

/// A video whose header has been read: frames follow in order.
class VideoReader {
  public:
    virtual ~VideoReader() = default;

    virtual const InputFile &file() const = 0;
    /// Format of the frames that read_frame delivers.
    virtual const VideoFormat &format() const = 0;
    /// Deliver samples of this depth, not less than format().depth: shifted left, all planes.
    virtual void raise_depth(unsigned depth) = 0;
    /// Deliver luma alone: the chroma planes of pictures keep what they hold. To be asked for where
    /// nobody reads them.
    virtual void leave_out_chroma() = 0;
    /// How many frames the file's size says there are, if that can be known.
    virtual std::optional<std::uint64_t> frame_count() const = 0;
    /// Frames per second, if the file says.
    virtual std::optional<double> frame_rate() const { return std::nullopt; }
    virtual const VideoTags &tags() const;
    /// Read the file to its end for tags().has_variable_rate, before the first frame is asked for.
    virtual void recognise_variable_rate() {}
    /// Format of the frames that read_frame delivers, and the meaning of their samples.
    virtual PictureForm form() const { return {format(), tags().range.value_or(Range::limited), tags().colour.matrix}; }
    /// Conversions to deliver frames of format(), a line each.
    virtual std::vector<std::string> conversions() const { return {}; }
    /// Crop of the upright picture; empty: none.
    virtual std::optional<Crop> crop() const { return std::nullopt; }
    /// Facts about the stored file, before any conversion.
    virtual const VideoFormat &stored_format() const { return format(); }

    /// Whether one of the first frames that were read has clear colours, although luma alone is
    /// delivered.
    virtual bool leaves_out_colours() const { return false; }

    /// Whether one of the frames that were delivered is interlaced; tags() speak of the first one.
    virtual bool has_interlaced_frames() const { return false; }

    /// When frames are shown, in seconds, as far as they were read or counted, from the video's
    /// first one on. Empty: the file does not say.
    virtual std::vector<double> frame_times() const { return {}; }
    /// Mean size of a compressed video's frames in the file, as far as it was read.
    virtual std::optional<double> bits_per_frame() const { return std::nullopt; }
    /// How the frames are stored that were read or skipped, from the video's first one on. Empty:
    /// that is not known of each of them, or frames are not those of the file.
    virtual std::vector<CodedFrame> coded_frames() const { return {}; }

    /// Another reader of the same video, from its start and with chroma, that delivers the same
    /// frames: decoded in software. Throws Failure if the video cannot be read a second time.
    virtual std::unique_ptr<VideoReader> reopened() const = 0;
    /// As reopened(), but decoded on that GPU if it can; null: in software.
    virtual std::unique_ptr<VideoReader> reopened_on(const std::shared_ptr<MediaGpu> & /*gpu*/) const
    {
        return reopened();
    }

    /// Fill a picture of format(); false at the end of the video. Throws ScoringStopped,
    /// ReadCancelled.
    virtual bool read_frame(VmafPicture &picture) = 0;
    /// Whether frames are lent to the library by lend_frame(), in a GPU's memory, and read_frame()
    /// is not to be called.
    virtual bool lends_frames() const { return false; }
    /// As read_frame, but also creates the picture.
    virtual bool lend_frame(VmafContext * /*context*/, VmafPicture & /*picture*/) { return false; }
    /// Counts the frames of a compressed video by reading its file to the end. Empty: it does not
    /// say, or skipping costs nothing.
    virtual std::optional<std::uint64_t> index_frames() { return std::nullopt; }
    /// After index_frames() gave a number: the frames first..end-1.
    virtual SegmentStart segment_start(std::uint64_t /*first*/, std::uint64_t /*end*/) { return {}; }
    /// Before the first frame is asked for: go to where a segment begins. Frames of it that are to
    /// be dropped are skipped then. Throws SegmentsDoNotFit, and so does reading, where frames are
    /// not those that the segment was made of.
    virtual void start_at(const SegmentStart & /*segment*/) {}
    /// Before the first frame is asked for: frames of other numbers will be skipped. After
    /// index_frames() gave a number, those that no frame refers to need not be decoded then.
    virtual void read_only(const std::vector<std::uint64_t> & /*numbers*/) {}
    /// As read_frame, but drops the frame.
    virtual bool skip_frame() = 0;
    /// Damage of frames that were delivered; empty: none.
    virtual std::optional<std::string> damage() const { return std::nullopt; }
    /// End a read that waits for data, or the next one. From any thread.
    virtual void cancel() = 0;
};

/// @param raw the format of a raw video; empty: YUV4MPEG2, whose header is read now.
/// @param warnings outlive the reader. Throws Failure.
/// @param samples in place of what the file says.
std::unique_ptr<VideoReader> make_video_reader(InputFile file, const std::optional<VideoFormat> &raw,
                                               Warnings &warnings, const SampleTags &samples = {});

} // namespace vmaf::tool
