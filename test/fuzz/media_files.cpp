#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "common/failure.h"
#include "comparison/plan.h"
#include "frames/library.h"
#include "fuzz/target.h"
#include "input/media.h"
#include "input/media/film_grain.h"
#include "input/media/nal_units.h"
#include "input/media/orientation.h"
#include "input/open_video.h"

extern "C" {
#include <libavutil/mem.h>
}

// What media files say besides their pictures. The lowest two bits of the first byte choose what
// the other bytes are:
// 0: a whole file. It is opened, read, indexed and opened again; bits 2 to 4 say how.
// 1: a packet of H.264, HEVC or AV1, whose units are walked. One byte says which codec, another the
// size of the decoder's record.
// 2: two descriptions and options, from which a plan is made.
// 3: a display matrix, by which a frame is turned.

namespace vmaf::fuzz {
namespace {

constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 18; ///< luma samples: larger pictures only take longer
constexpr std::size_t kMostBytes = std::size_t{1} << 26;       ///< limit of an allocation in the media libraries
constexpr unsigned kMostFrames = 6;

void read(tool::VideoReader &reader)
{
    const tool::VideoFormat &format = reader.format();
    if (std::uint64_t{format.width_px} * format.height_px > kMostSamples)
        return;
    tool::Picture picture;
    if (vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px) != 0)
        return;
    for (unsigned frame = 0; frame < kMostFrames; ++frame)
        if (frame == 1 ? !reader.skip_frame() : !reader.read_frame(picture.raw()))
            break;
}

void open_file(std::string_view bytes, unsigned wishes)
{
    const MemoryFile file(bytes);
    tool::InputOptions options;
    options.film_grain = (wishes & 1) != 0 ? tool::FilmGrain::remove : tool::FilmGrain::keep;
    options.deinterlace = (wishes & 2) != 0;
    try {
        tool::Warnings warnings((wishes & 4) != 0);
        auto video = tool::open_video(tool::InputFile(file.path()), {}, options, warnings);
        if (tool::has_filter_support())
            tool::filter(video, std::nullopt, options);
        read(*video);
        const auto frames = video->index_frames();
        auto again = video->reopened();
        if (frames)
            again->start_at(video->segment_start(*frames / 2, *frames));
        read(*again);
    } catch (const tool::SegmentsDoNotFit &) {
    } catch (const std::bad_alloc &) { // for what is beyond kMostBytes
    } catch (const tool::Failure &failure) {
        require(failure.what()[0] != '\0', "a failure says why");
    }
}

void walk_packet(Bytes &bytes)
{
    constexpr AVCodecID kCodecs[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1};
    AVCodecParameters codec{};
    codec.codec_id = bytes.one_of(kCodecs);
    std::uint8_t record[24];
    codec.extradata = record;
    codec.extradata_size = static_cast<int>(bytes.below(sizeof record + 1));
    for (std::uint8_t &byte : record)
        byte = static_cast<std::uint8_t>(bytes.byte());
    // In memory of its own, so that reads beyond its end are noticed.
    const std::string_view rest = bytes.rest();
    const std::unique_ptr<std::uint8_t[]> packet(new std::uint8_t[rest.size()]);
    std::copy(rest.begin(), rest.end(), packet.get());
    const tool::ByteSpan all(packet.get(), rest.size());
    tool::has_film_grain(all, codec);
    std::size_t visited = 0;
    tool::for_each_nal_unit(all, tool::nal_length_bytes(codec), [&](tool::ByteSpan unit) {
        require(!unit.empty() && unit.data() >= all.data() && &unit.back() <= &all.back(), "units lie in the packet");
        visited += unit.size();
    });
    require(visited <= all.size(), "no byte is in two units");
}

int code(Bytes &bytes)
{
    const unsigned value = bytes.byte();
    return value < 250 ? static_cast<int>(value % 24) : static_cast<int>(value) * 100000 - 25200000;
}

tool::VideoDescription description(Bytes &bytes)
{
    constexpr VmafPixelFormat kLayouts[] = {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P,
                                            VMAF_PIX_FMT_YUV400P};
    constexpr unsigned kDepths[] = {8, 10, 12, 16};
    constexpr double kRates[] = {0, 25, 24000.0 / 1001, 24, 1e9, -1};
    constexpr std::optional<tool::Range> kRanges[] = {std::nullopt, tool::Range::limited, tool::Range::full};
    tool::VideoDescription video;
    video.name = "v";
    tool::VideoFormat &format = video.form.format;
    format.width_px = 1 + bytes.below(65536);
    format.height_px = 1 + bytes.below(65536);
    format.pix_fmt = bytes.one_of(kLayouts);
    format.depth = bytes.one_of(kDepths);
    tool::VideoTags &tags = video.tags;
    const unsigned flags = bytes.byte();
    tags.is_media = (flags & 1) != 0;
    tags.is_rgb = (flags & 2) != 0;
    tags.is_interlaced = (flags & 4) != 0;
    tags.is_still = (flags & 8) != 0;
    tags.has_film_grain = (flags & 16) != 0;
    tags.has_variable_rate = (flags & 32) != 0;
    tags.has_alpha = (flags & 64) != 0;
    tags.is_live = (flags & 128) != 0;
    tags.range = bytes.one_of(kRanges);
    tags.colour = {code(bytes), code(bytes), code(bytes)};
    tags.pixel_aspect_num = code(bytes);
    tags.pixel_aspect_den = code(bytes);
    tags.orientation = {bytes.below(2) != 0, bytes.below(4)};
    video.form.range = tags.range.value_or(tool::Range::limited);
    video.form.matrix = tags.colour.matrix;
    if (const unsigned rate = bytes.below(1 + static_cast<unsigned>(std::size(kRates))); rate > 0)
        video.frame_rate = kRates[rate - 1];
    return video;
}

void plan(Bytes &bytes)
{
    constexpr tool::ScaleOption::Kind kScales[] = {tool::ScaleOption::Kind::automatic, tool::ScaleOption::Kind::none,
                                                   tool::ScaleOption::Kind::reference, tool::ScaleOption::Kind::size};
    const tool::VideoDescription ref = description(bytes), dis = description(bytes);
    tool::InputOptions options;
    options.scale = {bytes.one_of(kScales), 64, 48};
    options.deinterlace = bytes.below(2) != 0;
    options.allow_fps_mismatch = bytes.below(2) != 0;
    const tool::Plan made = tool::plan_comparison(ref, dis, options);
    for (const tool::Decision &decision : made.decisions) {
        require(!decision.text.empty(), "a decision says what it is");
        require(tool::printable(decision.text) == decision.text, "a decision is one line");
    }
    require(made.ref.form.range == made.dis.form.range, "both have one range");
}

/// A quarter of the numbers are typical of matrices.
std::int32_t matrix_number(Bytes &bytes)
{
    constexpr std::int32_t kUsual[] = {0, 1 << 16, -(1 << 16), 1 << 30, 46341, -46341};
    const unsigned first = bytes.byte();
    if (first < 64)
        return kUsual[first % std::size(kUsual)];
    return static_cast<std::int32_t>(first << 24 | bytes.byte() << 16 | bytes.byte() << 8 | bytes.byte());
}

void turn(Bytes &bytes)
{
    constexpr AVPixelFormat kFormats[] = {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P10LE,
                                          AV_PIX_FMT_GRAY8, AV_PIX_FMT_YUV422P16LE};
    tool::AvFrame frame = tool::new_picture(bytes.one_of(kFormats), 1 + static_cast<int>(bytes.below(40)),
                                            1 + static_cast<int>(bytes.below(40)));
    std::int32_t matrix[9];
    for (std::int32_t &number : matrix)
        number = matrix_number(bytes);
    try {
        const tool::Orientation orientation = tool::orientation_of(matrix);
        require(orientation.quarter_turns < 4, "there are four quarter turns");
        const int width_px = frame->width, height_px = frame->height;
        const bool is_sideways = orientation.quarter_turns % 2 == 1;
        const tool::AvFrame turned = tool::FrameTurner(orientation, tool::Rounding::accurate).turn(std::move(frame));
        require(turned->width == (is_sideways ? height_px : width_px),
                "a turned frame has the width that was the height");
        require(turned->height == (is_sideways ? width_px : height_px), "and the other way round");
    } catch (const tool::Failure &failure) {
        require(failure.what()[0] != '\0', "a failure says why");
    }
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    av_max_alloc(fuzz::kMostBytes);
    fuzz::Bytes bytes(data, count);
    const unsigned wishes = bytes.byte();
    switch (wishes % 4) {
    case 0:
        fuzz::open_file(bytes.rest(), wishes / 4);
        break;
    case 1:
        fuzz::walk_packet(bytes);
        break;
    case 2:
        fuzz::plan(bytes);
        break;
    default:
        fuzz::turn(bytes);
        break;
    }
    return 0;
}
