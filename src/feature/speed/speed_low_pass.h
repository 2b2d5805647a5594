#pragma once

#include <optional>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/plane_view.h"
#include "feature/common/float_picture.h"
#include "feature/common/prescale.h"
#include "feature/speed/speed.h"
#include "feature/speed/speed_geometry.h"
#include "feature/speed/speed_loops.h"

namespace vmaf {

/// A plane, or the difference of two where `subtrahend` has samples.
struct SpeedSource {
    PlaneView plane;
    PlaneView subtrahend;
};

/// The filters F1 and F2 of spec speed 3.3. Throw std::bad_alloc.
std::vector<float> speed_reducing_taps(double kernel_scale);
std::vector<float> speed_mean_taps(double kernel_scale);

/// Plane -> its small picture without local means (spec speed 3.2 to 3.4). Allocates nothing per
/// plane.
class SpeedLowPass {
  public:
    /// Throws std::bad_alloc.
    SpeedLowPass(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target);

    void run(const SpeedSource &source);

    /// After run(): row y of the picture, which may be read kSpeedOverread beyond its end.
    const float *row(unsigned y) const { return details_.data() + std::size_t{y} * stride(); }
    std::size_t stride() const { return geometry_.reduced.width_px; }

  private:
    /// A row with room for the reflected samples that a filter reads on both sides.
    struct PaddedRow {
        PaddedRow(unsigned width, unsigned padding) : reach(padding), width_px(width), samples(width + 2 * padding) {}
        float *start() { return samples.data() + reach; }
        void reflect();

        unsigned reach, width_px;
        AlignedBuffer<float> samples;
    };

    void convert_row(const SpeedSource &source, unsigned y, float *out) const;
    const float *prescaled_row(const SpeedSource &source, unsigned y);
    void add_row(const SpeedSource &source, unsigned y, float tap, unsigned width);
    void reduce(const SpeedSource &source);
    void subtract_local_means();

    const SpeedLoops &loops_;
    const FloatRowLoops &row_loops_;
    SpeedGeometry geometry_;
    std::vector<float> reducing_taps_, mean_taps_;
    std::optional<Prescaler> prescaler_;
    AlignedBuffer<float> plane_; ///< converted whole, to be resampled
    AlignedBuffer<float> prescaled_row_;
    PaddedRow reducing_row_, mean_row_; ///< filtered vertically
    AlignedBuffer<float> reduced_;
    AlignedBuffer<float> details_;
};

} // namespace vmaf
