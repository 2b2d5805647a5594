#include "feature/cvvdp/cvvdp_score.h"

#include <cmath>

namespace vmaf {
namespace {

/// spec cvvdp 3.
double pw(double x, double power)
{
    return std::pow(x + kCvvdpEpsilon, power) - std::pow(kCvvdpEpsilon, power);
}

constexpr double kChannelWeights[kCvvdpChannels] = {1, 1, 1, 0.8081134557723999};
constexpr double kBaseWeights[kCvvdpChannels] = {0.0036334486212581396, 1.6627724170684814, 4.11874532699585,
                                                 25.25969886779785};

/// What is summed over bands: of each and each channel.
CvvdpShares terms(const CvvdpSums &sums, unsigned width_px, unsigned height_px, unsigned bands)
{
    CvvdpShares terms{};
    for (unsigned band = 0, width = width_px, height = height_px; band < bands; ++band) {
        for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
            const double mean = sums.squares[band][channel] / (static_cast<double>(width) * height);
            const double weight = kChannelWeights[channel] * (band == bands - 1 ? kBaseWeights[channel] : 1);
            terms.of[band][channel] = pw(weight * pw(mean, 0.5), 4);
        }
        width = cvvdp_half(width);
        height = cvvdp_half(height);
    }
    return terms;
}

} // namespace

double cvvdp_frame_difference(const CvvdpSums &sums, unsigned width_px, unsigned height_px, unsigned bands)
{
    const CvvdpShares of = terms(sums, width_px, height_px, bands);
    double channels = 0;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        double pooled = 0;
        for (unsigned band = 0; band < bands; ++band)
            pooled += of.of[band][channel];
        channels += pw(pw(pooled, 0.25), 4);
    }
    return pw(channels, 0.25);
}

CvvdpShares cvvdp_shares(const CvvdpSums &sums, unsigned width_px, unsigned height_px, unsigned bands)
{
    CvvdpShares shares = terms(sums, width_px, height_px, bands);
    double all = 0;
    for (const auto &band : shares.of)
        for (const double term : band)
            all += term;
    for (auto &band : shares.of)
        for (double &term : band)
            term = all > 0 ? term / all : 0;
    return shares;
}

double cvvdp_frame_term(double difference)
{
    return pw(difference, 2);
}

double cvvdp_clip_difference(double term_sum, unsigned frames)
{
    return pw(term_sum / frames, 0.5);
}

double cvvdp_still_difference(double difference)
{
    return 0.577918291091919 * difference;
}

double cvvdp_jod(double difference)
{
    constexpr double kSlope = 0.0439569391310215, kPower = 0.9302042722702026, kLinearBelow = 0.1;
    return difference > kLinearBelow ? 10 - kSlope * std::pow(difference, kPower)
                                     : 10 - kSlope * std::pow(kLinearBelow, kPower - 1) * difference;
}

} // namespace vmaf
