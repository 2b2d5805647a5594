#include "feature/psnr/psnr_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

constexpr Lengths kBeyondOneBlock{0, 2 * 65536 + 77}; // of 32-bit sums

template <class Sample> void row_sse(std::uint64_t (*loop)(const Sample *, const Sample *, unsigned), Run &run)
{
    const Range<Sample> any{0, static_cast<Sample>(-1)};
    const Sample *ref = run.input(run.all(), any), *dis = run.input(run.all(), any);
    std::uint64_t sum = 0;
    for (unsigned x = 0; x < run.length(); ++x)
        sum += static_cast<std::uint64_t>((std::int64_t{ref[x]} - dis[x]) * (std::int64_t{ref[x]} - dis[x]));
    run.expect_result(run.call(loop, ref, dis, run.length()), sum);
}

const auto kDeclared = LoopsOf<PsnrLoops>("PsnrLoops", select_kPsnrLoops)
                           .member("row_sse_8bit", &PsnrLoops::row_sse_8bit, row_sse<std::uint8_t>, kBeyondOneBlock)
                           .member("row_sse_16bit", &PsnrLoops::row_sse_16bit, row_sse<std::uint16_t>);

} // namespace
} // namespace vmaf::test
