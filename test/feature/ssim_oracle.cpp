#include "feature/ssim_oracle.h"

#include <algorithm>
#include <cmath>

namespace vmaf::test::ssim_oracle {
namespace {

/// A sample; border samples are repeated.
float mirrored(const Image &image, int x, int y)
{
    const auto inside = [](int i, int n) { return static_cast<unsigned>(i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i); };
    return image.at(inside(x, static_cast<int>(image.width)), inside(y, static_cast<int>(image.height)));
}

/// Sum of the taps around (x, y), from `from` to `to` in both directions.
template <class Tap> float filtered(const Image &image, int x, int y, int from, int to, const Tap &tap)
{
    double sum = 0;
    for (int v = from; v <= to; ++v)
        for (int u = from; u <= to; ++u)
            sum += static_cast<double>(mirrored(image, x + u, y + v) * tap(std::abs(v), std::abs(u)));
    return static_cast<float>(sum);
}

template <class Sample> float window(const Sample &sample)
{
    const float taps[] = {0.001028F, 0.007599F, 0.036001F, 0.109361F, 0.213006F, 0.266012F};
    double sum = 0;
    for (unsigned k = 0; k <= 10; ++k)
        sum += static_cast<double>(sample(k) * taps[k <= 5 ? k : 10 - k]);
    return static_cast<float>(sum);
}

/// G of the product of two images. If `b` is null: of `a` itself.
Image windowed(const Image &a, const Image *b)
{
    Image rows(a.width - 10, a.height), out(a.width - 10, a.height - 10);
    for (unsigned y = 0; y < rows.height; ++y)
        for (unsigned x = 0; x < rows.width; ++x)
            rows.at(x, y) =
                window([&](unsigned k) { return b == nullptr ? a.at(x + k, y) : a.at(x + k, y) * b->at(x + k, y); });
    for (unsigned y = 0; y < out.height; ++y)
        for (unsigned x = 0; x < out.width; ++x)
            out.at(x, y) = window([&](unsigned k) { return rows.at(x, y + k); });
    return out;
}

} // namespace

Image luma(const TestPicture &picture)
{
    const PictureFormat &format = picture.format();
    Image image(format.width, format.height);
    for (unsigned y = 0; y < format.height; ++y)
        for (unsigned x = 0; x < format.width; ++x)
            image.at(x, y) = static_cast<float>(picture.at(0, x, y)) / static_cast<float>(1U << (format.bpc - 8));
    return image;
}

Image reduced(const Image &in, unsigned factor)
{
    if (factor == 1)
        return in;
    const int f = static_cast<int>(factor), a = f / 2, b = f % 2 == 1 ? a : a - 1;
    Image out(in.width / factor + (in.width & 1), in.height / factor + (in.height & 1));
    for (unsigned y = 0; y < out.height; ++y)
        for (unsigned x = 0; x < out.width; ++x)
            out.at(x, y) = filtered(in, static_cast<int>(x * factor), static_cast<int>(y * factor), -a, b,
                                    [f](int, int) { return 1.0F / static_cast<float>(f * f); });
    return out;
}

Image halved(const Image &in)
{
    const float taps[5][5] = {{0.363505F, 0.160885F, -0.047149F, -0.010146F, 0.016114F},
                              {0.160885F, 0.071207F, -0.020867F, -0.004490F, 0.007132F},
                              {-0.047149F, -0.020867F, 0.006115F, 0.001316F, -0.002090F},
                              {-0.010146F, -0.004490F, 0.001316F, 0.000283F, -0.000450F},
                              {0.016114F, 0.007132F, -0.002090F, -0.000450F, 0.000714F}};
    Image out((in.width + 1) / 2, (in.height + 1) / 2);
    for (unsigned y = 0; y < out.height; ++y)
        for (unsigned x = 0; x < out.width; ++x)
            out.at(x, y) = filtered(in, static_cast<int>(2 * x), static_cast<int>(2 * y), -4, 4,
                                    [&taps](int v, int u) { return taps[v][u]; });
    return out;
}

SsimSums sums(const Image &ref, const Image &dis)
{
    const float k1 = 0.01F * 255.0F, k2 = 0.03F * 255.0F;
    const float c1 = k1 * k1, c2 = k2 * k2, c3 = c2 / 2;
    const Image means_r = windowed(ref, nullptr), means_t = windowed(dis, nullptr);
    const Image rr = windowed(ref, &ref), tt = windowed(dis, &dis), rt = windowed(ref, &dis);
    SsimSums total{};
    for (std::size_t i = 0; i < rr.value.size(); ++i) {
        const float mr = means_r.value[i], mt = means_t.value[i];
        const float vr = std::max(rr.value[i] - mr * mr, 0.0F), vt = std::max(tt.value[i] - mt * mt, 0.0F);
        float cv = rt.value[i] - mr * mt;
        const float sg = std::sqrt(vr * vt);
        if (cv < 0 && sg <= 0)
            cv = 0;
        const double l = (2.0 * static_cast<double>(mr) * static_cast<double>(mt) + static_cast<double>(c1)) /
                         static_cast<double>(mr * mr + mt * mt + c1);
        const double c = (2.0 * static_cast<double>(sg) + static_cast<double>(c2)) / static_cast<double>(vr + vt + c2);
        const double s = static_cast<double>((cv + c3) / (sg + c3));
        total.l += l;
        total.c += c;
        total.s += s;
        total.q += l * c * s;
    }
    return total;
}

} // namespace vmaf::test::ssim_oracle
