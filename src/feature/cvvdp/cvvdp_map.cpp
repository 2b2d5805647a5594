#include "feature/common/add_scale.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_score.h"

namespace vmaf {
namespace {

/// A difference that takes some 1.7 JOD.
constexpr double kBright = 50;

} // namespace

Result<MetricMap> cvvdp_map(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                            CpuTarget target)
{
    VMAF_TRY_ASSIGN(const CvvdpOptions read, CvvdpOptions::read(options));
    CvvdpPlaces places;
    CvvdpSums sums{};
    VMAF_TRY(make_cvvdp_cpu(format, read, target, &places)->extract(planes, &sums));
    const auto bands = static_cast<unsigned>(places.size());
    const double difference = cvvdp_still_difference(cvvdp_frame_difference(sums, format.width, format.height, bands));
    const CvvdpShares shares = cvvdp_shares(sums, format.width, format.height, bands);
    MetricMap map{format.width, format.height, std::vector<float>(std::size_t{format.width} * format.height), 0,
                  kBright};
    for (unsigned band = 0, width = format.width, height = format.height; band < bands; ++band) {
        for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
            const double mean = sums.squares[band][channel] / (static_cast<double>(width) * height);
            const auto factor = static_cast<float>(mean > 0 ? difference * shares.of[band][channel] / mean : 0);
            add_scale(map, band, places[band][channel], width, height, [&](float square) { return factor * square; });
        }
        width = cvvdp_half(width);
        height = cvvdp_half(height);
    }
    return map;
}

} // namespace vmaf
