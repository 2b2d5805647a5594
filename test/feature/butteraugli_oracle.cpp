#include "feature/butteraugli_oracle.h"

#include <algorithm>
#include <cmath>

#include "feature/butteraugli_lines.h"

namespace vmaf::test {
namespace {

using Plane = ButteraugliPlaneOf;

enum class Border { renormalise, mirror };

/// Blurred value of sample i in a line. The line has the samples sample(0) to sample(size - 1).
template <class Sample> double blurred_at(int size, int i, double sigma, Border border, Sample sample)
{
    const int reach = static_cast<int>(std::floor(2.25 * sigma));
    double sum = 0, weights = 0;
    for (int k = -reach; k <= reach; ++k) {
        int j = i + k;
        if (border == Border::mirror)
            j = j < 0 ? -1 - j : j >= size ? 2 * size - 1 - j : j;
        else if (j < 0 || j >= size)
            continue;
        const double weight = std::exp(-k * k / (2 * sigma * sigma));
        sum += weight * sample(j);
        weights += weight;
    }
    return sum / weights;
}

Plane blur(const Plane &from, double sigma, Border border = Border::renormalise)
{
    Plane across(from.width, from.height), both(from.width, from.height);
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x)
            across.at(x, y) = blurred_at(from.width, x, sigma, border, [&](int j) { return from.at(j, y); });
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x)
            both.at(x, y) = blurred_at(from.height, y, sigma, border, [&](int j) { return across.at(x, j); });
    return both;
}

/// A plane computed from others, pixel by pixel.
template <class Value, class... Planes> Plane each(Value value, const Plane &first, const Planes &...more)
{
    Plane result(first.width, first.height);
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = value(first.values[i], more.values[i]...);
    return result;
}

double square(double v)
{
    return v * v;
}

// ---- 3.3 ----

constexpr double kRows[3][4] = {{0.29956550340058319, 0.63373087833825936, 0.077705617820981968, 1.7557483643287353},
                                {0.22158691104574774, 0.69391388044116142, 0.0987313588422, 1.7557483643287353},
                                {0.02, 0.02, 0.20480129041026129, 12.226454707163354}};

double gamma(double t)
{
    return 19.245013259874995 * std::log(t + 9.9710635769299145) - 23.16046239805755;
}

using Colour = std::array<double, 3>;

double response(int cone, const Colour &z)
{
    return kRows[cone][0] * z[0] + kRows[cone][1] * z[1] + kRows[cone][2] * z[2] + kRows[cone][3];
}

/// X, Y, B of a pixel. `sharp` and `smooth` are already multiplied by the intensity.
Colour opsin_of(const Colour &sharp, const Colour &smooth)
{
    Colour p{};
    for (int cone = 0; cone < 3; ++cone) {
        const double bias = kRows[cone][3];
        const double m = std::max(response(cone, smooth), bias);
        const double s = std::max(gamma(m) / m, 0.0001);
        p[cone] = std::max(response(cone, sharp) * s, bias);
    }
    return {p[0] - p[1], p[0] + p[1], p[2]};
}

ButteraugliRgb opsin(const ButteraugliRgb &rgb, double intensity)
{
    ButteraugliRgb smooth, xyb;
    for (int c = 0; c < 3; ++c) {
        smooth[c] = blur(rgb[c], 1.2, Border::mirror);
        xyb[c] = Plane(rgb[0].width, rgb[0].height);
    }
    for (std::size_t i = 0; i < rgb[0].values.size(); ++i) {
        Colour v{}, u{};
        for (int c = 0; c < 3; ++c) {
            v[c] = intensity * rgb[c].values[i];
            u[c] = intensity * smooth[c].values[i];
        }
        const Colour pixel = opsin_of(v, u);
        for (int c = 0; c < 3; ++c)
            xyb[c].values[i] = pixel[c];
    }
    return xyb;
}

// ---- 3.4 ----

double removed(double t, double w)
{
    return t > w ? t - w : t < -w ? t + w : 0;
}
double amplified(double t, double w)
{
    return t > w ? t + w : t < -w ? t - w : 2 * t;
}
double bounded(double t, double m)
{
    constexpr double kSlope = 0.724216145665;
    return t >= m ? m + kSlope * (t - m) : t < -m ? -m + kSlope * (t + m) : t;
}

Colour low_of(const Colour &l)
{
    return {33.832837186260 * l[0], 14.458268100570 * l[1], 49.87984651440 * (l[2] - 0.362267051518 * l[1])};
}

