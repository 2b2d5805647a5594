#include "listing/backends.h"

#include <cerrno>

#include <nlohmann/json.hpp>

#include "scoring/gpu_probe.h"

namespace vmaf::tool {
namespace {

nlohmann::ordered_json row(const char *name, bool usable, const char *reason)
{
    return {{"name", name}, {"usable", usable}, {"reason", reason}};
}

const char *reason_for(int error)
{
    return error == 0 ? "the first GPU can be used" : error == -ENODEV ? "there is no GPU" : gpu_reason(error);
}

} // namespace

std::string list_of_backends()
{
    Gpu gpu;
    const int error = find_gpu(GpuUse::if_possible, gpu);
    nlohmann::ordered_json document;
    document["backends"] = {row("cpu", true, "it always can"), row("cuda", error == 0, reason_for(error))};
    return document.dump(2) + '\n';
}

} // namespace vmaf::tool
