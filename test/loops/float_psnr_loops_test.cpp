#include "feature/float_psnr/float_psnr_loops.h"

#include "loop_tables.h"

namespace vmaf::test {
namespace {

void row_rounded_sse(decltype(FloatPsnrLoops::row_rounded_sse) loop, Run &run)
{
    const Range<std::uint16_t> any{0, 65535};
    const std::uint16_t *ref = run.input(run.all(), any), *dis = run.input(run.all(), any);
    std::uint64_t sum = 0;
    for (unsigned x = 0; x < run.length(); ++x) {
        const std::int64_t difference = std::int64_t{ref[x]} - dis[x];
        sum += static_cast<std::uint64_t>(static_cast<float>(difference * difference));
    }
    run.expect_result(run.call(loop, ref, dis, run.length()), sum);
}

const auto kDeclared = LoopsOf<FloatPsnrLoops>("FloatPsnrLoops", select_kFloatPsnrLoops)
                           .member("row_rounded_sse", &FloatPsnrLoops::row_rounded_sse, row_rounded_sse);

} // namespace
} // namespace vmaf::test
