#include <algorithm>
#include <array>
#include <cstring>

#include "feature/common/float_picture.h"
#include "feature/common/mirror.h"
#include "feature/float_vif/float_vif.h"
#include "feature/float_vif/float_vif_loops.h"

namespace vmaf {
namespace {

using Taps = std::vector<float>;

unsigned half(const Taps &taps)
{
    return static_cast<unsigned>(taps.size() / 2);
}

class FloatPlane {
  public:
    FloatPlane() = default;
    explicit FloatPlane(const PictureSize &size)
        : size_(size), pitch_(float_pitch(size.width_px)), data_(pitch_ * size.height_px)
    {
    }

    const PictureSize &size() const { return size_; }
    std::size_t pitch() const { return pitch_; }
    const float *data() const { return data_.data(); }
    const float *row(unsigned y) const { return data_.data() + pitch_ * y; }
    float *row(unsigned y) { return data_.data() + pitch_ * y; }

  private:
    PictureSize size_;
    std::size_t pitch_ = 0;
    AlignedBuffer<float> data_;
};
using FloatPictures = std::array<FloatPlane, 2>; ///< reference, distorted

/// The columns that are worked on together.
struct Strip {
    unsigned scale;
    unsigned start_px;
    unsigned width_px;
    unsigned half; ///< of the scale's filter

    unsigned columns() const { return width_px + 2 * half; }
};

/// The rows around the current ones, of everything that is filtered. Slides down its buffer and
/// moves back to the front when it has reached the end.
class Window {
  public:
    explicit Window(unsigned max_half)
        : rows_(2 * max_half + kBlocks * kFloatVifBlockRows),
          data_(std::size_t{kFloatVifPlanes} * rows_ * kFloatVifRowPx + kFloatVifRowEnd)
    {
        std::fill_n(data_.data(), data_.size(), 0.0F);
    }

    float *row(unsigned plane, unsigned row)
    {
        return data_.data() + (std::size_t{plane} * rows_ + row) * kFloatVifRowPx;
    }
    unsigned rows() const { return rows_; }

    /// Keeps the last `count` of `end` rows, as the first ones.
    void move_to_front(unsigned end, unsigned count)
    {
        for (unsigned plane = 0; plane < kFloatVifPlanes; ++plane)
            std::memmove(row(plane, 0), row(plane, end - count), count * kFloatVifRowPx * sizeof(float));
    }

  private:
    static constexpr unsigned kBlocks = 4;

    unsigned rows_;
    AlignedBuffer<float> data_;
};

/// Filtered rows and their terms, for the rows that are scored together.
struct Workspace {
    FloatVifLine line, next_line;
    FloatVifLine moments[kFloatVifPlanes][kFloatVifBlockRows];
    FloatVifLine num[kFloatVifBlockRows], den[kFloatVifBlockRows];
};

class FloatVifCpu final : public CpuExtractorOf<FloatVifSums> {
  public:
    FloatVifCpu(const FloatVifOptions &options, const PictureFormat &format, CpuTarget target)
        : skip_scale0_(options.skip_scale0), noise_(float_vif_noise(options)),
          row_loops_(select_kFloatRowLoops(target)),
          loops_(select_kFloatVifLoops(target)), taps_{float_vif_taps(0, options.kernel_scale),
                                                       float_vif_taps(1, options.kernel_scale),
                                                       float_vif_taps(2, options.kernel_scale),
                                                       float_vif_taps(3, options.kernel_scale)},
          window_(half(taps_[0])), work_(std::make_unique<Workspace>()), size_{options.prescaled}
    {
        for (unsigned scale = 1; scale < kFloatVifScales; ++scale) {
            size_[scale] = {size_[scale - 1].width_px / 2, size_[scale - 1].height_px / 2};
            pyramid_[scale - 1] = {FloatPlane(size_[scale]), FloatPlane(size_[scale])};
        }
        const std::size_t padded_rows = size_[0].height_px + kFloatVifBlockRows;
        row_num_ = AlignedBuffer<float>(padded_rows);
        row_den_ = AlignedBuffer<float>(padded_rows);
        if (const PictureSize source{format.width, format.height}; source != options.prescaled) {
            source_ = FloatPlane(source);
            prescaled_ = {FloatPlane(options.prescaled), FloatPlane(options.prescaled)};
            prescaler_.emplace(options.prescale_method, source, options.prescaled, target);
        }
    }

