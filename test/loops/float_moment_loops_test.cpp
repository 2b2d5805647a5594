#include "feature/float_moment/float_moment_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kBeyondOneBlock{0, 2 * 65536 + 77}; // of 32-bit sums

template <class Sample, bool Rounded>
void add(void (*loop)(const Sample *, unsigned, FloatMoments &), unsigned bpc, Run &run)
{
    const Sample *samples = run.input(run.all(), Range<Sample>{0, static_cast<Sample>((1U << bpc) - 1)});
    auto *moments = run.in_out<FloatMoments>("moments", {0, 1}, [&](auto) {
        return FloatMoments{run.random().below(1U << 30), run.random().below(1U << 30)};
    });
    FloatMoments expected = *moments;
    for (unsigned x = 0; x < run.length(); ++x) {
        const std::uint64_t square = std::uint64_t{samples[x]} * samples[x];
        expected.sum += samples[x];
        expected.squares += Rounded ? static_cast<std::uint64_t>(static_cast<float>(square)) : square;
    }
    run.call(loop, samples, run.length(), *moments);
    run.expect("sum", &moments->sum, {0, 1}, [&](auto) { return expected.sum; });
    run.expect("squares", &moments->squares, {0, 1}, [&](auto) { return expected.squares; });
}

void add_8bit(decltype(FloatMomentLoops::add_8bit) loop, Run &run)
{
    add<std::uint8_t, false>(loop, 8, run);
}

void add_to_15bit(decltype(FloatMomentLoops::add_to_15bit) loop, Run &run)
{
    add<std::uint16_t, false>(loop, run.between(9, 15), run);
}

void add_16bit(decltype(FloatMomentLoops::add_16bit) loop, Run &run)
{
    add<std::uint16_t, true>(loop, 16, run);
}

const auto kDeclared = LoopsOf<FloatMomentLoops>("FloatMomentLoops", select_kFloatMomentLoops)
                           .member("add_8bit", &FloatMomentLoops::add_8bit, add_8bit, kBeyondOneBlock)
                           .member("add_to_15bit", &FloatMomentLoops::add_to_15bit, add_to_15bit, kBeyondOneBlock)
                           .member("add_16bit", &FloatMomentLoops::add_16bit, add_16bit);

} // namespace
} // namespace vmaf::test
