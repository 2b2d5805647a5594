#include "feature/float_psnr/float_psnr_params.h"
#include "feature/pair_sums_cases.h"

namespace vmaf::test {
namespace {

struct FloatPsnrCase {
    using Sums = FloatPsnrSums;
    static const CudaBackend &backend() { return kFloatPsnrCuda; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(FloatPsnr, PairSumsCuda, FloatPsnrCase);

} // namespace
} // namespace vmaf::test
