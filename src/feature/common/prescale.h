#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/cpu.h"
#include "feature/common/picture_size.h"

namespace vmaf {

struct PrescaleLoops;

/// The resampling methods of spec speed 3.2 and spec float_features 3.1.
enum class PrescaleMethod { nearest, bilinear, bicubic, lanczos4 };

/// None for an unknown name.
std::optional<PrescaleMethod> prescale_method(std::string_view name);

/// Both sides times `factor`, rounded to nearest; 0 x 0 if the factor is no number.
PictureSize prescaled_size(const PictureSize &size, double factor);

/// What the samples of a resampled row or column are made of: a sum of samples, each times the
/// product of its column's and its row's weight, row by row. Tap i of sample x is at [i * length +
/// x].
struct PrescaleAxis {
    /// Throws std::bad_alloc.
    PrescaleAxis(PrescaleMethod method, unsigned from, unsigned to);

    unsigned taps;
    unsigned length;
    std::vector<int> index;
    std::vector<float> weight;
};

/// Whether the sum is divided by that of the weights.
constexpr bool is_normalised(PrescaleMethod method)
{
    return method == PrescaleMethod::lanczos4;
}

/// Resamples pictures of one size to another one, row by row. Used by one thread at a time;
/// allocates nothing per row.
class Prescaler {
  public:
    /// Throws std::bad_alloc.
    Prescaler(PrescaleMethod method, const PictureSize &from, const PictureSize &to, CpuTarget target);

    /// Row y of the resampled picture.
    /// @param source the whole picture, its rows `stride` floats apart.
    void row(const float *source, std::size_t stride, unsigned y, float *out);

  private:
    const PrescaleLoops &loops_;
    bool normalised_;
    PrescaleAxis columns_, rows_;
    AlignedBuffer<float> weight_sum_;
};

} // namespace vmaf