void split_bands(ButteraugliSteps &steps, int picture)
{
    const ButteraugliRgb &xyb = steps.xyb[picture];
    ButteraugliRgb low, m;
    Plane h[2];
    for (int c = 0; c < 3; ++c) {
        low[c] = blur(xyb[c], 7.15593339443);
        const Plane rest = each([](double v, double l) { return v - l; }, xyb[c], low[c]);
        m[c] = blur(rest, 3.22489901262);
        if (c < 2)
            h[c] = each([](double r, double v) { return r - v; }, rest, m[c]);
    }
    for (int c = 0; c < 3; ++c)
        steps.lf[picture][c] = each(
            [c](double x, double y, double b) {
                return low_of({x, y, b})[c];
            },
            low[0], low[1], low[2]);
    steps.mf[picture] = {each([](double t) { return removed(t, 0.29); }, m[0]),
                         each([](double t) { return amplified(t, 0.1); }, m[1]), m[2]};
    h[0] = each([](double x, double y) { return x * (0.653020556257 + (1 - 0.653020556257) * 46 / (46 + y * y)); },
                h[0], h[1]);
    Plane l[2];
    for (int c = 0; c < 2; ++c)
        l[c] = blur(h[c], 1.56416327805);
    steps.uhf[picture][0] = each([](double v, double low_part) { return removed(v - low_part, 0.04); }, h[0], l[0]);
    steps.hf[picture][0] = each([](double low_part) { return removed(low_part, 1.5); }, l[0]);
    l[1] = each([](double v) { return bounded(v, 28.4691806922); }, l[1]);
    steps.uhf[picture][1] = each(
        [](double v, double low_part) { return 2.69313763794 * bounded(v - low_part, 5.19175294647); }, h[1], l[1]);
    steps.hf[picture][1] = each([](double v) { return amplified(2.155 * v, 0.132); }, l[1]);
}

// ---- 3.5 ----

struct LineWeights {
    const std::vector<ButteraugliLine> &lines;
    double k, n, w0, w1;
};

Plane malta(const Plane &ref, const Plane &dis, const LineWeights &weights)
{
    const double c0 = weights.n * weights.k * std::sqrt(0.5 * weights.w0) / 8.5;
    const double c1 = weights.n * weights.k * std::sqrt(0.33 * weights.w1) / 8.5;
    const Plane d = each(
        [&](double p, double q) {
            const double sign = p < 0 ? -1 : 1, size = std::fabs(p), other = sign * q;
            const double t = other < 0.55 * size ? 0.55 * size - other : other > 1.05 * size ? 1.05 * size - other : 0;
            return (c0 * (p - q) + c1 * sign * t) / (weights.n + (std::fabs(p) + std::fabs(q)) / 2);
        },
        ref, dis);
    const auto sample = [&](int x, int y) {
        return x < 0 || y < 0 || x >= d.width || y >= d.height ? 0.0 : d.at(x, y);
    };
    Plane ac(d.width, d.height);
    for (int y = 0; y < d.height; ++y)
        for (int x = 0; x < d.width; ++x)
            for (const ButteraugliLine &line : weights.lines) {
                double sum = d.at(x, y);
                for (const auto &o : line.offsets)
                    sum += sample(x + o.x, y + o.y) + sample(x - o.x, y - o.y);
                ac.at(x, y) += line.weight * sum * sum;
            }
    return ac;
}

// ---- 3.6 to 3.8 ----

Plane high_errors(const Plane &ref, const Plane &dis, double g, double a)
{
    return each(
        [&](double p, double q) {
            const double size = std::fabs(p), other = p < 0 ? -q : q;
            const double e = other < 0.4 * size ? 0.4 * size - other : other > size ? other - size : 0;
            return 0.8 * g * a * square(p - q) + 0.8 * g / a * square(e);
        },
        ref, dis);
}

Plane weighted_square(const Plane &ref, const Plane &dis, double g)
{
    return each([g](double p, double q) { return g * square(p - q); }, ref, dis);
}

Plane sum_of(const Plane &a, const Plane &b)
{
    return each([](double v, double w) { return v + w; }, a, b);
}

Plane activity(const ButteraugliSteps &steps, int picture)
{
    const double b = 6.19424080439 * 12.61050594197;
    return each(
        [b](double uhf_x, double hf_x, double uhf_y, double hf_y) {
            const double root = std::sqrt(square(2.5 * (uhf_x + hf_x)) + square(0.4 * (uhf_y + hf_y)));
            return std::sqrt(6.19424080439 * root + b) - std::sqrt(b);
        },
        steps.uhf[picture][0], steps.hf[picture][0], steps.uhf[picture][1], steps.hf[picture][1]);
}

