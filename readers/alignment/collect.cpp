#include "alignment/collect.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace vmaf::tool {
namespace {

constexpr double kFirstSeconds = 20, kLaterSeconds = 10, kLeastSeconds = 4;
constexpr double kRateIfUnknown = 25;

/// Adds a row of samples to sums of columns: a loop that compilers vectorise.
template <class Sample, class Sum> void add_row(const Sample *row, Sum *sums, unsigned width_px)
{
    for (unsigned x = 0; x < width_px; ++x)
        sums[x] = static_cast<Sum>(sums[x] + row[x]);
}

/// The mean of a box as a code of 8 bit in limited range.
class Codes {
  public:
    Codes(unsigned depth, Range range) : depth_(depth), range_(range) {}

    std::uint8_t operator()(std::uint64_t sum, std::uint64_t samples) const
    {
        constexpr std::uint64_t kBlack = 16, kSteps = 219;
        if (range_ == Range::limited) {
            const std::uint64_t divisor = samples << (depth_ - 8);
            return static_cast<std::uint8_t>(std::min<std::uint64_t>((sum + divisor / 2) / divisor, 255));
        }
        const std::uint64_t divisor = samples * ((std::uint64_t{1} << depth_) - 1);
        return static_cast<std::uint8_t>(kBlack + (sum * kSteps + divisor / 2) / divisor);
    }

  private:
    unsigned depth_;
    Range range_;
};

/// First sample of box number `index` of `count`.
unsigned edge(unsigned index, unsigned count, unsigned size_px)
{
    return static_cast<unsigned>(std::uint64_t{index} * size_px / count);
}

constexpr unsigned kLeastLines = 8; ///< lines of a box that count at least, if it has them

/// Lines of a box from one that counts to the next.
unsigned line_step(const SmallGrid &grid, unsigned height_px)
{
    return std::max(height_px / grid.height_px / kLeastLines, 1U);
}

/// Number of a box's lines that are counted.
unsigned counted_lines(unsigned top, unsigned bottom, unsigned step)
{
    return (bottom - top + step - 1) / step;
}

/// @tparam Sum of a box's column.
template <class Sample, class Sum>
void shrink(const VmafPicture &picture, const SmallGrid &grid, const Codes &code, std::uint8_t *out)
{
    const unsigned width_px = picture.w[0], height_px = picture.h[0];
    const auto *const data = static_cast<const std::byte *>(picture.data[0]);
    std::vector<Sum> columns(width_px);
    const unsigned step = line_step(grid, height_px);
    for (unsigned y = 0; y < grid.height_px; ++y) {
        const unsigned top = edge(y, grid.height_px, height_px), bottom = edge(y + 1, grid.height_px, height_px);
        std::ranges::fill(columns, Sum{0});
        for (unsigned line = top; line < bottom; line += step)
            add_row(reinterpret_cast<const Sample *>(data + line * picture.stride[0]), columns.data(), width_px);
        const unsigned lines = counted_lines(top, bottom, step);
        unsigned x = 0;
        for (unsigned box = 0; box < grid.width_px; ++box) {
            const unsigned left = x, right = edge(box + 1, grid.width_px, width_px);
            std::uint64_t sum = 0;
            for (; x < right; ++x)
                sum += columns[x];
            *out++ = code(sum, std::uint64_t{right - left} * lines);
        }
    }
}

static_assert((2 * kLeastLines + 1) * 255 <= std::numeric_limits<std::uint16_t>::max());

} // namespace

void append_small_luma(const VmafPicture &picture, Range range, SmallLuma &luma)
{
    const std::size_t at = luma.samples.size();
    luma.samples.resize(at + luma.frame_size());
    std::uint8_t *const out = luma.samples.data() + at;
    const Codes code(picture.bpc, range);
    if (picture.bpc > 8)
        shrink<std::uint16_t, std::uint32_t>(picture, luma.grid, code, out);
    else
        shrink<std::uint8_t, std::uint16_t>(picture, luma.grid, code, out);
}

unsigned frames_in(double seconds, std::optional<double> frame_rate)
{
    constexpr double kMostFrames = 100'000;
    const double rate = frame_rate && *frame_rate > 0 ? *frame_rate : kRateIfUnknown;
    return static_cast<unsigned>(std::min(std::ceil(seconds * rate), kMostFrames));
}

