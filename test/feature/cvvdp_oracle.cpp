#include "feature/cvvdp_oracle.h"

#include <algorithm>
#include <cmath>

#include "feature/cvvdp/cvvdp_csf.h"
#include "feature/cvvdp_displays.h"

namespace vmaf::test {
namespace {

using Image = CvvdpImage;
using Channels = std::vector<Image>;

constexpr double kPi = 3.14159265358979323846;

double pw(double x, double p)
{
    return std::pow(x + 0.00001, p) - std::pow(0.00001, p);
}

template <class Value> Image made(unsigned width, unsigned height, Value value)
{
    Image image(width, height);
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x)
            image.at(x, y) = value(x, y);
    return image;
}

// ---- 3.1 and 3.2 ----

ListedDisplay display_of(const CvvdpView &view)
{
    ListedDisplay display = *std::ranges::find(kListedDisplays, view.display, &ListedDisplay::name);
    if (!view.transfer.empty())
        display.transfer = view.transfer == "sdr" ? std::string_view("srgb") : view.transfer;
    if (!view.primaries.empty())
        display.primaries = view.primaries;
    return display;
}

/// spec hdr 1.
std::array<double, 3> light(const std::array<double, 3> &v, const ListedDisplay &display)
{
    const double peak = display.peak, black = peak / display.contrast, reflected = 0.005 * display.ambient / kPi;
    std::array<double, 3> result{}, scene{};
    for (unsigned i = 0; i < 3; ++i) {
        if (display.transfer == "srgb") {
            const double relative = v[i] <= 0.04045 ? v[i] / 12.92 : std::pow((v[i] + 0.055) / 1.055, 2.4);
            result[i] = (peak - black) * relative + black + reflected;
        } else if (display.transfer == "bt1886") {
            result[i] = (peak - black) * std::pow(v[i], 2.4) + black + reflected;
        } else if (display.transfer == "linear") {
            result[i] = std::min(std::max(v[i], std::max(0.005, black)), peak) + reflected;
        } else if (display.transfer == "pq") {
            const double t = std::pow(v[i], 1 / 78.84375);
            const double l =
                10000 * std::pow(std::max(t - 0.8359375, 0.0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125);
            result[i] = std::min(std::max(l, 0.005), peak) + black + reflected;
        } else {
            const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * std::log(4 * a);
            scene[i] = v[i] <= 0.5 ? v[i] * v[i] / 3 : (std::exp((v[i] - c) / a) + b) / 12;
        }
    }
    if (display.transfer != "hlg")
        return result;
    const double luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2];
    const double gamma =
        peak <= 1000 ? 1.2 : 1.2 + 0.42 * std::log10(peak / 1000) - 0.07623 * std::log10(display.ambient / 5);
    for (unsigned i = 0; i < 3; ++i)
        result[i] =
            (peak - black) * (luminance > 0 ? std::pow(luminance, gamma - 1) * scene[i] : 0) + black + reflected;
    return result;
}

std::array<double, 3> opponent(const std::array<double, 3> &rgb, const ListedDisplay &display)
{
    constexpr double kBt709[3][3] = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
    constexpr double kBt2020[3][3] = {{0.6370, 0.1446, 0.1689}, {0.2627, 0.6780, 0.0593}, {0, 0.0281, 1.0610}};
    constexpr double kP3[3][3] = {{0.486570948648, 0.265667693169, 0.198217285234},
                                  {0.228974564070, 0.691738521837, 0.079286914094},
                                  {0, 0.045113381859, 1.043944368901}};
    const auto &to_xyz = display.primaries == "bt709" ? kBt709 : display.primaries == "p3" ? kP3 : kBt2020;
    double xyz[3] = {};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j)
            xyz[i] += to_xyz[i][j] * rgb[j];
    const double l = 0.187596268556126 * xyz[0] + 0.585168649077728 * xyz[1] - 0.026384263306304 * xyz[2];
    const double m = -0.133397430663221 * xyz[0] + 0.405505777260049 * xyz[1] + 0.034502127690364 * xyz[2];
    const double s = 0.000244379021663 * xyz[0] - 0.000542995890619 * xyz[1] + 0.019406849066323 * xyz[2];
    return {l + m, l - 2.311130179947035 * m, -l - m + 50.977571328718781 * s};
}

