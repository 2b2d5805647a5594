#include "machine/machine.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace vmaf::tool {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::infinity();
constexpr const char *kCgroupRoot = "/sys/fs/cgroup";

/// A version 2 group's "cpu.max": quota and period in microseconds, or "max".
double quota_of_group(const std::filesystem::path &group)
{
    std::ifstream file(group / "cpu.max");
    double quota_us = 0;
    double period_us = 0;
    return file >> quota_us >> period_us && period_us > 0 ? quota_us / period_us : kNoQuota;
}

/// The smallest quota of this process's version 2 group and those around it.
double quota_v2()
{
    std::ifstream groups("/proc/self/cgroup");
    std::string line;
    while (std::getline(groups, line) && !line.starts_with("0::/")) {
    }
    double quota = quota_of_group(kCgroupRoot);
    if (!line.starts_with("0::/"))
        return quota;
    std::filesystem::path group;
    for (const auto &part : std::filesystem::path(line.substr(4))) {
        group /= part;
        quota = std::min(quota, quota_of_group(kCgroupRoot / group));
    }
    return quota;
}

/// The quota of cgroup version 1. A container sees its own group at the root.
double quota_v1()
{
    const std::filesystem::path group = std::filesystem::path(kCgroupRoot) / "cpu";
    std::ifstream quota_file(group / "cpu.cfs_quota_us");
    std::ifstream period_file(group / "cpu.cfs_period_us");
    double quota_us = 0;
    double period_us = 0;
    const bool limited = quota_file >> quota_us && period_file >> period_us && quota_us > 0 && period_us > 0;
    return limited ? quota_us / period_us : kNoQuota;
}

unsigned cores_in_affinity_mask()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return static_cast<unsigned>(CPU_COUNT(&set));
    return std::thread::hardware_concurrency();
}

} // namespace

unsigned available_cores()
{
    const double cores = std::min({static_cast<double>(cores_in_affinity_mask()), quota_v1(), quota_v2()});
    return static_cast<unsigned>(std::max(std::ceil(cores), 1.0));
}

} // namespace vmaf::tool
