#include "feature/speed/speed_plane.h"

#include <algorithm>
#include <cmath>

#include "base/log.h"

namespace vmaf {
SpeedPlaneModel::SpeedPlaneModel(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
    : loops_(select_kSpeedLoops(target)), matrix_loops_(select_kSpeedMatrixLoops(target)), geometry_(geometry),
      sigma_nn_(static_cast<float>(options.sigma_nn)), low_pass_(geometry, options, target),
      centred_(std::size_t{geometry.windows_x()} * kSpeedLanes)
{
}

void SpeedPlaneModel::fit(const SpeedSource &source, SpeedBlocks &blocks)
{
    low_pass_.run(source);
    estimate_means();
    estimate_covariance();
    estimate_eigenvalues();
    const bool regular =
        std::none_of(eigenvalues_.begin(), eigenvalues_.end(), [](float l) { return l < kSpeedSingular; });
    blocks.singular = !(regular && estimate_variances(blocks.variance));
    if (blocks.singular)
        std::fill(blocks.variance.begin(), blocks.variance.end(), 0.0F);
    std::transform(blocks.variance.begin(), blocks.variance.end(), blocks.entropy.begin(),
                   [this](float variance) { return entropy(variance); });
}

// spec speed 3.5
void SpeedPlaneModel::estimate_means()
{
    means_ = {};
    for (unsigned y = 0; y < geometry_.windows_y(); ++y)
        loops_.add_windows(low_pass_.row(y), low_pass_.stride(), geometry_.windows_x(), means_.data());
    for (float &mean : means_)
        mean /= static_cast<float>(geometry_.window_count());
}

void SpeedPlaneModel::estimate_covariance()
{
    auto *centred = reinterpret_cast<double(*)[kSpeedLanes]>(centred_.data());
    alignas(64) double products[kSpeedLanes][kSpeedLanes] = {};
    for (unsigned y = 0; y < geometry_.windows_y(); ++y) {
        loops_.centre_windows(low_pass_.row(y), low_pass_.stride(), geometry_.windows_x(), means_.data(), centred);
        loops_.add_products(centred, geometry_.windows_x(), products);
    }
    covariance_ = {};
    for (unsigned p = 0; p < kSpeedDimension; ++p)
        for (unsigned q = p; q < kSpeedDimension; ++q)
            covariance_.at[p][q] = covariance_.at[q][p] =
                static_cast<float>(products[p][q] / static_cast<double>(geometry_.window_count()));
}

void SpeedPlaneModel::estimate_eigenvalues()
{
    SpeedMatrix matrix = covariance_;
    SpeedVector subdiagonal;
    matrix_loops_.tridiagonalise(matrix, eigenvalues_.data(), subdiagonal.data());
    if (!iterate_to_eigenvalues(eigenvalues_, subdiagonal))
        log(LogLevel::warning, "speed: the eigenvalues of a plane did not converge");
}

// spec speed 3.7. False if the system is singular.
bool SpeedPlaneModel::estimate_variances(std::vector<float> &variance) const
{
    SpeedMatrix g, r, y;
    matrix_loops_.decompose(covariance_, g, r);
    for (unsigned i = 0; i < kSpeedDimension; ++i)
        if (std::abs(r.at[i][i]) < kSpeedSingular)
            return false;
    const unsigned blocks = geometry_.block_count();
    for (unsigned first = 0; first < blocks; first += kSpeedLanes) {
        const unsigned count = std::min(kSpeedLanes, blocks - first);
        std::array<float, kSpeedLanes> s;
        block_columns(first, count, y);
        matrix_loops_.variances(g, r, y, s.data());
        std::copy_n(s.begin(), count, variance.begin() + first);
    }
    return true;
}

// The samples of each block, a block a column; columns beyond `count` are 0.
void SpeedPlaneModel::block_columns(unsigned first_block, unsigned count, SpeedMatrix &y) const
{
    y = {};
    for (unsigned t = 0; t < count; ++t) {
        const unsigned block = first_block + t;
        const unsigned top = kSpeedBlock * (block / geometry_.blocks_x);
        const unsigned left = kSpeedBlock * (block % geometry_.blocks_x);
        for (unsigned i = 0; i < kSpeedBlock; ++i)
            for (unsigned j = 0; j < kSpeedBlock; ++j)
                y.at[kSpeedBlock * i + j][t] = low_pass_.row(top + i)[left + j];
    }
}

float SpeedPlaneModel::entropy(float variance) const
{
    float bits = 0;
    for (const float eigenvalue : eigenvalues_) {
        const float argument = (eigenvalue < 0 ? 0 : eigenvalue) * variance + sigma_nn_;
        bits = speed_add_bits(bits, argument, std::log2(static_cast<double>(argument)));
    }
    return bits;
}

} // namespace vmaf