Channels opponent(const CvvdpPicture &rgb, const CvvdpView &view)
{
    Channels colours(3, Image(rgb[0].width, rgb[0].height));
    const ListedDisplay display = display_of(view);
    for (std::size_t i = 0; i < rgb[0].values.size(); ++i) {
        const auto colour = opponent(light({rgb[0].values[i], rgb[1].values[i], rgb[2].values[i]}, display), display);
        for (unsigned c = 0; c < 3; ++c)
            colours[c].values[i] = colour[c];
    }
    return colours;
}

// ---- 3.3 ----

double response(unsigned c, double w)
{
    constexpr double kS[] = {5.79336, 14.1255, 6.63661, 0.12314}, kB[] = {1.3314, 1.1196, 0.947901, 0.1898};
    const double power = w == 0 ? 0 : std::pow(w, kB[c]);
    return c < 3 ? std::exp(-power / kS[c]) : std::exp(-std::pow(power - std::pow(5, kB[c]), 2) / kS[c]);
}

/// r_c[-K] to r_c[K].
std::vector<double> taps(unsigned c, double fps)
{
    const int reach = static_cast<int>(std::ceil(fps / 8)), count = 2 * reach + 1;
    std::vector<double> r;
    for (int n = -reach; n <= reach; ++n) {
        double sum = response(c, 0);
        for (int k = 1; k <= reach; ++k)
            sum += 2 * response(c, k * fps / (2 * reach)) * std::cos(2 * kPi * k * n / count);
        r.push_back(sum / count);
    }
    return r;
}

Channels filtered(const std::vector<Channels> &frames, std::size_t frame, double fps)
{
    Channels channels(4, Image(frames[0][0].width, frames[0][0].height));
    for (unsigned c = 0; c < 4; ++c) {
        const std::vector<double> r = taps(c, fps);
        for (std::size_t j = 0; j < r.size(); ++j) {
            const Image &x = frames[frame > j ? frame - j : 0][c == 3 ? 0 : c];
            for (std::size_t i = 0; i < x.values.size(); ++i)
                channels[c].values[i] += r[j] * x.values[i];
        }
    }
    return channels;
}

// ---- 3.4 ----

std::vector<double> frequencies(unsigned width, unsigned height, const CvvdpView &view)
{
    const double ppd = view.ppd > 0 ? view.ppd : display_of(view).ppd;
    const auto f = [&](int k) { return k == 0 ? ppd / 2 : 0.3228 * std::pow(2, 1 - k) * ppd / 2; };
    int i = 0;
    while (f(i) > 0.2)
        ++i;
    const int count = std::min(i + 1, static_cast<int>(std::floor(std::log2(std::min(width, height)))) - 1) + 1;
    std::vector<double> rho;
    for (int k = 0; k < count; ++k)
        rho.push_back(k == count - 1 ? 0.1 : f(k));
    return rho;
}

/// One direction. `x` has the samples. The parity of the picture's height decides about those that
/// are missing behind them.
std::vector<double> reduced(const std::vector<double> &x, bool odd_height)
{
    constexpr double kTaps[] = {0.05, 0.25, 0.4, 0.25, 0.05};
    const int count = static_cast<int>(x.size());
    std::vector<double> out;
    for (int o = 0; o < (count + 1) / 2; ++o) {
        double sum = 0;
        for (int k = -2; k <= 2; ++k) {
            const int i = 2 * o + k;
            if (i < count)
                sum += kTaps[k + 2] * x[static_cast<std::size_t>(i < 0 ? -i - 1 : i)];
        }
        if (o == (count + 1) / 2 - 1) {
            const double last = x[x.size() - 1], before = x[x.size() - 2];
            sum += odd_height ? 0.25 * last + 0.05 * before : 0.05 * last;
        }
        out.push_back(sum);
    }
    return out;
}

