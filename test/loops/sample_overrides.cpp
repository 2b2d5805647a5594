#include "sample_loops.h"

namespace vmaf::avx2 {
namespace {

const char *other_flags()
{
#if defined(__AVX2__) && defined(__FMA__)
    return "avx2 with FMA";
#else
    return "the flags of the plain loops";
#endif
}

constexpr SampleLoops overrides()
{
    SampleLoops table{};
    table.second = other_flags;
    table.by_scale[1] = other_flags;
    return table;
}

} // namespace

extern constinit const SampleLoops kSampleOverrides = overrides();

} // namespace vmaf::avx2
