#include "feature/motion/motion_loops.h"

#include <cstdlib>

#include "feature/motion/motion_params.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

// The table is for widths from 3 up.
constexpr Lengths kWidths{3}, kBeyondOneBlock{3, 2 * 65536 + 77};

void difference_row_8bit(decltype(MotionLoops::difference_row_8bit) loop, Run &run)
{
    const Range<std::uint8_t> any{0, 255};
    const std::uint8_t *earlier = run.input(run.all(), any), *current = run.input(run.all(), any);
    auto *difference = run.output<std::int32_t>("difference", run.all());
    run.call(loop, earlier, current, run.length(), difference);
    run.expect("difference", difference, run.all(), [&](auto x) { return earlier[x] - current[x]; });
}

void difference_row_16bit(decltype(MotionLoops::difference_row_16bit) loop, Run &run)
{
    const Range<std::uint16_t> any{0, 65535};
    const std::uint16_t *earlier = run.input(run.all(), any), *current = run.input(run.all(), any);
    const auto max_sample = static_cast<std::uint16_t>((1U << run.between(9, 16)) - 1);
    auto *difference = run.output<std::int32_t>("difference", run.all());
    run.call(loop, earlier, current, run.length(), max_sample, difference);
    const auto held = [&](std::uint16_t sample) { return std::min(sample, max_sample); };
    run.expect("difference", difference, run.all(), [&](auto x) { return held(earlier[x]) - held(current[x]); });
}

/// spec motion 3: the five values around v[0], `step` apart.
template <class Get> std::int64_t low_pass(const Get &v, unsigned shift)
{
    const std::int64_t sum = std::int64_t{kMotionTaps[0]} * (std::int64_t{v(-2)} + v(2)) +
                             std::int64_t{kMotionTaps[1]} * (std::int64_t{v(-1)} + v(1)) +
                             std::int64_t{kMotionTaps[2]} * v(0);
    return (sum + (std::int64_t{1} << (shift - 1))) >> shift;
}

void vertical_row(decltype(MotionLoops::vertical_row) loop, Run &run)
{
    const unsigned bpc = run.between(8, 16);
    const std::int32_t peak = (1 << bpc) - 1;
    const std::int32_t *rows[5];
    for (const std::int32_t *&row : rows)
        row = run.input(run.all(), Range<std::int32_t>{-peak, peak});
    auto *filtered = run.output<std::int32_t>("filtered", run.all());
    run.call(loop, rows, run.length(), bpc, filtered);
    run.expect("filtered", filtered, run.all(),
               [&](auto x) { return low_pass([&](int k) { return rows[k + 2][x]; }, bpc); });
}

void horizontal_row_sad(decltype(MotionLoops::horizontal_row_sad) loop, Run &run)
{
    const auto width = static_cast<std::ptrdiff_t>(run.length());
    const std::int32_t *filtered = run.input({-2, width + 2}, Range<std::int32_t>{-65535, 65535});
    std::uint64_t sad = 0;
    for (std::ptrdiff_t x = 0; x < width; ++x)
        sad += static_cast<std::uint64_t>(std::abs(low_pass([&](int k) { return filtered[x + k]; }, 16)));
    run.expect_result(run.call(loop, filtered, run.length()), sad);
}

const auto kDeclared =
    LoopsOf<MotionLoops>("MotionLoops", select_kMotionLoops)
        .member("difference_row_8bit", &MotionLoops::difference_row_8bit, difference_row_8bit, kWidths)
        .member("difference_row_16bit", &MotionLoops::difference_row_16bit, difference_row_16bit, kWidths)
        .member("vertical_row", &MotionLoops::vertical_row, vertical_row, kWidths)
        .member("horizontal_row_sad", &MotionLoops::horizontal_row_sad, horizontal_row_sad, kBeyondOneBlock);

} // namespace
} // namespace vmaf::test
