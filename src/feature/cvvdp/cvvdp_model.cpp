#include "feature/cvvdp/cvvdp_model.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numbers>

#include "base/log.h"
#include "feature/cvvdp/cvvdp_csf.h"

namespace vmaf {
namespace {

/// spec cvvdp 3.3: b and s of each channel.
constexpr double kExponents[kCvvdpChannels] = {1.3314, 1.1196, 0.947901, 0.1898};
constexpr double kScales[kCvvdpChannels] = {5.79336, 14.1255, 6.63661, 0.12314};

double response(unsigned channel, double frequency)
{
    const double power = frequency > 0 ? std::pow(frequency, kExponents[channel]) : 0;
    if (channel != kCvvdpTransient)
        return std::exp(-power / kScales[channel]);
    const double distance = power - std::pow(5, kExponents[channel]);
    return std::exp(-distance * distance / kScales[channel]);
}

/// spec cvvdp 3.2.
constexpr ColourMatrix kBt709ToXyz{
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr ColourMatrix kBt2020ToXyz{{{0.6370, 0.1446, 0.1689}, {0.2627, 0.6780, 0.0593}, {0, 0.0281, 1.0610}}};
constexpr ColourMatrix kXyzToLms{{{0.187596268556126, 0.585168649077728, -0.026384263306304},
                                  {-0.133397430663221, 0.405505777260049, 0.034502127690364},
                                  {0.000244379021663, -0.000542995890619, 0.019406849066323}}};
constexpr ColourMatrix kLmsToOpponent{{{1, 1, 0}, {1, -2.311130179947035, 0}, {-1, -1, 50.977571328718781}}};

ColourMatrix to_xyz(Primaries primaries)
{
    switch (primaries) {
    case Primaries::bt709:
        return kBt709ToXyz;
    case Primaries::bt2020:
        return kBt2020ToXyz;
    case Primaries::p3:
        break;
    }
    return rgb_to_xyz(primaries);
}

/// spec cvvdp 3.4: f.
double band_frequency(unsigned band, double ppd)
{
    return band == 0 ? ppd / 2 : 0.3228 * std::exp2(1 - static_cast<double>(band)) * ppd / 2;
}

/// spec cvvdp 3.5, 3.6.
constexpr double kSensitivityCorrection = 0.2797423303127289;
constexpr double kGains[kCvvdpChannels] = {1, 1.45, 1, 1};

constexpr double kLeastAbsoluteLight = 0.005; ///< spec cvvdp 3.1, in cd/m2

/// spec cvvdp 3.1, of a display that the video's transfer and primaries have been put into.
LightSignal light_signal(const CvvdpDisplay &display)
{
    LightSignal signal;
    signal.transfer = display.transfer;
    signal.primaries = signal.wanted = display.primaries;
    signal.scale = display.exposure;
    signal.hlg_gamma = hlg_gamma(display.peak, display.ambient);
    signal.most = 1; // light relative to the peak
    if (cvvdp_is_absolute(display.transfer)) {
        signal.least = static_cast<float>(
            display.transfer == Transfer::linear ? std::max(kLeastAbsoluteLight, display.black) : kLeastAbsoluteLight);
        signal.most = static_cast<float>(display.peak);
    }
    return signal;
}

} // namespace

bool cvvdp_is_absolute(Transfer transfer)
{
    return transfer == Transfer::pq || transfer == Transfer::linear;
}

Result<CvvdpOptions> CvvdpOptions::read(const OptionValues &options)
{
    const OptionsOf<kCvvdpOptions> values(options);
    CvvdpOptions result;
    VMAF_TRY_ASSIGN(result.display, find_cvvdp_display(values.text("display")));
    CvvdpDisplay &display = result.display;
    if (const std::string &transfer = values.text("transfer"); !transfer.empty()) {
        VMAF_TRY(check_transfer("cvvdp", transfer));
        display.transfer = *find_transfer(transfer, Transfer::srgb);
    }
    if (const std::string &primaries = values.text("primaries"); !primaries.empty()) {
        VMAF_TRY(check_primaries("cvvdp", primaries));
        display.primaries = *find_primaries(primaries);
    }
    if (display.transfer == Transfer::hlg && display.peak > 1000 && display.ambient == 0) {
        log(LogLevel::error, "cvvdp: HLG on a display of more than 1000 cd/m2 needs its ambient light: %s has none",
            values.text("display").c_str());
        return Status::error(EINVAL);
    }
    result.light = light_signal(display);
    if (values.real("ppd") > 0)
        display.ppd = values.real("ppd");
    result.fps = values.real("fps");
    result.yuv_matrix = values.integer("yuv_matrix") >= 0        ? values.integer("yuv_matrix")
                        : display.primaries == Primaries::bt2020 ? 4
                                                                 : 0;
    return result;
}

Status check_cvvdp_options(const OptionValues &options)
{
    const OptionsOf<kCvvdpOptions> values(options);
    VMAF_TRY(CvvdpOptions::read(options).status());
    if (const double ppd = values.real("ppd"); ppd != 0 && !(ppd >= 1)) {
        log(LogLevel::error, "cvvdp: option ppd is %g, should be 0 or from 1 to 200", ppd);
        return Status::error(EINVAL);
    }
    if (std::isnan(values.real("fps"))) {
        log(LogLevel::error, "cvvdp: option fps is not a number");
        return Status::error(EINVAL);
    }
    return {};
}

unsigned cvvdp_tap_count(double fps)
{
    return 2 * static_cast<unsigned>(std::ceil(fps / 8)) + 1;
}

CvvdpTaps cvvdp_taps(double fps)
{
    const unsigned count = cvvdp_tap_count(fps), reach = (count - 1) / 2;
    CvvdpTaps taps;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel)
        for (unsigned n = 0; n <= reach; ++n) {
            double sum = response(channel, 0);
            for (unsigned k = 1; k <= reach; ++k)
                sum += 2 * response(channel, k * fps / (2 * reach)) * std::cos(2 * std::numbers::pi * k * n / count);
            taps.r[channel].push_back(sum / count);
        }
    taps.transient_sum = response(kCvvdpTransient, 0);
    return taps;
}

CvvdpWeights cvvdp_weights(const CvvdpTaps &taps, unsigned earlier)
{
    const unsigned reach = static_cast<unsigned>(taps.r[0].size()) - 1;
    CvvdpWeights weights{};
    weights.count = earlier + 1;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        std::array<double, kCvvdpMaxTaps> of_age{};
        for (unsigned age = 0; age <= 2 * reach; ++age)
            of_age[std::min(age, earlier)] += taps.r[channel][age > reach ? age - reach : reach - age];
        if (channel == kCvvdpTransient)
            of_age[0] = taps.transient_sum;
        for (unsigned age = 0; age <= earlier; ++age)
            weights.weights[age][channel] = static_cast<float>(of_age[age]);
    }
    return weights;
}