Plane eroded(const Plane &v)
{
    Plane m(v.width, v.height);
    for (int y = 0; y < v.height; ++y)
        for (int x = 0; x < v.width; ++x) {
            std::vector<double> set{v.at(x, y), 2 * v.at(x, y), 2 * v.at(x, y)};
            for (const int dy : {-3, 0, 3})
                for (const int dx : {-3, 0, 3})
                    if ((dx != 0 || dy != 0) && x + dx >= 0 && x + dx < v.width && y + dy >= 0 && y + dy < v.height)
                        set.push_back(v.at(x + dx, y + dy));
            std::sort(set.begin(), set.end());
            m.at(x, y) = 0.45 * set[0] + 0.3 * set[1] + 0.25 * set[2];
        }
    return m;
}

double global()
{
    return 1 / (17.83 * 0.79079917404);
}
double nu(double m)
{
    return global() * (1 + 0.505054525019 / (3.87449418804 * m + 0.20025578522));
}
double mu(double m)
{
    return global() * (1 + 2.5485944793 / (0.451936922203 * m + 0.829591754942));
}

double low_error(const Colour &d)
{
    return 29.2353797994 * square(d[0]) + 0.844626970982 * square(d[1]) + 0.703646627719 * square(d[2]);
}

ButteraugliSteps steps_of(const ButteraugliRgb &ref, const ButteraugliRgb &dis, const ButteraugliParameters &parameters)
{
    const double a = parameters.asymmetry, root = std::sqrt(a);
    constexpr double kFine = 0.39905817637, kCoarse = 0.611612573796;
    ButteraugliSteps s;
    s.xyb = {opsin(ref, parameters.intensity), opsin(dis, parameters.intensity)};
    for (int picture = 0; picture < 2; ++picture)
        split_bands(s, picture);
    s.ultra_y_lines = malta(s.uhf[0][1], s.uhf[1][1],
                            {kButteraugliFineLines, kFine, 71.7800275169, 1.10039032555 * a, 1.10039032555 / a});
    s.y_lines = sum_of(
        sum_of(s.ultra_y_lines,
               malta(s.hf[0][1], s.hf[1][1],
                     {kButteraugliCoarseLines, kCoarse, 4498534.45232, 18.7237414387 * root, 18.7237414387 / root})),
        malta(s.mf[0][1], s.mf[1][1], {kButteraugliCoarseLines, kCoarse, 130262059.556, 37.0819870399, 37.0819870399}));
    s.x_lines = sum_of(
        sum_of(malta(s.uhf[0][0], s.uhf[1][0], {kButteraugliFineLines, kFine, 5, 173.5 * a, 173.5 / a}),
               malta(s.hf[0][0], s.hf[1][0],
                     {kButteraugliCoarseLines, kCoarse, 8051.15833247, 6923.99476109 * root, 6923.99476109 / root})),
        malta(s.mf[0][0], s.mf[1][0], {kButteraugliCoarseLines, kCoarse, 1009002.70582, 8246.75321353, 8246.75321353}));
    constexpr double kMedium[3] = {2150, 10.6195433239, 16.2176043152}, kHigh[2] = {400, 1.50815703118};
    s.ac = sum_of(s.x_lines, s.y_lines);
    for (int c = 0; c < 2; ++c)
        s.ac = sum_of(s.ac, high_errors(s.hf[0][c], s.hf[1][c], kHigh[c], a));
    for (int c = 0; c < 3; ++c)
        s.ac = sum_of(s.ac, weighted_square(s.mf[0][c], s.mf[1][c], kMedium[c]));
    s.dc = Plane(ref[0].width, ref[0].height);
    for (std::size_t i = 0; i < s.dc.values.size(); ++i) {
        Colour d{};
        for (int c = 0; c < 3; ++c)
            d[c] = s.lf[0][c].values[i] - s.lf[1][c].values[i];
        s.dc.values[i] = low_error(d);
    }
    for (int picture = 0; picture < 2; ++picture)
        s.v[picture] = blur(activity(s, picture), 2.7);
    s.ac = sum_of(s.ac, weighted_square(s.v[0], s.v[1], 10));
    s.m = eroded(s.v[0]);
    s.e = each([](double m, double dc, double ac) { return std::sqrt(square(nu(m)) * dc + square(mu(m)) * ac); }, s.m,
               s.dc, s.ac);
    return s;
}

// ---- 3.9 ----

