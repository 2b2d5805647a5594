#include <algorithm>
#include <chrono>
#include <cstdio>

#include "loop_tables.h"
#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kLengths[] = {1920, 3840};
constexpr double kBlockNs = 1e5;
constexpr unsigned kBlocks = 40;

double ns_of(const std::function<void()> &work, unsigned times)
{
    const Clock::time_point start = Clock::now();
    for (unsigned i = 0; i < times; ++i)
        work();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Nanoseconds of one call: the fastest of many blocks, which nothing interrupted.
double least_ns(const std::function<void()> &work)
{
    unsigned times = 1;
    while (std::min(ns_of(work, times), ns_of(work, times)) < kBlockNs)
        times *= 2;
    double least = ns_of(work, times);
    for (unsigned block = 1; block < kBlocks; ++block)
        least = std::min(least, ns_of(work, times));
    return least / times;
}

/// Rows that the member changes are restored before every call, and the time for that is
/// subtracted. Otherwise sums would grow beyond those of pictures.
double ns_per_call(const LoopMember &member, CpuTarget target, unsigned length)
{
    Run::Workspace workspace;
    Run run({length, Placement::aligned, Content::random, 1}, 0, workspace);
    double ns = 0;
    run.set_timer([&](const std::function<void()> &call) {
        if (!run.changes_rows()) {
            ns = least_ns(call);
            return;
        }
        const double restoring = least_ns([&] { run.restore(); });
        ns = least_ns([&] {
                 run.restore();
                 call();
             }) -
             restoring;
    });
    member.run(target, run);
    return ns;
}

/// Lengths of rows in pictures of common widths, as far as the member accepts them.
std::vector<unsigned> timed_lengths(const Lengths &lengths)
{
    std::vector<unsigned> list;
    for (const unsigned length : kLengths)
        list.push_back(std::min(length, lengths.most));
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

void print_times(const std::string &name, const LoopMember &member)
{
    for (const unsigned length : timed_lengths(member.lengths)) {
        double baseline = 0;
        for (const CpuTarget target : targets_of(member)) {
            const double ns = ns_per_call(member, target, length);
            baseline = target == CpuTarget::baseline ? ns : baseline;
            std::printf("%-44s %-11s %6u %12.1f %10.4f %8.2f\n", name.c_str(), name_of(target), length, ns, ns / length,
                        baseline / ns);
        }
    }
}

} // namespace

void print_times(const std::string &filter)
{
    std::printf("%-44s %-8s %6s %12s %10s %8s\n", "member", "target", "length", "ns/call", "ns/element", "speedup");
    for (const LoopTable &table : loop_tables())
        for (const LoopMember &member : table.members)
            if (const std::string name = table.name + "." + member.name; name.find(filter) != std::string::npos)
                print_times(name, member);
}

} // namespace vmaf::test