  protected:
    Status extract(const FramePlanes &planes, FloatVifSums &sums) override
    {
        input_ = {planes.ref[0], planes.dis[0]};
        if (prescaler_)
            for (unsigned side = 0; side < 2; ++side)
                prescale(input_[side], prescaled_[side]);
        for (unsigned scale = 0; scale < kFloatVifScales; ++scale)
            sums.scale[scale] = process_scale(scale);
        return {};
    }

  private:
    bool scored(unsigned scale) const { return scale > 0 || !skip_scale0_; }

    void prescale(const PlaneView &plane, FloatPlane &out)
    {
        for (unsigned y = 0; y < plane.height_px; ++y)
            load_float_row(row_loops_, plane, y, 0, plane.width_px, source_.row(y));
        for (unsigned y = 0; y < out.size().height_px; ++y)
            prescaler_->row(source_.data(), source_.pitch(), y, out.row(y));
    }

    FloatVifScaleSums process_scale(unsigned scale)
    {
        const PictureSize &size = size_[scale];
        const unsigned half_taps = half(taps_[scale]), strip_px = kFloatVifRowPx - 2 * half_taps;
        std::fill_n(row_num_.data(), row_num_.size(), 0.0F);
        std::fill_n(row_den_.data(), row_den_.size(), 0.0F);
        for (unsigned x = 0; x < size.width_px; x += strip_px)
            process_strip({scale, x, std::min(strip_px, size.width_px - x), half_taps});
        FloatVifScaleSums sums{};
        for (unsigned y = 0; y < size.height_px; ++y) {
            sums.num += row_num_[y];
            sums.den += row_den_[y];
        }
        return sums;
    }

    void process_strip(const Strip &strip)
    {
        const unsigned height_px = size_[strip.scale].height_px;
        window_end_ = 0;
        int loaded = -static_cast<int>(strip.half); // the next picture row to be loaded
        for (unsigned y = 0; y < height_px; y += kFloatVifBlockRows) {
            const unsigned rows = std::min(kFloatVifBlockRows, height_px - y);
            if (window_end_ + kFloatVifBlockRows > window_.rows()) {
                window_.move_to_front(window_end_, 2 * strip.half);
                window_end_ = 2 * strip.half;
            }
            for (; loaded < static_cast<int>(y + rows + strip.half); ++loaded)
                push_row(strip, loaded);
            process_block(strip, y, rows);
        }
    }

    /// Appends row y of the pictures, which may lie outside of them, to the window.
    void push_row(const Strip &strip, int y)
    {
        const auto row = [this](unsigned plane) { return window_.row(plane, window_end_); };
        const unsigned inner_y = mirror(y, size_[strip.scale].height_px);
        load_row(strip, 0, inner_y, row(kFloatVifRef));
        load_row(strip, 1, inner_y, row(kFloatVifDis));
        if (scored(strip.scale)) {
            loops_.product(row(kFloatVifRef), row(kFloatVifRef), strip.columns(), row(kFloatVifRefRef));
            loops_.product(row(kFloatVifDis), row(kFloatVifDis), strip.columns(), row(kFloatVifDisDis));
            loops_.product(row(kFloatVifRef), row(kFloatVifDis), strip.columns(), row(kFloatVifRefDis));
        }
        ++window_end_;
    }

    void load_row(const Strip &strip, unsigned side, unsigned y, float *out)
    {
        const int width_px = static_cast<int>(size_[strip.scale].width_px);
        const int first = static_cast<int>(strip.start_px) - static_cast<int>(strip.half);
        const int end = first + static_cast<int>(strip.columns());
        const int inner_first = std::max(first, 0), inner_end = std::min(end, width_px);
        load_samples(strip.scale, side, y, static_cast<unsigned>(inner_first),
                     static_cast<unsigned>(inner_end - inner_first), out + (inner_first - first));
        // What lies outside mirrors samples of this same strip: pictures narrower than the filter
        // are one strip.
        const auto mirrored = [&](int x) {
            return out[static_cast<int>(mirror(x, size_[strip.scale].width_px)) - first];
        };
        for (int x = first; x < inner_first; ++x)
            out[x - first] = mirrored(x);
        for (int x = inner_end; x < end; ++x)
            out[x - first] = mirrored(x);
    }

