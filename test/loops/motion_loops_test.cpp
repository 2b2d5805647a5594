#include "feature/motion/motion_loops.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "feature/motion/motion_params.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

// The table is for widths of 3 and more.
constexpr Lengths kWidths{3}, kBeyondOneBlock{3, 2 * 65536 + 77};

void difference_row_8bit(decltype(MotionLoops::difference_row_8bit) loop, Run &run)
{
    const Range<std::uint8_t> any{0, 255};
    const std::uint8_t *earlier = run.input(run.all(), any), *current = run.input(run.all(), any);
    auto *difference = run.output<std::int16_t>("difference", run.all());
    run.call(loop, earlier, current, run.length(), difference);
    run.expect("difference", difference, run.all(), [&](auto x) { return earlier[x] - current[x]; });
}

template <class T, unsigned kLeastBits, unsigned kMostBits>
void difference_row(void (*loop)(const std::uint16_t *, const std::uint16_t *, unsigned, std::uint16_t, T *), Run &run)
{
    const Range<std::uint16_t> any{0, 65535};
    const std::uint16_t *earlier = run.input(run.all(), any), *current = run.input(run.all(), any);
    const auto max_sample = static_cast<std::uint16_t>((1U << run.between(kLeastBits, kMostBits)) - 1);
    auto *difference = run.output<T>("difference", run.all());
    run.call(loop, earlier, current, run.length(), max_sample, difference);
    const auto held = [&](std::uint16_t sample) { return std::min(sample, max_sample); };
    run.expect("difference", difference, run.all(), [&](auto x) { return held(earlier[x]) - held(current[x]); });
}

/// The filter of spec motion 3 on the five values around v[0], which are `step` apart.
template <class Get> std::int64_t low_pass(const Get &v, unsigned shift)
{
    const std::int64_t sum = std::int64_t{kMotionTaps[0]} * (std::int64_t{v(-2)} + v(2)) +
                             std::int64_t{kMotionTaps[1]} * (std::int64_t{v(-1)} + v(1)) +
                             std::int64_t{kMotionTaps[2]} * v(0);
    return (sum + (std::int64_t{1} << (shift - 1))) >> shift;
}

/// Differences around a row. In half of the cases they are so small that every filtered value fits
/// 16 bits.
template <class T> std::array<const T *, 5> difference_rows(Run &run, unsigned bpc)
{
    const T peak = static_cast<T>(((1 << bpc) - 1) >> run.between(0, 1));
    std::array<const T *, 5> rows;
    for (const T *&row : rows)
        row = run.input(run.all(), Range<T>{static_cast<T>(-peak), peak});
    return rows;
}

void vertical_row(decltype(MotionLoops::vertical_row) loop, Run &run)
{
    const unsigned bpc = run.between(8, kMotionMaxNarrowBits);
    const auto rows = difference_rows<std::int16_t>(run, bpc);
    auto *filtered = run.output<std::int16_t>("filtered", run.all());
    bool fits = true;
    const bool reported = run.call(loop, rows.data(), run.length(), bpc, filtered);
    run.expect("filtered", filtered, run.all(), [&](auto x) {
        const std::int64_t v = low_pass([&](int k) { return rows[k + 2][x]; }, bpc);
        fits = fits && v > -32768 && v < 32767;
        return std::clamp<std::int64_t>(v, -32768, 32767);
    });
    run.expect_result(reported, fits);
}

template <class T, unsigned kLeastBits, unsigned kMostBits>
void vertical_row_to_wide(void (*loop)(const T *const *, unsigned, unsigned, std::int32_t *), Run &run)
{
    const unsigned bpc = run.between(kLeastBits, kMostBits);
    const auto rows = difference_rows<T>(run, bpc);
    auto *filtered = run.output<std::int32_t>("filtered", run.all());
    run.call(loop, rows.data(), run.length(), bpc, filtered);
    run.expect("filtered", filtered, run.all(),
               [&](auto x) { return low_pass([&](int k) { return rows[k + 2][x]; }, bpc); });
}

template <class T, int kMost> void horizontal_row_sad(std::uint64_t (*loop)(const T *, unsigned), Run &run)
{
    const auto width = static_cast<std::ptrdiff_t>(run.length());
    const T *filtered = run.input({-2, width + 2}, Range<T>{-kMost, kMost});
    std::uint64_t sad = 0;
    for (std::ptrdiff_t x = 0; x < width; ++x)
        sad += static_cast<std::uint64_t>(std::abs(low_pass([&](int k) { return filtered[x + k]; }, 16)));
    run.expect_result(run.call(loop, filtered, run.length()), sad);
}

const auto kDeclared =
    LoopsOf<MotionLoops>("MotionLoops", select_kMotionLoops)
        .member("difference_row_8bit", &MotionLoops::difference_row_8bit, difference_row_8bit, kWidths)
        .member("difference_row_16bit", &MotionLoops::difference_row_16bit, difference_row<std::int16_t, 9, 14>,
                kWidths)
        .member("difference_row_wide", &MotionLoops::difference_row_wide, difference_row<std::int32_t, 15, 16>, kWidths)
        .member("vertical_row", &MotionLoops::vertical_row, vertical_row, kWidths)
        .member("vertical_row_to_wide", &MotionLoops::vertical_row_to_wide, vertical_row_to_wide<std::int16_t, 8, 14>,
                kWidths)
        .member("vertical_row_wide", &MotionLoops::vertical_row_wide, vertical_row_to_wide<std::int32_t, 15, 16>,
                kWidths)
        .member("horizontal_row_sad", &MotionLoops::horizontal_row_sad, horizontal_row_sad<std::int16_t, 32766>,
                kBeyondOneBlock)
        .member("horizontal_row_sad_wide", &MotionLoops::horizontal_row_sad_wide,
                horizontal_row_sad<std::int32_t, 65535>, kBeyondOneBlock);

} // namespace
} // namespace vmaf::test