ButteraugliRgb halved(const ButteraugliRgb &rgb)
{
    ButteraugliRgb half;
    for (int c = 0; c < 3; ++c) {
        const Plane &from = rgb[c];
        half[c] = Plane((from.width + 1) / 2, (from.height + 1) / 2);
        for (int y = 0; y < half[c].height; ++y)
            for (int x = 0; x < half[c].width; ++x) {
                const int right = std::min(2 * x + 1, from.width - 1), below = std::min(2 * y + 1, from.height - 1);
                half[c].at(x, y) =
                    (from.at(2 * x, 2 * y) + from.at(right, 2 * y) + from.at(2 * x, below) + from.at(right, below)) / 4;
            }
    }
    return half;
}

// ---- 3.1 ----

double linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

ButteraugliRgb rgb_of(const PlaneView (&planes)[3], const PictureFormat &format, int matrix)
{
    const int width = static_cast<int>(format.width), height = static_cast<int>(format.height);
    const double peak = (1U << format.bpc) - 1;
    const bool bt601 = matrix % 2 == 1, full_range = matrix >= 2, grey = format.plane_count() == 1;
    const double kr = bt601 ? 0.299 : 0.2126, kg = bt601 ? 0.587 : 0.7152, kb = bt601 ? 0.114 : 0.0722;
    const auto sample = [&](unsigned plane, int x, int y) {
        const PlaneView &view = planes[plane];
        const auto column = static_cast<std::size_t>(
            std::min(view.width_px == format.width ? x : x / 2, static_cast<int>(view.width_px) - 1));
        const auto row = static_cast<unsigned>(
            std::min(view.height_px == format.height ? y : y / 2, static_cast<int>(view.height_px) - 1));
        return (format.bpc == 8 ? view.row<std::uint8_t>(row)[column] : view.row<std::uint16_t>(row)[column]) / peak;
    };
    ButteraugliRgb rgb{Plane(width, height), Plane(width, height), Plane(width, height)};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double luma = sample(0, x, y);
            const double l = full_range ? luma : (luma - 16.0 / 255) * 255 / 219;
            const double scale = full_range ? 1 : 255.0 / 224;
            const double u = grey ? 0 : (sample(1, x, y) - 0.5) * scale, v = grey ? 0 : (sample(2, x, y) - 0.5) * scale;
            const Colour c{l + 2 * (1 - kr) * v, l - 2 * kb * (1 - kb) / kg * u - 2 * kr * (1 - kr) / kg * v,
                           l + 2 * (1 - kb) * u};
            for (int i = 0; i < 3; ++i)
                rgb[i].at(x, y) = linear(std::clamp(c[i], 0.0, 1.0));
        }
    return rgb;
}

} // namespace

ButteraugliResult butteraugli_by_definition(const ButteraugliRgb &ref, const ButteraugliRgb &dis,
                                            const ButteraugliParameters &parameters)
{
    ButteraugliResult result;
    result.full = steps_of(ref, dis, parameters);
    result.map = result.full.e;
    const int width = ref[0].width, height = ref[0].height;
    if (width >= 15 && height >= 15) {
        result.half = steps_of(halved(ref), halved(dis), parameters);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                result.map.at(x, y) = 0.85 * result.full.e.at(x, y) + 0.5 * result.half.e.at(x / 2, y / 2);
    }
    const auto norm = [&](double k) {
        double sum = 0;
        for (const double d : result.map.values)
            sum += std::pow(d, k);
        return std::pow(sum / (static_cast<double>(width) * height), 1 / k);
    };
    result.scores = {(norm(3) + norm(6) + norm(12)) / 3,
                     *std::max_element(result.map.values.begin(), result.map.values.end()), norm(2)};
    return result;
}

ButteraugliResult butteraugli_by_definition(const FramePlanes &planes, const PictureFormat &format,
                                            const ButteraugliParameters &parameters)
{
    return butteraugli_by_definition(rgb_of(planes.ref, format, parameters.yuv_matrix),
                                     rgb_of(planes.dis, format, parameters.yuv_matrix), parameters);
}

double butteraugli_of_colours(const std::array<double, 3> &ref, const std::array<double, 3> &dis, bool two_scales,
                              double intensity)
{
    const auto low = [&](const Colour &rgb) {
        const Colour v{intensity * rgb[0], intensity * rgb[1], intensity * rgb[2]};
        return low_of(opsin_of(v, v));
    };
    const Colour a = low(ref), b = low(dis);
    return (two_scales ? 1.35 : 1) * nu(0) * std::sqrt(low_error({a[0] - b[0], a[1] - b[1], a[2] - b[2]}));
}

} // namespace vmaf::test
