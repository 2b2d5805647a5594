#include "feature/cvvdp/cvvdp_loops.h"

#include <algorithm>
#include <array>
#include <vector>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Range<float> kLight{0, 1}, kOpponent{-60, 250}, kMasked{0, 2000};

/// Rows whose results must be the same for every target.
CvvdpInput inputs(Run &run, const Extent &extent, const Range<float> &range)
{
    CvvdpInput rows;
    for (const float *&row : rows.channel)
        row = run.input(extent, range);
    return rows;
}

CvvdpColour colour(Run &run)
{
    CvvdpColour colour;
    for (unsigned c = 0; c < kCvvdpColours; ++c) {
        for (float &weight : colour.matrix[c])
            weight = static_cast<float>(run.between(0, 2000)) / 7 - 100;
        colour.offset[c] = static_cast<float>(run.between(0, 10)) / 10;
    }
    return colour;
}

using Weights = std::array<float, kCvvdpChannels>;

Weights weights(Run &run)
{
    Weights weights;
    for (float &weight : weights)
        weight = static_cast<float>(run.between(0, 1000)) / 1000 - 0.3F;
    return weights;
}
const float (&array_of(const Weights &weights))[kCvvdpChannels]
{
    return *reinterpret_cast<const float(*)[kCvvdpChannels]>(weights.data());
}

float opponent(const CvvdpColour &colour, unsigned c, const float *const light[3], std::ptrdiff_t x)
{
    return colour.offset[c] +
           (colour.matrix[c][0] * light[0][x] + colour.matrix[c][1] * light[1][x] + colour.matrix[c][2] * light[2][x]);
}

void begin_channels(decltype(CvvdpLoops::begin_channels) loop, Run &run)
{
    const CvvdpColour k = colour(run);
    const Weights w = weights(run);
    const float *light[3];
    for (const float *&row : light)
        row = run.input(run.all(), kLight);
    CvvdpRows channels;
    for (float *&row : channels.channel)
        row = run.output<float>("channel", run.all());
    auto *luma = run.output<float>("luma", run.all());
    run.call(loop, k, light, array_of(w), run.length(), luma, channels);
    run.expect("luma", luma, run.all(), [&](auto x) { return opponent(k, 0, light, x); });
    for (unsigned c = 0; c < kCvvdpChannels; ++c)
        run.expect("channel", channels.channel[c], run.all(),
                   [&](auto x) { return w[c] * opponent(k, c == kCvvdpTransient ? 0 : c, light, x); });
}

void add_channels(decltype(CvvdpLoops::add_channels) loop, Run &run)
{
    const CvvdpColour k = colour(run);
    const Weights w = weights(run);
    const float *light[3];
    for (const float *&row : light)
        row = run.input(run.all(), kLight);
    const float *luma = run.input(run.all(), kOpponent);
    CvvdpRows channels;
    std::vector<float> before[kCvvdpChannels];
    for (unsigned c = 0; c < kCvvdpChannels; ++c) {
        channels.channel[c] = run.in_out("channel", run.all(), kOpponent);
        before[c].assign(channels.channel[c], channels.channel[c] + run.length());
    }
    run.call(loop, k, light, array_of(w), luma, run.length(), channels);
    for (unsigned c = 0; c < kCvvdpChannels; ++c)
        run.expect("channel", channels.channel[c], run.all(), [&](auto x) {
            const float value = c == kCvvdpTransient ? opponent(k, 0, light, x) - luma[x] : opponent(k, c, light, x);
            return before[c][static_cast<std::size_t>(x)] + w[c] * value;
        });
}

void reduce_columns(decltype(CvvdpLoops::reduce_columns) loop, Run &run)
{
    const float *rows[5];
    for (const float *&row : rows)
        row = run.input(run.all(), kOpponent);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        return 0.4F * rows[2][x] + 0.25F * (rows[1][x] + rows[3][x]) + 0.05F * (rows[0][x] + rows[4][x]);
    });
}

void reduce_row(decltype(CvvdpLoops::reduce_row) loop, Run &run)
{
    const float *row = run.input(Extent{-2, 2 * run.all().end + 1}, kOpponent);
    auto *out = run.output<float>("out", run.all());
    run.call(loop, row, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        return 0.4F * row[2 * x] + 0.25F * (row[2 * x - 1] + row[2 * x + 1]) +
               0.05F * (row[2 * x - 2] + row[2 * x + 2]);
    });
}

