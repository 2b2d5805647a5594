#include "feature/cvvdp/cvvdp_model.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numbers>

#include "base/log.h"
#include "feature/cvvdp/cvvdp_csf.h"

namespace vmaf {
namespace {

/// spec cvvdp 3.1.
struct Display {
    std::string_view name;
    bool pq;
    double peak, contrast, ambient;
    double width_px, height_px, diagonal_inch, distance_m;

    double ppd() const
    {
        const double pixel_m = 0.0254 * diagonal_inch / std::hypot(width_px, height_px);
        return 1 / (2 * std::atan(pixel_m / (2 * distance_m)) * 180 / std::numbers::pi);
    }
};
constexpr std::array kDisplays{
    Display{"standard_4k", false, 200, 1000, 250, 3840, 2160, 30, 0.7472},
    Display{"standard_fhd", false, 200, 1000, 250, 1920, 1080, 24, 0.6},
    Display{"standard_hdr_pq", true, 1500, 1000000, 10, 3840, 2160, 30, 0.7472},
};

const Display *find_display(std::string_view name)
{
    const auto found = std::find_if(kDisplays.begin(), kDisplays.end(),
                                    [name](const Display &display) { return display.name == name; });
    return found != kDisplays.end() ? &*found : nullptr;
}

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

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix product(const Matrix &a, const Matrix &b)
{
    Matrix result{};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j)
            for (unsigned k = 0; k < 3; ++k)
                result[i][j] += a[i][k] * b[k][j];
    return result;
}

/// spec cvvdp 3.2.
constexpr Matrix kBt709ToXyz{
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr Matrix kBt2020ToXyz{{{0.6370, 0.1446, 0.1689}, {0.2627, 0.6780, 0.0593}, {0, 0.0281, 1.0610}}};
constexpr Matrix kXyzToLms{{{0.187596268556126, 0.585168649077728, -0.026384263306304},
                            {-0.133397430663221, 0.405505777260049, 0.034502127690364},
                            {0.000244379021663, -0.000542995890619, 0.019406849066323}}};
constexpr Matrix kLmsToOpponent{{{1, 1, 0}, {1, -2.311130179947035, 0}, {-1, -1, 50.977571328718781}}};

/// spec cvvdp 3.4: f.
double band_frequency(unsigned band, double ppd)
{
    return band == 0 ? ppd / 2 : 0.3228 * std::exp2(1 - static_cast<double>(band)) * ppd / 2;
}

/// spec cvvdp 3.5, 3.6.
constexpr double kSensitivityCorrection = 0.2797423303127289;
constexpr double kGains[kCvvdpChannels] = {1, 1.45, 1, 1};

} // namespace

CvvdpOptions::CvvdpOptions(const OptionValues &options)
{
    const OptionsOf<kCvvdpOptions> values(options);
    const Display &display = *find_display(values.text("display"));
    pq = display.pq;
    peak = display.peak;
    contrast = display.contrast;
    ambient = display.ambient;
    ppd = values.real("ppd") > 0 ? values.real("ppd") : display.ppd();
    fps = values.real("fps");
    yuv_matrix = values.integer("yuv_matrix") >= 0 ? values.integer("yuv_matrix") : pq ? 4 : 0;
}

Status check_cvvdp_options(const OptionValues &options)
{
    const OptionsOf<kCvvdpOptions> values(options);
    if (find_display(values.text("display")) == nullptr) {
        log(LogLevel::error, "cvvdp: option display is \"%s\", should be standard_4k, standard_fhd or standard_hdr_pq",
            values.text("display").c_str());
        return Status::error(EINVAL);
    }
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

CvvdpColour cvvdp_colour(const CvvdpOptions &options)
{
    const Matrix opponent = product(kLmsToOpponent, product(kXyzToLms, options.pq ? kBt2020ToXyz : kBt709ToXyz));
    const double black = options.peak / options.contrast, reflected = 0.005 * options.ambient / std::numbers::pi;
    const double scale = options.pq ? 1 : options.peak - black;
    CvvdpColour colour;
    for (unsigned c = 0; c < kCvvdpColours; ++c) {
        double sum = 0;
        for (unsigned i = 0; i < 3; ++i) {
            colour.matrix[c][i] = static_cast<float>(opponent[c][i] * scale);
            sum += opponent[c][i];
        }
        colour.offset[c] = static_cast<float>(sum * (black + reflected));
    }
    return colour;
}

std::vector<float> cvvdp_pq_table()
{
    std::vector<float> table(kCvvdpPqSteps + 1);
    for (unsigned i = 0; i <= kCvvdpPqSteps; ++i) {
        const double t = std::pow(static_cast<double>(i) / kCvvdpPqSteps, 1 / 78.84375);
        const double ratio = std::max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t);
        table[i] = static_cast<float>(10000 * std::pow(ratio, 1 / 0.1593017578125));
    }
    return table;
}

} // namespace vmaf
