#pragma once

#include <array>
#include <vector>

#include "feature/speed/speed_eigenvalues.h"
#include "feature/speed/speed_logarithms.h"
#include "feature/speed/speed_low_pass.h"
#include "feature/speed/speed_matrix_loops.h"

namespace vmaf {

/// Results of the Gaussian scale mixture for a plane's blocks, in raster order (spec speed 3.7).
struct SpeedBlocks {
    explicit SpeedBlocks(const SpeedGeometry &geometry)
        : variance(geometry.block_count()), entropy(geometry.block_count())
    {
    }

    std::vector<float> variance, entropy;
    bool singular = false; ///< variances are 0
};

/// Plane -> SpeedBlocks (spec speed 3.2 to 3.7). Used by one thread at a time; allocates nothing
/// per plane.
class SpeedPlaneModel {
  public:
    /// Throws std::bad_alloc.
    SpeedPlaneModel(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target);

    const SpeedGeometry &geometry() const { return geometry_; }
    void fit(const SpeedSource &source, SpeedBlocks &blocks);

  private:
    void estimate_means();
    void estimate_covariance();
    void estimate_eigenvalues();
    bool estimate_variances(std::vector<float> &variance) const;
    void block_columns(unsigned first_block, unsigned count, SpeedMatrix &y) const;
    float entropy(float variance) const;

    const SpeedLoops &loops_;
    const SpeedMatrixLoops &matrix_loops_;
    SpeedGeometry geometry_;
    float sigma_nn_;
    SpeedLowPass low_pass_;
    AlignedBuffer<double> centred_; ///< windows of one row

    SpeedVector means_;
    SpeedMatrix covariance_;
    SpeedVector eigenvalues_;
};

/// spec speed 3.8
SpeedPlaneScore speed_plane_score(const SpeedBlocks &ref, const SpeedBlocks &dis, const SpeedOptions &options);

/// Entropy of a block that holds nothing but noise, raised by the floor.
float speed_noise_entropy(const SpeedOptions &options);

} // namespace vmaf
