#include <cmath>

#include "feature/common/add_scale.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_pyramid.h"

namespace vmaf {
namespace {

/// The weighted sum of a picture whose score is about 0.
constexpr double kBrightSum = 20;

double fourth_power(float error)
{
    const double square = static_cast<double>(error) * static_cast<double>(error);
    return square * square;
}

/// What the errors of one error map add to the weighted sum, pixel by pixel: those of norm 1 their
/// weighted value, those of norm 4 a share of the norm by their fourth powers. The mean is what the
/// map adds.
class ErrorShares {
  public:
    ErrorShares(std::span<const float> errors, double weight1, double weight4) : weight1_(weight1)
    {
        double powers = 0;
        for (const float error : errors)
            powers += fourth_power(error);
        const double norm = std::sqrt(std::sqrt(powers / static_cast<double>(errors.size())));
        weight4_ = norm > 0 ? weight4 / (norm * norm * norm) : 0;
    }
    double of(float error) const { return weight1_ * static_cast<double>(error) + weight4_ * fourth_power(error); }

  private:
    double weight1_;
    double weight4_; ///< of fourth powers
};

} // namespace

Result<MetricMap> ssimulacra2_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                                  CpuTarget target)
{
    const Ssimulacra2Options values(options);
    const RgbRows rows(format, yuv_matrix(values.yuv_matrix, format.bpc), Light(values.light), target);
    Ssimulacra2Pyramid pyramid(format.width, format.height,
                               rows.grey() ? Ssimulacra2Colour::grey : Ssimulacra2Colour::xyb, target,
                               Ssimulacra2Errors::are_kept);
    Ssimulacra2Sums sums{};
    pyramid.run(planes, rows, sums);

    MetricMap map{format.width, format.height, std::vector<float>(std::size_t{format.width} * format.height), 0,
                  kBrightSum};
    const std::span<const Ssimulacra2Scale> scales = pyramid.scales();
    for (unsigned plane = 0; plane < kSsimulacra2Planes; ++plane)
        for (unsigned scale = 0; scale < scales.size(); ++scale) {
            const double(&weights)[kSsimulacra2TermsOfScale] = kSsimulacra2Weights[plane * scales.size() + scale];
            for (unsigned error = 0; error < kSsimulacra2Maps; ++error)
                if (const std::span<const float> errors = scales[scale].errors(plane, error); !errors.empty()) {
                    const ErrorShares shares(errors, weights[error], weights[kSsimulacra2Maps + error]);
                    const auto [width_px, height_px] = scales[scale].size();
                    add_scale(map, scale, errors, width_px, height_px, [&](float value) {
                        return static_cast<float>(kSsimulacra2SumFactor * shares.of(value));
                    });
                }
        }
    return map;
}

} // namespace vmaf