std::vector<double> expanded(const std::vector<double> &g, std::size_t count)
{
    const auto at = [&](std::ptrdiff_t i) {
        return g[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(g.size()) - 1))];
    };
    std::vector<double> out;
    for (std::size_t x = 0; x < count; ++x) {
        const auto i = static_cast<std::ptrdiff_t>(x / 2);
        out.push_back(x % 2 == 0 ? 0.1 * at(i - 1) + 0.8 * at(i) + 0.1 * at(i + 1) : 0.5 * at(i) + 0.5 * at(i + 1));
    }
    return out;
}

/// Applies `step` along the columns, then along the rows.
template <class Step> Image separably(const Image &image, unsigned width, unsigned height, Step step)
{
    Image between(image.width, height), out(width, height);
    for (unsigned x = 0; x < image.width; ++x) {
        std::vector<double> column;
        for (unsigned y = 0; y < image.height; ++y)
            column.push_back(image.at(x, y));
        column = step(column, height);
        for (unsigned y = 0; y < height; ++y)
            between.at(x, y) = column[y];
    }
    for (unsigned y = 0; y < height; ++y) {
        const auto first = between.values.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * image.width);
        const std::vector<double> row = step({first, first + image.width}, width);
        std::copy(row.begin(), row.end(), out.values.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * width));
    }
    return out;
}

Image reduced(const Image &image)
{
    return separably(image, (image.width + 1) / 2, (image.height + 1) / 2,
                     [&](const std::vector<double> &x, unsigned) { return reduced(x, image.height % 2 == 1); });
}

Image expanded(const Image &image, unsigned width, unsigned height)
{
    return separably(image, width, height,
                     [](const std::vector<double> &x, unsigned count) { return expanded(x, count); });
}

// ---- 3.5 ----

double sensitivity(unsigned c, double rho, double luminance)
{
    unsigned j = 0;
    for (unsigned i = 0; i < 31; ++i)
        if (kCvvdpCsfFrequencies[i] < rho)
            j = i;
    const double x0 = std::log10(kCvvdpCsfFrequencies[j]), x1 = std::log10(kCvvdpCsfFrequencies[j + 1]);
    const auto row = [&](unsigned i) {
        const double *s = kCvvdpCsf[c][i];
        return s[j] + (std::log10(rho) - x0) / (x1 - x0) * (s[j + 1] - s[j]);
    };
    const double p = std::clamp(31 * (std::log10(luminance) - std::log10(0.005)) / (4 - std::log10(0.005)), 0.0, 31.0);
    const unsigned k = std::min(static_cast<unsigned>(p), 30U);
    const double u = row(k) + (p - k) * (row(k + 1) - row(k));
    return std::pow(10, u - 0.2797423303127289 / 20);
}

// ---- 3.6 ----

Image blurred(const Image &image)
{
    if (image.width <= 6 || image.height <= 6)
        return image;
    double total = 0;
    for (int k = -6; k <= 6; ++k)
        total += std::exp(-k * k / 18.0);
    return separably(image, image.width, image.height, [&](const std::vector<double> &x, unsigned) {
        const int count = static_cast<int>(x.size());
        std::vector<double> out;
        for (int i = 0; i < count; ++i) {
            double sum = 0;
            for (int k = -6; k <= 6; ++k) {
                const int at = i + k < 0 ? -(i + k) : i + k >= count ? 2 * (count - 1) - (i + k) : i + k;
                sum += std::exp(-k * k / 18.0) / total * x[static_cast<std::size_t>(at)];
            }
            out.push_back(sum);
        }
        return out;
    });
}

