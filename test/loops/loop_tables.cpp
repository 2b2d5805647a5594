#include "loop_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

// The largest step: twice the widest vector of the smallest elements, and one more.
constexpr unsigned kEveryLength = 2 * 64 + 2;
constexpr unsigned kLongLengths[] = {191, 240, 255, 257, 513, 1021, 1920, 3847};
constexpr unsigned kCasesOfFixedSize = 16;

constexpr Content kContents[] = {Content::random, Content::random, Content::random, Content::small,
                                 Content::ends,   Content::rows,   Content::rows};

std::uint64_t number_from_environment(const char *name, std::uint64_t otherwise)
{
    const char *text = std::getenv(name);
    return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 0) : otherwise;
}

/// How often each length is run at each place.
unsigned rounds()
{
    static const auto count = static_cast<unsigned>(number_from_environment("VMAF_LOOP_ROUNDS", 4));
    return count;
}

std::vector<unsigned> lengths_of(const Lengths &lengths)
{
    if (lengths.least == lengths.most)
        return std::vector<unsigned>(kCasesOfFixedSize, lengths.least);
    std::vector<unsigned> list;
    for (unsigned length = lengths.least; length <= std::min(lengths.most, kEveryLength); ++length)
        list.push_back(length);
    for (const unsigned length : kLongLengths)
        if (length < lengths.most)
            list.push_back(length);
    list.push_back(std::min(lengths.most, 4099U));
    if (lengths.most > Lengths().most)
        list.push_back(lengths.most);
    return list;
}

Content content_of(RandomStream &random)
{
    const std::uint64_t choice = random.below(std::size(kContents) + 1);
    if (choice < std::size(kContents))
        return kContents[choice];
    return random.one_in(2) ? Content::low : Content::high;
}

const char *content_name(Content content)
{
    constexpr const char *kNames[] = {"random", "small", "at the ends", "rows at the ends", "lowest", "highest"};
    return kNames[static_cast<std::size_t>(content)];
}

/// The call under way, for a handler that ends the process in it.
struct Current {
    const LoopTable *table;
    const LoopMember *member;
    CpuTarget target;
    Case given;
};
Current g_current;

std::string text_of(const Current &current)
{
    const auto &[table, member, target, given] = current;
    return table->name + "." + member->name + " on " + name_of(target) + ", length " + std::to_string(given.length) +
           ", rows " + name_of(given.placement) + ", values " + content_name(given.content) +
           " (VMAF_TEST_SEED=" + std::to_string(run_seed()) + ")";
}

/// Runs the case on every target that has not failed yet, and drops those that fail.
void run_case(const Case &given, std::vector<CpuTarget> &targets, Run::Workspace &workspace)
{
    g_current.given = given;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        g_current.target = targets[i];
        Run run(given, static_cast<unsigned>(i), workspace);
        g_current.member->run(targets[i], run);
        run.finish();
        if (run.failure().empty())
            continue;
        ADD_FAILURE() << text_of(g_current) << ": " << run.failure();
        if (targets[i] == CpuTarget::baseline)
            return targets.clear(); // there is nothing left to compare with
        targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
    }
}

} // namespace

std::vector<LoopTable> &loop_tables()
{
    static std::vector<LoopTable> tables;
    return tables;
}

std::vector<CpuTarget> targets_of(const LoopMember &member)
{
    std::vector<CpuTarget> list = targets();
    std::erase_if(list, [&](CpuTarget target) { return !member.differs_from_lower(target); });
    return list;
}

std::uint64_t run_seed()
{
    static const std::uint64_t seed = number_from_environment("VMAF_TEST_SEED", std::random_device{}());
    return seed;
}

void print_current_call()
{
    if (g_current.member != nullptr)
        std::fprintf(stderr, "In %s\n", text_of(g_current).c_str());
}

void test_member(const LoopTable &table, const LoopMember &member)
{
    RandomStream seeds(run_seed() ^ std::hash<std::string>{}(table.name + "." + member.name));
    Run::Workspace workspace;
    std::vector<CpuTarget> targets = targets_of(member);
    g_current = {&table, &member, CpuTarget::baseline, {}};
    for (unsigned round = 0; round < rounds(); ++round)
        for (const unsigned length : lengths_of(member.lengths))
            for (const Placement placement : kPlacements)
                if (!targets.empty())
                    run_case({length, placement, content_of(seeds), seeds.bits()}, targets, workspace);
    g_current.member = nullptr;
}

} // namespace vmaf::test
