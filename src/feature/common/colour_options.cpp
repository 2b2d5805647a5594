#include "feature/common/colour_options.h"

#include <cerrno>

#include "base/log.h"

namespace vmaf {
namespace {

constexpr double kHlgPeak = 1000; // cd/m2

Status refused(const char *feature, const char *option, const std::string &value, const char *names)
{
    log(LogLevel::error, "%s: option %s is \"%s\", should be %s", feature, option, value.c_str(), names);
    return Status::error(EINVAL);
}

double scale_of(Transfer transfer)
{
    switch (transfer) {
    case Transfer::pq:
        return 1 / kReferenceWhite;
    case Transfer::hlg:
        return kHlgPeak / kReferenceWhite;
    default:
        return 1;
    }
}

} // namespace

Status check_transfer(const char *feature, const std::string &name)
{
    return find_transfer(name, Transfer::srgb) ? Status() : refused(feature, "transfer", name, kTransferNames);
}

Status check_primaries(const char *feature, const std::string &name)
{
    return find_primaries(name) ? Status() : refused(feature, "primaries", name, kPrimariesNames);
}

LightSignal relative_light(const std::string &transfer, const std::string &primaries)
{
    LightSignal signal;
    signal.transfer = *find_transfer(transfer, Transfer::srgb);
    signal.primaries = *find_primaries(primaries);
    signal.scale = scale_of(signal.transfer);
    signal.hlg_gamma = hlg_gamma(kHlgPeak, 0);
    return signal;
}

} // namespace vmaf
