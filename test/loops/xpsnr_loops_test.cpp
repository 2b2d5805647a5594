#include "feature/xpsnr/xpsnr_loops.h"

#include <cstdlib>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kWidths{0, kXpsnrMostColumns}, kQuads{0, kXpsnrMostColumns / 2};

/// Samples of all values, or of some depth.
template <class Sample> Range<Sample> samples(Run &run)
{
    const unsigned most = sizeof(Sample) == 1 ? 255 : run.pick({1023U, 8191U, 8192U, 65535U});
    return {0, static_cast<Sample>(most)};
}

/// A rectangle of samples, with `around` more on each side.
template <class Sample> struct Rectangle {
    std::ptrdiff_t width, height, stride;
    const Sample *first;

    Rectangle(Run &run, unsigned rows, std::ptrdiff_t padding, std::ptrdiff_t around)
        : width(run.length()), height(rows), stride(width + 2 * around + padding),
          first(run.input({-around * stride - around, (height - 1 + around) * stride + width + around},
                          samples<Sample>(run)))
    {
    }
    XpsnrSamples view() const
    {
        return {reinterpret_cast<const std::byte *>(first), stride * static_cast<std::ptrdiff_t>(sizeof(Sample))};
    }
    std::int64_t at(std::ptrdiff_t x, std::ptrdiff_t y) const { return first[y * stride + x]; }
    template <class Value> std::uint64_t sum(Value value) const
    {
        std::uint64_t total = 0;
        for (std::ptrdiff_t y = 0; y < height; ++y)
            for (std::ptrdiff_t x = 0; x < width; ++x)
                total += static_cast<std::uint64_t>(value(x, y));
        return total;
    }
};

/// Few rows, or more than a 32-bit sum can hold.
unsigned some_rows(Run &run)
{
    return run.length() > 300 ? run.between(1, 3) : run.pick({1U, 2U, 5U, 33U, 70U});
}

template <class Sample> void sse(decltype(XpsnrLoops::sse_8bit) loop, Run &run)
{
    const unsigned rows = some_rows(run);
    const Rectangle<Sample> ref(run, rows, run.between(0, 3), 0), dis(run, rows, run.between(0, 3), 0);
    const std::uint64_t sum = run.call(loop, ref.view(), dis.view(), run.length(), rows);
    run.expect_result(sum, ref.sum([&](auto x, auto y) {
        const std::int64_t difference = ref.at(x, y) - dis.at(x, y);
        return difference * difference;
    }));
}

template <class Sample> void spatial(decltype(XpsnrLoops::spatial_8bit) loop, Run &run)
{
    constexpr int kKernel[3][3] = {{-1, -2, -1}, {-2, 12, -2}, {-1, -2, -1}};
    const unsigned rows = some_rows(run);
    const Rectangle<Sample> ref(run, rows, run.between(0, 3), 1);
    const std::uint64_t sum = run.call(loop, ref.view(), run.length(), rows);
    run.expect_result(sum, ref.sum([&](auto x, auto y) {
        std::int64_t f = 0;
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                f += kKernel[row][column] * ref.at(x - 1 + column, y - 1 + row);
        return std::abs(f);
    }));
}

template <class Sample> void temporal(decltype(XpsnrLoops::temporal_8bit) loop, Run &run)
{
    const unsigned rows = some_rows(run);
    const bool second_order = run.between(0, 1) == 1;
    const Rectangle<Sample> current(run, rows, run.between(0, 3), 0), earlier(run, rows, run.between(0, 3), 0),
        before(run, rows, run.between(0, 3), 0);
    const XpsnrReferences pictures{current.view(), earlier.view(), second_order ? before.view() : XpsnrSamples{}};
    const std::uint64_t sum = run.call(loop, pictures, run.length(), rows);
    run.expect_result(sum, current.sum([&](auto x, auto y) {
        const std::int64_t v = current.at(x, y) - earlier.at(x, y);
        return std::abs(second_order ? v - earlier.at(x, y) + before.at(x, y) : v);
    }));
}

