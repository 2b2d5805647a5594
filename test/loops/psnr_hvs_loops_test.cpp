#include "feature/psnr_hvs/psnr_hvs_loops.h"

#include <algorithm>
#include <cmath>

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kOneGroup{kHvsGroup * kHvsCoefficients, kHvsGroup *kHvsCoefficients};

/// Blocks at any place of a plane, up to its last sample.
template <class Sample>
const HvsBlocks &blocks_of(Run &run, const Sample *plane, std::ptrdiff_t samples, std::ptrdiff_t stride)
{
    auto &blocks = run.object<HvsBlocks>();
    const auto positions = static_cast<unsigned>(samples - 7 * stride - 8 + 1);
    for (const std::byte *&start : blocks.start)
        start = reinterpret_cast<const std::byte *>(plane + run.random().below(positions));
    blocks.start[run.between(0, kHvsGroup - 1)] = reinterpret_cast<const std::byte *>(plane + positions - 1);
    return blocks;
}

template <class Sample>
void expect_gathered(Run &run, const HvsBlocks &blocks, std::ptrdiff_t stride, unsigned peak, HvsSamples &samples)
{
    for (unsigned k = 0; k < kHvsCoefficients; ++k) {
        run.compare("value", samples.value[k], {0, kHvsGroup});
        run.expect("value", samples.value[k], {0, kHvsGroup}, [&](auto b) {
            const auto *block = reinterpret_cast<const Sample *>(blocks.start[b]);
            return std::min<unsigned>(block[k / 8 * stride + k % 8], peak);
        });
    }
}

void gather_8bit(decltype(PsnrHvsLoops::gather_8bit) loop, Run &run)
{
    const std::ptrdiff_t stride = run.between(8, 100), samples_read = 7 * stride + 8 + run.between(0, 100);
    const auto *plane = run.input({0, samples_read}, Range<std::uint8_t>{0, 255});
    const HvsBlocks &blocks = blocks_of(run, plane, samples_read, stride);
    auto &samples = run.object<HvsSamples>();
    run.scramble(&samples, &samples + 1);
    run.call(loop, blocks, stride, samples);
    expect_gathered<std::uint8_t>(run, blocks, stride, 255, samples);
}

void gather_16bit(decltype(PsnrHvsLoops::gather_16bit) loop, Run &run)
{
    const std::ptrdiff_t stride = run.between(8, 100), samples_read = 7 * stride + 8 + run.between(0, 100);
    const auto peak = static_cast<std::uint16_t>((1U << run.between(9, 12)) - 1);
    const auto *plane = run.input({0, samples_read}, Range<std::uint16_t>{0, 65535});
    const HvsBlocks &blocks = blocks_of(run, plane, samples_read, stride);
    auto &samples = run.object<HvsSamples>();
    run.scramble(&samples, &samples + 1);
    run.call(loop, blocks, 2 * stride, peak, samples);
    expect_gathered<std::uint16_t>(run, blocks, stride, peak, samples);
}

/// Blocks of samples with up to 12 bits, some of them flat.
HvsSamples &blocks(Run &run)
{
    auto &samples = run.object<HvsSamples>();
    const auto peak = static_cast<std::int16_t>((1 << run.between(8, 12)) - 1);
    for (auto &coefficient : samples.value)
        run.fill(coefficient, std::end(coefficient), Range<std::int16_t>{0, peak});
    for (unsigned b = 0; b < kHvsGroup; ++b)
        if (const int level = samples.value[0][b]; run.random().one_in(4))
            for (auto &coefficient : samples.value)
                coefficient[b] =
                    static_cast<std::int16_t>(std::min<int>(peak, level + static_cast<int>(run.random().below(3))));
    return samples;
}

void transform_and_mask(decltype(PsnrHvsLoops::transform_and_mask) loop, Run &run)
{
    HvsSamples &samples = blocks(run);
    auto &mask = run.object<HvsLanes>();
    run.scramble(&mask, &mask + 1);
    run.call(loop, samples, kHvsWeights[run.between(0, 2)], mask);
    for (const auto &coefficient : samples.value)
        run.compare("coefficients", coefficient, {0, kHvsGroup});
    run.compare("mask", mask.value, {0, kHvsGroup});
}

/// Masks between 0 and those of blocks with much texture.
HvsLanes &masks(Run &run)
{
    auto &mask = run.object<HvsLanes>();
    run.fill(mask.value, std::end(mask.value), Range<float>{0, 300});
    return mask;
}

void errors(decltype(PsnrHvsLoops::errors) loop, Run &run)
{
    HvsSamples &ref = blocks(run), &dis = blocks(run);
    if (run.random().one_in(8))
        dis = ref;
    const HvsLanes &ref_mask = masks(run), &dis_mask = masks(run);
    auto &out = run.object<HvsErrors>();
    run.scramble(&out, &out + 1);
    run.call(loop, ref, ref_mask, dis, dis_mask, kHvsWeights[run.between(0, 2)], out);
    for (const auto &coefficient : out.z)
        run.compare("z", coefficient, {0, kHvsGroup});
}

/// The sum of the blocks before: nothing, much more than these blocks add, or so much that the sum
/// passes a power of two.
float sum_before(Run &run, double added)
{
    const double power = std::exp2(std::ceil(std::log2(added + 1)) + run.pick({0, 2, 8, 16}));
    switch (run.random().below(4)) {
    case 0:
        return run.random().one_in(2) ? 0.0F : static_cast<float>(added / 4);
    case 1:
        return static_cast<float>(power * (1 + run.random().real(0, 1)));
    default:
        return static_cast<float>(power - added * run.random().real(0, 1));
    }
}

// Terms include zeros and numbers whose sums end in ties of rounding.
void accumulate(decltype(PsnrHvsLoops::accumulate) loop, Run &run)
{
    auto &errors = run.object<HvsErrors>();
    const int bits = static_cast<int>(run.between(1, 24)), scale = static_cast<int>(run.between(0, 30));
    double added = 0;
    for (auto &coefficient : errors.z)
        for (float &z : coefficient) {
            z = run.random().one_in(2)
                    ? 0
                    : std::ldexp(static_cast<float>(run.random().below(1U << bits)), scale - bits - 10);
            added += static_cast<double>(z);
        }
    const float before = sum_before(run, added);
    const float after = run.call(loop, before, errors);
    float expected = before;
    for (unsigned b = 0; b < kHvsGroup; ++b)
        for (const auto &coefficient : errors.z)
            expected += coefficient[b];
    run.expect("accumulator", &after, {0, 1}, [&](auto) { return expected; });
}

const auto kDeclared =
    LoopsOf<PsnrHvsLoops>("PsnrHvsLoops", select_kPsnrHvsLoops)
        .member("gather_8bit", &PsnrHvsLoops::gather_8bit, gather_8bit, kOneGroup)
        .member("gather_16bit", &PsnrHvsLoops::gather_16bit, gather_16bit, kOneGroup)
        .member("transform_and_mask", &PsnrHvsLoops::transform_and_mask, transform_and_mask, kOneGroup)
        .member("errors", &PsnrHvsLoops::errors, errors, kOneGroup)
        .member("accumulate", &PsnrHvsLoops::accumulate, accumulate, kOneGroup);

} // namespace
} // namespace vmaf::test
