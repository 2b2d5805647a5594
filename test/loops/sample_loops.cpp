#include "sample_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *target()
{
    return TEXT(VMAF_CPU_TARGET);
}

} // namespace

extern const SampleLoops kSampleLoops = {target, target, {target, target}};

} // namespace vmaf::VMAF_CPU_TARGET