/// D of each channel.
Channels masked(const Channels &t, const Channels &r)
{
    constexpr double kQ[] = {1.302622675895691, 2.8885908126831055, 3.6807713508605957, 3.588787317276001};
    constexpr double kX[4][4] = {{-0.18950104713439941, -5.962151050567627, -4.31834602355957, -1.9321587085723877},
                                 {2.5655593872070312, 0.34406712651252747, -2.719646453857422, -0.4970424771308899},
                                 {3.8118371963500977, -1.0051705837249756, -0.5193376541137695, -0.5653647780418396},
                                 {-7.054771423339844, -5.527150630950928, -3.5106418132781982, -2.08804988861084}};
    const double limit = std::pow(10, 2.5642454624176025);
    Channels m, d;
    for (unsigned c = 0; c < 4; ++c)
        m.push_back(blurred(made(t[c].width, t[c].height, [&](unsigned x, unsigned y) {
            return std::min(std::abs(t[c].at(x, y)), std::abs(r[c].at(x, y)));
        })));
    for (unsigned c = 0; c < 4; ++c)
        d.push_back(made(t[c].width, t[c].height, [&](unsigned x, unsigned y) {
            double mask = 0;
            for (unsigned k = 0; k < 4; ++k)
                mask += std::pow(2, kX[k][c]) * pw(std::pow(10, -0.7954971194267273) * m[k].at(x, y), kQ[k]);
            const double u = pw(std::abs(t[c].at(x, y) - r[c].at(x, y)), 2.264355182647705) / (1 + mask);
            return limit * u / (limit + u);
        }));
    return d;
}

// ---- 3.4 to 3.7 ----

double pooled(const Image &d)
{
    double sum = 0;
    for (const double value : d.values)
        sum += pw(value, 2);
    return pw(sum / static_cast<double>(d.values.size()), 0.5);
}

std::array<double, 4> base_band(const Channels &dis, const Channels &ref)
{
    const auto mean = [](const Image &image) {
        double sum = 0;
        for (const double value : image.values)
            sum += std::max(value, 0.01);
        return sum / static_cast<double>(image.values.size());
    };
    const double l_dis = mean(dis[0]), l_ref = mean(ref[0]);
    std::array<double, 4> q{};
    for (unsigned c = 0; c < 4; ++c)
        q[c] = pooled(made(dis[c].width, dis[c].height, [&](unsigned x, unsigned y) {
            return std::abs(std::min(dis[c].at(x, y) / l_dis, 1000.0) - std::min(ref[c].at(x, y) / l_ref, 1000.0)) *
                   sensitivity(c, 0.1, l_ref);
        }));
    return q;
}

std::array<double, 4> band(const Channels &dis, const Channels &ref, const Channels &dis_above,
                           const Channels &ref_above, double rho, double factor)
{
    constexpr double kGain[] = {1, 1.45, 1, 1};
    const unsigned width = dis[0].width, height = dis[0].height;
    Channels dis_mean, ref_mean, t, r;
    for (unsigned c = 0; c < 4; ++c) {
        dis_mean.push_back(expanded(dis_above[c], width, height));
        ref_mean.push_back(expanded(ref_above[c], width, height));
    }
    const auto contrast = [&](const Channels &g, const Channels &mean, unsigned c, unsigned x, unsigned y) {
        const double weber =
            factor * std::min((g[c].at(x, y) - mean[c].at(x, y)) / std::max(mean[0].at(x, y), 0.01), 1000.0);
        return weber * sensitivity(c, rho, std::max(ref_mean[0].at(x, y), 0.01)) * kGain[c];
    };
    for (unsigned c = 0; c < 4; ++c) {
        t.push_back(made(width, height, [&](unsigned x, unsigned y) { return contrast(dis, dis_mean, c, x, y); }));
        r.push_back(made(width, height, [&](unsigned x, unsigned y) { return contrast(ref, ref_mean, c, x, y); }));
    }
    const Channels d = masked(t, r);
    return {pooled(d[0]), pooled(d[1]), pooled(d[2]), pooled(d[3])};
}

CvvdpDefinition::Pooled bands(Channels dis, Channels ref, const std::vector<double> &rho)
{
    CvvdpDefinition::Pooled q;
    for (std::size_t b = 0; b + 1 < rho.size(); ++b) {
        Channels dis_above, ref_above;
        for (unsigned c = 0; c < 4; ++c) {
            dis_above.push_back(reduced(dis[c]));
            ref_above.push_back(reduced(ref[c]));
        }
        q.push_back(band(dis, ref, dis_above, ref_above, rho[b], b == 0 ? 1 : 2));
        dis = dis_above;
        ref = ref_above;
    }
    q.push_back(base_band(dis, ref));
    return q;
}