std::vector<FrameWindow> windows_of(std::optional<std::uint64_t> frames, std::optional<double> frame_rate)
{
    std::vector<FrameWindow> windows{{0, frames_in(kFirstSeconds, frame_rate)}};
    if (!frames || *frames > std::numeric_limits<unsigned>::max())
        return windows;
    const auto all = static_cast<unsigned>(*frames);
    const unsigned later = frames_in(kLaterSeconds, frame_rate);
    for (const unsigned wanted : {all / 2, all - std::max(all / 8, std::min(all, later))}) {
        const unsigned first = std::max(wanted, windows.back().first + windows.back().count);
        if (first < all && all - first >= frames_in(kLeastSeconds, frame_rate))
            windows.push_back({first, later});
    }
    return windows;
}

LumaCollector::LumaCollector(const PictureForm &form, std::span<const FrameWindow> windows)
    : grid_(small_grid(form.format.width_px, form.format.height_px)), format_(form.format), range_(form.range)
{
    for (const FrameWindow &frames : windows)
        windows_.push_back({frames, std::vector<std::vector<std::uint8_t>>(frames.count)});
}

/// Null: in no window.
std::vector<std::uint8_t> *LumaCollector::place_of(unsigned number)
{
    for (Window &window : windows_)
        if (window.frames.contains(number))
            return &window.samples[number - window.frames.first];
    return nullptr;
}

bool LumaCollector::wants(unsigned number) const
{
    return std::ranges::any_of(windows_, [number](const Window &window) { return window.frames.contains(number); });
}

VmafLumaGrid LumaCollector::boxes() const
{
    return {grid_.width_px, grid_.height_px, line_step(grid_, format_.height_px)};
}

void LumaCollector::take(unsigned number, const VmafPicture &picture)
{
    if (std::vector<std::uint8_t> *const place = place_of(number)) {
        SmallLuma one{.grid = grid_};
        append_small_luma(picture, range_, one);
        *place = std::move(one.samples);
    }
}

std::vector<std::uint8_t> *LumaCollector::take_sums(unsigned number, std::span<const std::uint32_t> sums,
                                                    unsigned depth)
{
    std::vector<std::uint8_t> *const samples = place_of(number);
    if (!samples)
        return nullptr;
    const Codes code(depth, range_);
    samples->resize(sums.size());
    for (std::size_t box = 0; box < sums.size(); ++box)
        (*samples)[box] = code(sums[box], samples_of_box(box, format_.width_px, format_.height_px));
    return samples;
}

/// Neutral chroma is the middle of its codes in either range.
std::vector<std::uint8_t> LumaCollector::chroma_of_sums(std::span<const std::uint32_t> sums, unsigned width_px,
                                                        unsigned height_px, unsigned depth) const
{
    constexpr std::uint8_t kNeutral = 128;
    const Codes code(depth, Range::limited);
    std::vector<std::uint8_t> codes(sums.size(), kNeutral);
    for (std::size_t box = 0; box < sums.size(); ++box)
        if (const std::uint64_t samples = samples_of_box(box, width_px, height_px); samples > 0)
            codes[box] = code(sums[box], samples);
    return codes;
}

/// Number of samples in a box of a plane of that size, which is cut as boxes() says.
std::uint64_t LumaCollector::samples_of_box(std::size_t box, unsigned width_px, unsigned height_px) const
{
    const auto column = static_cast<unsigned>(box % grid_.width_px), row = static_cast<unsigned>(box / grid_.width_px);
    const unsigned columns = edge(column + 1, grid_.width_px, width_px) - edge(column, grid_.width_px, width_px);
    const unsigned lines =
        counted_lines(edge(row, grid_.height_px, height_px), edge(row + 1, grid_.height_px, height_px),
                      line_step(grid_, format_.height_px));
    return std::uint64_t{columns} * lines;
}

void LumaCollector::add(const LumaCollector &other)
{
    for (std::size_t i = 0; i < windows_.size(); ++i)
        for (std::size_t frame = 0; frame < windows_[i].samples.size(); ++frame)
            if (windows_[i].samples[frame].empty())
                windows_[i].samples[frame] = other.windows_[i].samples[frame];
}

std::vector<SmallLuma> LumaCollector::small_luma(unsigned end) const
{
    std::vector<SmallLuma> all;
    for (const Window &window : windows_) {
        SmallLuma &luma = all.emplace_back(SmallLuma{.grid = grid_, .first_frame = window.frames.first});
        for (const std::vector<std::uint8_t> &frame : window.samples) {
            if (frame.empty() || window.frames.first + luma.frames() >= end)
                break;
            luma.samples.insert(luma.samples.end(), frame.begin(), frame.end());
        }
    }
    return all;
}

} // namespace vmaf::tool