unsigned cvvdp_band_count(unsigned width_px, unsigned height_px, double ppd)
{
    constexpr double kLowest = 0.2;
    unsigned most = 0; // floor(log2) of the shorter side, less 1
    for (unsigned side = std::min(width_px, height_px); side >= 4; side /= 2)
        ++most;
    unsigned above_base = 1;
    while (band_frequency(above_base - 1, ppd) > kLowest)
        ++above_base;
    return std::min(above_base, most) + 1;
}

std::vector<double> cvvdp_frequencies(unsigned width_px, unsigned height_px, double ppd)
{
    constexpr double kBase = 0.1;
    std::vector<double> frequencies(cvvdp_band_count(width_px, height_px, ppd), kBase);
    for (unsigned band = 0; band + 1 < frequencies.size(); ++band)
        frequencies[band] = band_frequency(band, ppd);
    return frequencies;
}

std::array<double, kCvvdpCsfPoints> cvvdp_sensitivities(unsigned channel, double frequency)
{
    const double *const known = kCvvdpCsfFrequencies;
    unsigned below = 0;
    while (below < kCvvdpCsfPoints - 2 && known[below + 1] < frequency)
        ++below;
    const double first = std::log10(known[below]), second = std::log10(known[below + 1]);
    const double part = (std::log10(frequency) - first) / (second - first);
    std::array<double, kCvvdpCsfPoints> row;
    for (unsigned i = 0; i < kCvvdpCsfPoints; ++i) {
        const double *const of_luminance = kCvvdpCsf[channel][i];
        row[i] = of_luminance[below] + part * (of_luminance[below + 1] - of_luminance[below]);
    }
    return row;
}

CvvdpBandTables cvvdp_tables(unsigned band, unsigned count, double frequency)
{
    const bool is_base = band == count - 1;
    CvvdpBandTables tables;
    for (unsigned channel = 0; channel < kCvvdpChannels; ++channel) {
        const auto row = cvvdp_sensitivities(channel, frequency);
        const double factor = is_base ? 1 : kGains[channel] * (band == 0 ? 1 : 2);
        for (unsigned i = 0; i < kCvvdpCsfPoints; ++i)
            tables.sensitivity[channel][i] = static_cast<float>(
                (row[i] - kSensitivityCorrection / 20) * std::numbers::ln10 / std::numbers::ln2 + std::log2(factor));
    }
    return tables;
}

std::array<float, kCvvdpBlurReach + 1> cvvdp_blur_taps()
{
    std::array<double, kCvvdpBlurReach + 1> taps;
    double sum = 0;
    for (unsigned k = 0; k <= kCvvdpBlurReach; ++k) {
        taps[k] = std::exp(-static_cast<double>(k * k) / 18);
        sum += k == 0 ? taps[k] : 2 * taps[k];
    }
    std::array<float, kCvvdpBlurReach + 1> normed;
    for (unsigned k = 0; k <= kCvvdpBlurReach; ++k)
        normed[k] = static_cast<float>(taps[k] / sum);
    return normed;
}

CvvdpColour cvvdp_colour(const CvvdpDisplay &display)
{
    const ColourMatrix opponent = product(kLmsToOpponent, product(kXyzToLms, to_xyz(display.primaries)));
    const double scale = cvvdp_is_absolute(display.transfer) ? 1 : display.peak - display.black;
    const double added = display.reflected + (display.transfer == Transfer::linear ? 0 : display.black);
    CvvdpColour colour;
    for (unsigned c = 0; c < kCvvdpColours; ++c) {
        double sum = 0;
        for (unsigned i = 0; i < 3; ++i) {
            colour.matrix[c][i] = static_cast<float>(opponent[c][i] * scale);
            sum += opponent[c][i];
        }
        colour.offset[c] = static_cast<float>(sum * added);
    }
    return colour;
}

} // namespace vmaf