double frame_difference(const CvvdpDefinition::Pooled &q)
{
    constexpr double kChannel[] = {1, 1, 1, 0.8081134557723999};
    constexpr double kBase[] = {0.0036334486212581396, 1.6627724170684814, 4.11874532699585, 25.25969886779785};
    double channels = 0;
    for (unsigned c = 0; c < 4; ++c) {
        double sum = 0;
        for (std::size_t b = 0; b < q.size(); ++b)
            sum += pw(kChannel[c] * (b + 1 == q.size() ? kBase[c] : 1) * q[b][c], 4);
        channels += pw(pw(sum, 0.25), 4);
    }
    return pw(channels, 0.25);
}

double jod(double q)
{
    constexpr double kA = 0.0439569391310215, kB = 0.9302042722702026;
    return q > 0.1 ? 10 - kA * std::pow(q, kB) : 10 - kA * std::pow(0.1, kB - 1) * q;
}

} // namespace

CvvdpDefinition cvvdp_by_definition(const std::vector<CvvdpPair> &frames, const CvvdpView &view)
{
    std::vector<Channels> ref, dis;
    for (const CvvdpPair &pair : frames) {
        ref.push_back(opponent(pair.ref, view));
        dis.push_back(opponent(pair.dis, view));
    }
    const std::vector<double> rho = frequencies(ref[0][0].width, ref[0][0].height, view);
    CvvdpDefinition scores;
    double sum = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        scores.pooled.push_back(bands(filtered(dis, f, view.fps), filtered(ref, f, view.fps), rho));
        const double q = frame_difference(scores.pooled.back());
        sum += pw(q, 2);
        scores.difference.push_back(q);
        scores.frame.push_back(jod(q));
        scores.run.push_back(jod(f == 0 ? 0.577918291091919 * q : pw(sum / static_cast<double>(f + 1), 0.5)));
    }
    scores.clip = scores.run.back();
    return scores;
}

CvvdpPair cvvdp_pair(const FramePlanes &planes, const PictureFormat &format, const CvvdpView &view)
{
    const int matrix = view.yuv_matrix >= 0 ? view.yuv_matrix : display_of(view).primaries == "bt2020" ? 4 : 0;
    const bool full = matrix == 2 || matrix == 3 || matrix == 5;
    const double kr = matrix >= 4 ? 0.2627 : matrix % 2 == 1 ? 0.299 : 0.2126;
    const double kb = matrix >= 4 ? 0.0593 : matrix % 2 == 1 ? 0.114 : 0.0722;
    const double kg = matrix >= 4 ? 0.6780 : matrix % 2 == 1 ? 0.587 : 0.7152;
    const double peak = (1U << format.bpc) - 1;
    const auto picture = [&](const PlaneView(&from)[3]) {
        const auto sample = [&](unsigned plane, unsigned x, unsigned y) -> double {
            const PlaneView &samples = from[plane];
            x = std::min(x, samples.width_px - 1);
            y = std::min(y, samples.height_px - 1);
            return samples.bpc == 8 ? samples.row<std::uint8_t>(y)[x] : samples.row<std::uint16_t>(y)[x];
        };
        const auto chroma = [&](unsigned plane, unsigned x, unsigned y) {
            if (format.plane_count() == 1)
                return 0.0;
            const double c = sample(plane, format.plane_width(1) == format.width ? x : x / 2,
                                    format.plane_height(1) == format.height ? y : y / 2) /
                                 peak -
                             0.5;
            return full ? c : c * 255 / 224;
        };
        const Image none(format.width, format.height);
        CvvdpPicture rgb{none, none, none};
        for (unsigned y = 0; y < format.height; ++y)
            for (unsigned x = 0; x < format.width; ++x) {
                const double code = sample(0, x, y) / peak;
                const double luma = full ? code : (code - 16.0 / 255) * 255 / 219;
                const double u = chroma(1, x, y), v = chroma(2, x, y);
                rgb[0].at(x, y) = std::clamp(luma + 2 * (1 - kr) * v, 0.0, 1.0);
                rgb[1].at(x, y) = std::clamp(luma - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v, 0.0, 1.0);
                rgb[2].at(x, y) = std::clamp(luma + 2 * (1 - kb) * u, 0.0, 1.0);
            }
        return rgb;
    };
    return {picture(planes.ref), picture(planes.dis)};
}

} // namespace vmaf::test