template <class Sample> void quad_spatial(std::uint64_t (*loop)(const Sample *const *, unsigned), Run &run)
{
    constexpr int kKernel[6][6] = {{0, -1, -1, -1, -1, 0},   {-1, -2, -3, -3, -2, -1}, {-1, -3, 12, 12, -3, -1},
                                   {-1, -3, 12, 12, -3, -1}, {-1, -2, -3, -3, -2, -1}, {0, -1, -1, -1, -1, 0}};
    const auto quads = static_cast<std::ptrdiff_t>(run.length());
    const Range<Sample> range = samples<Sample>(run);
    const Sample *rows[6];
    for (const Sample *&row : rows)
        row = run.input({-2, 2 * quads + 2}, range);
    const std::uint64_t sum = run.call(loop, rows, run.length());
    std::uint64_t wanted = 0;
    for (std::ptrdiff_t quad = 0; quad < quads; ++quad) {
        std::int64_t f = 0;
        for (int row = 0; row < 6; ++row)
            for (int column = 0; column < 6; ++column)
                f += std::int64_t{kKernel[row][column]} * rows[row][2 * quad - 2 + column];
        wanted += static_cast<std::uint64_t>(std::abs(f));
    }
    run.expect_result(sum, wanted);
}

template <class Sample> void quad_temporal(std::uint64_t (*loop)(const XpsnrRowPairs<Sample> &, unsigned), Run &run)
{
    const auto quads = static_cast<std::ptrdiff_t>(run.length());
    const Range<Sample> range = samples<Sample>(run);
    const bool second_order = run.between(0, 1) == 1;
    XpsnrRowPairs<Sample> rows{};
    for (unsigned i = 0; i < 2; ++i) {
        rows.current[i] = run.input({0, 2 * quads}, range);
        rows.earlier[i] = run.input({0, 2 * quads}, range);
        if (second_order)
            rows.before_earlier[i] = run.input({0, 2 * quads}, range);
    }
    const std::uint64_t sum = run.call(loop, rows, run.length());
    std::uint64_t wanted = 0;
    for (std::ptrdiff_t quad = 0; quad < quads; ++quad) {
        std::int64_t v = 0;
        for (unsigned i = 0; i < 2; ++i)
            for (std::ptrdiff_t x = 2 * quad; x < 2 * quad + 2; ++x)
                v += rows.current[i][x] - (second_order ? 2 : 1) * std::int64_t{rows.earlier[i][x]} +
                     (second_order ? rows.before_earlier[i][x] : 0);
        wanted += static_cast<std::uint64_t>(std::abs(v));
    }
    run.expect_result(sum, wanted);
}

const auto kDeclared =
    LoopsOf<XpsnrLoops>("XpsnrLoops", select_kXpsnrLoops)
        .member("sse_8bit", &XpsnrLoops::sse_8bit, sse<std::uint8_t>, kWidths)
        .member("sse_16bit", &XpsnrLoops::sse_16bit, sse<std::uint16_t>, kWidths)
        .member("spatial_8bit", &XpsnrLoops::spatial_8bit, spatial<std::uint8_t>, kWidths)
        .member("spatial_16bit", &XpsnrLoops::spatial_16bit, spatial<std::uint16_t>, kWidths)
        .member("temporal_8bit", &XpsnrLoops::temporal_8bit, temporal<std::uint8_t>, kWidths)
        .member("temporal_16bit", &XpsnrLoops::temporal_16bit, temporal<std::uint16_t>, kWidths)
        .member("quad_spatial_8bit", &XpsnrLoops::quad_spatial_8bit, quad_spatial<std::uint8_t>, kQuads)
        .member("quad_spatial_16bit", &XpsnrLoops::quad_spatial_16bit, quad_spatial<std::uint16_t>, kQuads)
        .member("quad_temporal_8bit", &XpsnrLoops::quad_temporal_8bit, quad_temporal<std::uint8_t>, kQuads)
        .member("quad_temporal_16bit", &XpsnrLoops::quad_temporal_16bit, quad_temporal<std::uint16_t>, kQuads);

} // namespace
} // namespace vmaf::test
