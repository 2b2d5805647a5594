#include "feature/float_moment/float_moment_params.h"
#include "feature/pair_sums_cases.h"

namespace vmaf::test {
namespace {

struct FloatMomentCase {
    using Sums = FloatMomentSums;
    static const CudaBackend &backend() { return kFloatMomentCuda; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(FloatMoment, PairSumsCuda, FloatMomentCase);

} // namespace
} // namespace vmaf::test
