#include <algorithm>
#include <array>
#include <optional>

#include "base/log.h"
#include "feature/common/float_picture.h"
#include "feature/common/mirror.h"
#include "feature/common/prescale.h"
#include "feature/float_motion/float_motion.h"
#include "feature/float_motion/float_motion_loops.h"

namespace vmaf {
namespace {

using Taps = FloatMotionTaps;
constexpr unsigned kReach = kFloatMotionTaps / 2;
constexpr std::size_t kMargin = 16; // before a row: room for its reflected neighbours, and a whole vector

/// Low-passes one plane, row by row.
class PlaneFilter {
  public:
    PlaneFilter(unsigned max_width_px, const Taps &taps, CpuTarget target)
        : taps_(taps), row_loops_(select_kFloatRowLoops(target)), loops_(select_kFloatMotionLoops(target)),
          pitch_(float_pitch(max_width_px)), rows_(pitch_ * kFloatMotionTaps), line_(kMargin + pitch_ + kMargin)
    {
    }

    void start(const PlaneView &plane)
    {
        plane_ = plane;
        for (unsigned y = 0; y < std::min(kReach, plane.height_px); ++y)
            load(y);
    }

    /// Row y; rows come in order.
    void filter(unsigned y, float *out)
    {
        if (y + kReach < plane_.height_px)
            load(y + kReach);
        const float *rows[kFloatMotionTaps];
        for (unsigned k = 0; k < kFloatMotionTaps; ++k)
            rows[k] = row(mirror(static_cast<int>(y + k) - static_cast<int>(kReach), plane_.height_px));
        float *line = line_.data() + kMargin;
        const int width = static_cast<int>(plane_.width_px);
        loops_.filter_columns(rows, taps_.data(), plane_.width_px, line);
        for (const int x : {-2, -1, width, width + 1})
            line[x] = line[mirror(x, plane_.width_px)];
        loops_.filter_row(line, taps_.data(), plane_.width_px, out);
    }

  private:
    /// One of the last five rows.
    float *row(unsigned y) { return rows_.data() + y % kFloatMotionTaps * pitch_; }
    void load(unsigned y) { load_float_row(row_loops_, plane_, y, 0, plane_.width_px, row(y)); }

    Taps taps_;
    const FloatRowLoops &row_loops_;
    const FloatMotionLoops &loops_;
    std::size_t pitch_;
    AlignedBuffer<float> rows_;
    AlignedBuffer<float> line_; ///< the row starts kMargin values in
    PlaneView plane_;
};

constexpr std::size_t kPictures = 2; // earlier, current

class FloatMotionCpu final : public CpuExtractorOf<FloatMotionSums> {
  public:
    FloatMotionCpu(const PictureFormat &format, const FloatMotionMeasures &measures, CpuTarget target)
        : measures_(measures), loops_(select_kFloatMotionLoops(target)),
          pitch_(float_pitch(format.width)), filter_{PlaneFilter(format.width, float_motion_taps(measures.filter_size),
                                                                 target),
                                                     PlaneFilter(format.width, float_motion_taps(measures.filter_size),
                                                                 target)},
          sum_(select_kFloatRowLoops(target), format.width)
    {
        for (std::size_t i = 0; i < kPictures; ++i) {
            filtered_[i] = AlignedBuffer<float>(pitch_ * (measures.half_size ? format.height : 1));
            half_row_[i] = AlignedBuffer<float>(pitch_);
        }
        for (unsigned plane = 0; measures.half_size && plane < measures.planes(); ++plane) {
            const PictureSize size{format.plane_width(plane), format.plane_height(plane)};
            halver_[plane].emplace(PrescaleMethod::bilinear, size, prescaled_size(size, 0.5), target);
        }
    }

  protected:
    Status extract(const FramePlanes &planes, FloatMotionSums &sums) override
    {
        sums.frame_index = planes.frame_index;
        if (measures_.force_zero || planes.frame_index == 0)
            return {};
        if (planes.earlier[0].ref[0].data == nullptr) {
            log(LogLevel::error, "float_motion: frame %u: no reference picture was fed one call earlier",
                planes.frame_index);
            return Status::error(EINVAL);
        }
        for (unsigned plane = 0; plane < measures_.planes(); ++plane) {
            const PlaneView &earlier = planes.earlier[0].ref[plane];
            sums.difference[plane][0] = full_size_difference(earlier, planes.ref[plane]);
            if (measures_.half_size)
                sums.difference[plane][1] = half_size_difference(plane, planes.ref[plane]);
        }
        return {};
    }

  private:
    /// All filtered rows are kept only if the halves are made of them.
    float *filtered(std::size_t picture, unsigned y)
    {
        return filtered_[picture].data() + (measures_.half_size ? pitch_ * y : 0);
    }

    float full_size_difference(const PlaneView &earlier, const PlaneView &current)
    {
        filter_[0].start(earlier);
        filter_[1].start(current);
        sum_.start(current.width_px);
        for (unsigned y = 0; y < current.height_px; ++y) {
            for (std::size_t i = 0; i < kPictures; ++i)
                filter_[i].filter(y, filtered(i, y));
            loops_.difference(filtered(0, y), filtered(1, y), current.width_px, sum_.next_row());
        }
        return sum_.finish();
    }

    float half_size_difference(unsigned plane, const PlaneView &current)
    {
        const PictureSize half = prescaled_size({current.width_px, current.height_px}, 0.5);
        sum_.start(half.width_px);
        for (unsigned y = 0; y < half.height_px; ++y) {
            for (std::size_t i = 0; i < kPictures; ++i)
                halver_[plane]->row(filtered_[i].data(), pitch_, y, half_row_[i].data());
            loops_.difference(half_row_[0].data(), half_row_[1].data(), half.width_px, sum_.next_row());
        }
        return sum_.finish();
    }

    FloatMotionMeasures measures_;
    const FloatMotionLoops &loops_;
    std::size_t pitch_;
    std::array<PlaneFilter, kPictures> filter_;
    OrderedSum sum_;
    std::array<AlignedBuffer<float>, kPictures> filtered_, half_row_;
    std::array<std::optional<Prescaler>, kFloatMotionPlanes> halver_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_motion_cpu(const PictureFormat &format, const FloatMotionMeasures &measures,
                                                    CpuTarget target)
{
    return std::make_unique<FloatMotionCpu>(format, measures, target);
}

} // namespace vmaf
