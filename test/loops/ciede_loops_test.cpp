#include "feature/ciede/ciede_loops.h"

#include "feature/ciede/ciede_pixel.h"
#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kBatches{0, kCiedeBatch};

void fill(Run &run, CiedeSide &side, std::int32_t peak)
{
    for (std::int32_t *plane : {side.y, side.u, side.v}) {
        run.fill(plane, plane + run.length(), Range<std::int32_t>{0, peak});
        run.scramble(plane + run.length(), plane + kCiedeBatch);
    }
}

CiedeSample sample_of(const CiedeSide &side, std::ptrdiff_t i)
{
    return {side.y[i], side.u[i], side.v[i]};
}

// Few pixels are unsure; all others have the definition's dE.
void differences(decltype(CiedeLoops::differences) loop, Run &run)
{
    const unsigned bpc = run.between(8, 16), count = run.length();
    auto &pixels = run.object<CiedeBatch>();
    run.scramble(&pixels, &pixels + 1);
    fill(run, pixels.ref, (1 << bpc) - 1);
    fill(run, pixels.dis, (1 << bpc) - 1);
    const CiedeRange range = ciede_range(bpc);
    run.call(loop, pixels, count, range);

    run.compare("difference", pixels.difference, run.all());
    run.compare("unsure", pixels.unsure, run.all());
    unsigned unsure = 0;
    run.expect("difference", pixels.difference, run.all(), [&](auto i) {
        unsure += pixels.unsure[i] != 0;
        return pixels.unsure[i] != 0 ? pixels.difference[i]
                                     : ciede_difference(sample_of(pixels.ref, i), sample_of(pixels.dis, i), range);
    });
    if (run.content() == Content::random && unsure > 2 + count / 100)
        run.fail(std::to_string(unsure) + " pixels are unsure");
}

const auto kDeclared = LoopsOf<CiedeLoops>("CiedeLoops", select_kCiedeLoops)
                           .member("differences", &CiedeLoops::differences, differences, kBatches);

} // namespace
} // namespace vmaf::test