    void load_samples(unsigned scale, unsigned side, unsigned y, unsigned start_px, unsigned count, float *out)
    {
        if (scale == 0 && !prescaler_)
            load_float_row(row_loops_, input_[side], y, start_px, count, out);
        else
            std::copy_n((scale == 0 ? prescaled_ : pyramid_[scale - 1])[side].row(y) + start_px, count, out);
    }

    /// Rows y to y + rows - 1 of the strip, which stand before the last `half` rows of the window.
    void process_block(const Strip &strip, unsigned y, unsigned rows)
    {
        const unsigned first_row = window_end_ - strip.half - rows;
        if (scored(strip.scale))
            score_rows(strip, first_row, y, rows);
        if (strip.scale + 1 < kFloatVifScales)
            for (unsigned row = 0; row < rows; row += 2)
                make_next_scale_row(strip, first_row + row, (y + row) / 2);
    }

    void score_rows(const Strip &strip, unsigned first_row, unsigned y, unsigned rows)
    {
        const Taps &taps = taps_[strip.scale];
        const auto count = static_cast<unsigned>(taps.size());
        for (unsigned plane = 0; plane < kFloatVifPlanes; ++plane)
            for (unsigned row = 0; row < rows; ++row) {
                loops_.filter_columns(window_.row(plane, first_row + row - strip.half), taps.data(), count,
                                      strip.columns(), work_->line.value);
                loops_.filter_row(work_->line.value, taps.data(), count, strip.width_px,
                                  work_->moments[plane][row].value);
            }
        for (unsigned row = 0; row < rows; ++row) {
            FloatVifMoments moments{};
            for (unsigned plane = 0; plane < kFloatVifPlanes; ++plane)
                moments.filtered[plane] = work_->moments[plane][row].value;
            loops_.statistic(moments, strip.width_px, noise_, work_->num[row].value, work_->den[row].value);
        }
        add_terms(work_->num, strip.width_px, row_num_.data() + y);
        add_terms(work_->den, strip.width_px, row_den_.data() + y);
    }

    void add_terms(const FloatVifLine (&terms)[kFloatVifBlockRows], unsigned count, float *row_sums)
    {
        const float *rows[kRowChains];
        for (unsigned row = 0; row < kRowChains; ++row)
            rows[row] = terms[row].value;
        row_loops_.add_rows(rows, count, row_sums);
    }

    void make_next_scale_row(const Strip &strip, unsigned row, unsigned next_y)
    {
        const PictureSize &next_size = size_[strip.scale + 1];
        if (next_y >= next_size.height_px)
            return;
        const Taps &taps = taps_[strip.scale + 1];
        const auto count = static_cast<unsigned>(taps.size());
        const unsigned next_start = strip.start_px / 2;
        const unsigned next_count = std::min((strip.width_px + 1) / 2, next_size.width_px - next_start);
        for (unsigned side = 0; side < 2; ++side) {
            loops_.filter_columns(window_.row(kFloatVifRef + side, row - half(taps)) + (strip.half - half(taps)),
                                  taps.data(), count, strip.width_px + 2 * half(taps), work_->line.value);
            loops_.filter_row(work_->line.value, taps.data(), count, strip.width_px, work_->next_line.value);
            loops_.every_second(work_->next_line.value, next_count,
                                pyramid_[strip.scale][side].row(next_y) + next_start);
        }
    }

    bool skip_scale0_;
    FloatVifNoise noise_;
    const FloatRowLoops &row_loops_;
    const FloatVifLoops &loops_;
    std::array<Taps, kFloatVifScales> taps_;
    Window window_;
    unsigned window_end_ = 0; ///< rows in the window
    std::unique_ptr<Workspace> work_;
    std::array<PictureSize, kFloatVifScales> size_;
    std::array<FloatPictures, kFloatVifScales - 1> pyramid_;
    AlignedBuffer<float> row_num_, row_den_; ///< the rows of one scale, each summed from left to right

    std::array<PlaneView, 2> input_;
    FloatPlane source_; ///< what is resampled; empty like the next two if nothing is
    FloatPictures prescaled_;
    std::optional<Prescaler> prescaler_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_vif_cpu(const FloatVifOptions &options, const PictureFormat &format,
                                                 CpuTarget target)
{
    return std::make_unique<FloatVifCpu>(options, format, target);
}

} // namespace vmaf
