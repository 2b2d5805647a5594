#include "input/frame_probe.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "input/sample_map.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kBlackCodes = 4;   ///< of 8 bits
constexpr unsigned kBrightCodes = 16; ///< of 8 bits: above the noise of black
constexpr unsigned kStep = 8;         ///< frames from one look to the next, after the first ones
constexpr unsigned kColumnStep = 8;   ///< rows of a column that are skipped
constexpr unsigned kNeutralCodes = 4; ///< of 8 bits, distance from neutral chroma: rounding and noise of grey
constexpr unsigned kColourCodes = 16; ///< of 8 bits, distance from neutral chroma: above the noise of grey
constexpr unsigned kLeastDetailFrames = 5;
constexpr unsigned kInset = 64; ///< the part of the picture that lies outside of what is looked at

template <class Sample> const Sample *row_of(const VmafPicture &frame, unsigned plane, unsigned y)
{
    return reinterpret_cast<const Sample *>(static_cast<const std::byte *>(frame.data[plane]) +
                                            static_cast<std::ptrdiff_t>(y) * frame.stride[plane]);
}

template <class Sample> unsigned largest_of_row(const VmafPicture &frame, unsigned y)
{
    const Sample *const row = row_of<Sample>(frame, 0, y);
    Sample largest = 0;
    for (unsigned x = 0; x < frame.w[0]; ++x)
        largest = std::max(largest, row[x]);
    return largest;
}

template <class Sample> unsigned largest_of_column(const VmafPicture &frame, unsigned x)
{
    Sample largest = 0;
    for (unsigned y = 0; y < frame.h[0]; y += kColumnStep)
        largest = std::max(largest, row_of<Sample>(frame, 0, y)[x]);
    return largest;
}

/// Rows inside the picture that are looked at.
std::array<unsigned, 3> inside_rows(unsigned height)
{
    return {height / 4, height / 2, height - 1 - height / 4};
}

/// Mean square of what a sample differs by from the middle of its neighbours, twice, in some rows.
template <class Sample> double detail_of(const VmafPicture &frame)
{
    double sum = 0;
    for (const unsigned y : inside_rows(frame.h[0])) {
        const Sample *const row = row_of<Sample>(frame, 0, y);
        std::uint64_t of_row = 0;
        for (unsigned x = 1; x + 1 < frame.w[0]; ++x) {
            const std::int64_t detail = 2 * row[x] - row[x - 1] - row[x + 1];
            of_row += static_cast<std::uint64_t>(detail * detail);
        }
        sum += static_cast<double>(of_row);
    }
    const double code = 1U << (frame.bpc - 8);
    return sum / frame.w[0] / (code * code);
}

struct Largest {
    unsigned inside;
    std::array<unsigned, 4> edges;
};

template <class Sample> Largest largest_of(const VmafPicture &frame)
{
    const unsigned width = frame.w[0], height = frame.h[0];
    const unsigned left = width / kInset, top = height / kInset;
    unsigned inside = 0;
    for (const unsigned y : inside_rows(height))
        inside = std::max(inside, largest_of_row<Sample>(frame, y));
    return {inside,
            {largest_of_row<Sample>(frame, top), largest_of_row<Sample>(frame, height - 1 - top),
             largest_of_column<Sample>(frame, left), largest_of_column<Sample>(frame, width - 1 - left)}};
}

/// The largest distance of chroma from neutral in some rows.
template <class Sample> unsigned largest_colour(const VmafPicture &frame)
{
    const int neutral = 1 << (frame.bpc - 1);
    int largest = 0;
    for (const unsigned plane : {1U, 2U})
        for (const unsigned y : inside_rows(frame.h[plane])) {
            const Sample *const row = row_of<Sample>(frame, plane, y);
            for (unsigned x = 0; x < frame.w[plane]; ++x)
                largest = std::max(largest, std::abs(row[x] - neutral));
        }
    return static_cast<unsigned>(largest);
}

} // namespace

unsigned black_limit(unsigned depth, Range range)
{
    const auto black = static_cast<unsigned>(code_scale({depth, range}, PlaneKind::luma).origin);
    return black + (kBlackCodes << (depth - 8));
}

void FrameProbe::look(const VmafPicture &frame, Range range, bool has_chroma)
{
    const unsigned number = frames_++;
    if (content_ >= kMostFrames || (number >= kLeastBarFrames && number % kStep != 0))
        return;
    const unsigned black = black_limit(frame.bpc, range);
    const unsigned bright = black + ((kBrightCodes - kBlackCodes) << (frame.bpc - 8));
    const Largest largest = frame.bpc > 8 ? largest_of<std::uint16_t>(frame) : largest_of<std::uint8_t>(frame);
    if (largest.inside <= black)
        return;
    ++content_;
    detail_ += frame.bpc > 8 ? detail_of<std::uint16_t>(frame) : detail_of<std::uint8_t>(frame);
    for (std::size_t edge = 0; edge < kEdges; ++edge) {
        black_[edge] += largest.edges[edge] <= black ? 1 : 0;
        bright_[edge] += largest.edges[edge] > bright ? 1 : 0;
    }
    if (!has_chroma || is_coloured_ || frame.pix_fmt == VMAF_PIX_FMT_YUV400P)
        return;
    const unsigned colour = frame.bpc > 8 ? largest_colour<std::uint16_t>(frame) : largest_colour<std::uint8_t>(frame);
    grey_ += colour <= kNeutralCodes << (frame.bpc - 8) ? 1 : 0;
    is_coloured_ = colour > kColourCodes << (frame.bpc - 8);
}

bool FrameProbe::has_bar_beside(const FrameProbe &picture) const
{
    if (content_ < kLeastBarFrames || picture.content_ < kLeastBarFrames)
        return false;
    for (std::size_t edge = 0; edge < kEdges; ++edge)
        if (black_[edge] == content_ && 2 * picture.bright_[edge] >= picture.content_)
            return true;
    return false;
}

bool FrameProbe::is_grey_beside(const FrameProbe &colour) const
{
    return content_ >= kLeastBarFrames && grey_ == content_ && colour.is_coloured_;
}

double FrameProbe::detail_over(const FrameProbe &other) const
{
    if (content_ < kLeastDetailFrames || other.content_ < kLeastDetailFrames || other.detail_ == 0)
        return 0;
    return (detail_ / content_) / (other.detail_ / other.content_);
}

} // namespace vmaf::tool
