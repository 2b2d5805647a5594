#include <algorithm>

#include "feature/common/float_picture.h"
#include "feature/float_ansnr/float_ansnr.h"
#include "feature/float_ansnr/float_ansnr_loops.h"

namespace vmaf {
namespace {

constexpr unsigned kDisCentreKind = kAnsnrDisKinds - 1;
constexpr std::size_t kMargin = 16; // before a row: room for its reflected neighbours, and a whole vector

/// spec float_features 3.12: -i before the line, 2n-1-i behind it; held inside tiny lines (4).
unsigned reflect(int index, unsigned size)
{
    const int last = static_cast<int>(size) - 1;
    return static_cast<unsigned>(std::clamp(index < 0 ? -index : index > last ? 2 * last + 1 - index : index, 0, last));
}

class FloatAnsnrCpu final : public CpuExtractorOf<FloatAnsnrSums> {
  public:
    FloatAnsnrCpu(const PictureFormat &format, CpuTarget target)
        : row_loops_(select_kFloatRowLoops(target)), loops_(select_kFloatAnsnrLoops(target)),
          pitch_(float_pitch(format.width)), line_(kMargin + pitch_ + kMargin), ref_rows_(pitch_ * kAnsnrDisRows),
          dis_rows_(pitch_ * kAnsnrDisKinds * kAnsnrDisRows), signal_(row_loops_, format.width),
          noise_(row_loops_, format.width)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, FloatAnsnrSums &sums) override
    {
        const PlaneView &ref = planes.ref[0], &dis = planes.dis[0];
        signal_.start(ref.width_px);
        noise_.start(ref.width_px);
        for (unsigned y = 0; y < std::min(kAnsnrDisReach, ref.height_px); ++y)
            filter_row(ref, dis, y);
        for (unsigned y = 0; y < ref.height_px; ++y) {
            if (y + kAnsnrDisReach < ref.height_px)
                filter_row(ref, dis, y + kAnsnrDisReach);
            add_row(ref, y);
        }
        sums = {signal_.finish(), noise_.finish()};
        return {};
    }

  private:
    // One of the last five rows.
    float *filtered_ref(unsigned y) { return ref_rows_.data() + y % kAnsnrDisRows * pitch_; }
    float *filtered_dis(unsigned y, unsigned kind)
    {
        return dis_rows_.data() + (y % kAnsnrDisRows * kAnsnrDisKinds + kind) * pitch_;
    }

    const float *load_line(const PlaneView &plane, unsigned y)
    {
        float *line = line_.data() + kMargin;
        const int width = static_cast<int>(plane.width_px);
        load_float_row(row_loops_, plane, y, 0, plane.width_px, line);
        for (const int x : {-2, -1, width, width + 1})
            line[x] = line[reflect(x, plane.width_px)];
        return line;
    }

    void filter_row(const PlaneView &ref, const PlaneView &dis, unsigned y)
    {
        loops_.ref_row(load_line(ref, y), ref.width_px, filtered_ref(y));
        float *const kinds[kAnsnrDisKinds] = {filtered_dis(y, 0), filtered_dis(y, 1), filtered_dis(y, 2)};
        loops_.dis_row(load_line(dis, y), dis.width_px, kinds);
    }

    void add_row(const PlaneView &plane, unsigned y)
    {
        const auto neighbour = [&](int distance) { return reflect(static_cast<int>(y) + distance, plane.height_px); };
        const float *ref[kAnsnrRefRows], *dis[kAnsnrDisRows];
        for (int d = -1; d <= 1; ++d)
            ref[d + 1] = filtered_ref(neighbour(d));
        for (int d = -2; d <= 2; ++d)
            dis[d + 2] = filtered_dis(neighbour(d), kDisCentreKind - static_cast<unsigned>(std::abs(d)));
        loops_.terms(ref, dis, plane.width_px, signal_.next_row(), noise_.next_row());
    }

    const FloatRowLoops &row_loops_;
    const FloatAnsnrLoops &loops_;
    std::size_t pitch_;
    AlignedBuffer<float> line_; ///< the row starts kMargin values in
    AlignedBuffer<float> ref_rows_;
    AlignedBuffer<float> dis_rows_;
    OrderedSum signal_, noise_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_float_ansnr_cpu(const PictureFormat &format, CpuTarget target)
{
    return std::make_unique<FloatAnsnrCpu>(format, target);
}

} // namespace vmaf