void blend_rows(decltype(CvvdpLoops::blend_rows) loop, Run &run)
{
    const float *rows[3];
    for (const float *&row : rows)
        row = run.input(run.all(), kOpponent);
    const float parts[3] = {0.1F, 0.8F, 0.1F};
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, parts, run.length(), out);
    run.expect("out", out, run.all(),
               [&](auto x) { return parts[1] * rows[1][x] + (parts[0] * rows[0][x] + parts[2] * rows[2][x]); });
}

void expand_row(decltype(CvvdpLoops::expand_row) loop, Run &run)
{
    const float *row = run.input(Extent{-1, run.all().end + 1}, kOpponent);
    const Extent doubled{0, 2 * run.all().end};
    auto *out = run.output<float>("out", doubled);
    run.call(loop, row, run.length(), out);
    run.expect("out", out, doubled, [&](auto x) {
        const float *at = row + x / 2;
        return x % 2 == 0 ? 0.8F * at[0] + 0.1F * (at[-1] + at[1]) : 0.5F * (at[0] + at[1]);
    });
}

void contrast(decltype(CvvdpLoops::contrast) loop, Run &run)
{
    CvvdpBandTables tables;
    for (auto &channel : tables.sensitivity)
        for (float &value : channel)
            value = static_cast<float>(run.between(0, 2000)) / 100 - 10;
    const CvvdpBandRows rows{inputs(run, run.all(), kOpponent), inputs(run, run.all(), kOpponent),
                             inputs(run, run.all(), kOpponent), inputs(run, run.all(), kOpponent)};
    CvvdpRows difference, least;
    for (float *&row : difference.channel)
        row = run.output<float>("difference", run.all());
    for (float *&row : least.channel)
        row = run.output<float>("least", run.all());
    run.call(loop, tables, rows, run.length(), difference, least);
}

void blur_row(decltype(CvvdpLoops::blur_row) loop, Run &run)
{
    constexpr std::ptrdiff_t kReach = kCvvdpBlurReach;
    const float *row = run.input(Extent{-kReach, run.all().end + kReach}, kMasked);
    float taps[kCvvdpBlurReach + 1];
    for (float &tap : taps)
        tap = static_cast<float>(run.between(0, 100)) / 100;
    auto *out = run.output<float>("out", run.all());
    run.call(loop, row, taps, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = taps[0] * row[x];
        for (std::ptrdiff_t k = 1; k <= kReach; ++k)
            sum = sum + taps[k] * (row[x - k] + row[x + k]);
        return sum;
    });
}

void blur_columns(decltype(CvvdpLoops::blur_columns) loop, Run &run)
{
    constexpr unsigned kReach = kCvvdpBlurReach;
    const float *rows[2 * kReach + 1];
    for (const float *&row : rows)
        row = run.input(run.all(), kMasked);
    float taps[kReach + 1];
    for (float &tap : taps)
        tap = static_cast<float>(run.between(0, 100)) / 100;
    auto *out = run.output<float>("out", run.all());
    run.call(loop, rows, taps, run.length(), out);
    run.expect("out", out, run.all(), [&](auto x) {
        float sum = taps[0] * rows[kReach][x];
        for (unsigned k = 1; k <= kReach; ++k)
            sum = sum + taps[k] * (rows[kReach - k][x] + rows[kReach + k][x]);
        return sum;
    });
}

void add_squares(decltype(CvvdpLoops::add_squares) loop, Run &run)
{
    const CvvdpInput difference = inputs(run, run.all(), kMasked), mask = inputs(run, run.all(), kMasked);
    CvvdpRows columns;
    for (float *&row : columns.channel)
        row = run.in_out("columns", run.all(), kMasked);
    run.call(loop, difference, mask, run.length(), columns);
}

const auto kDeclared = LoopsOf<CvvdpLoops>("CvvdpLoops", select_kCvvdpLoops)
                           .member("begin_channels", &CvvdpLoops::begin_channels, begin_channels)
                           .member("add_channels", &CvvdpLoops::add_channels, add_channels)
                           .member("reduce_columns", &CvvdpLoops::reduce_columns, reduce_columns)
                           .member("reduce_row", &CvvdpLoops::reduce_row, reduce_row)
                           .member("blend_rows", &CvvdpLoops::blend_rows, blend_rows)
                           .member("expand_row", &CvvdpLoops::expand_row, expand_row)
                           .member("contrast", &CvvdpLoops::contrast, contrast)
                           .member("blur_row", &CvvdpLoops::blur_row, blur_row)
                           .member("blur_columns", &CvvdpLoops::blur_columns, blur_columns)
                           .member("add_squares", &CvvdpLoops::add_squares, add_squares);

} // namespace
} // namespace vmaf::test
