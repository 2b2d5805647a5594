#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <set>

#include "loop_tables.h"
#include "sanitizers.h"
#include "support/cpu_targets.h"

#if defined(VMAF_ADDRESS_SANITIZER) || defined(VMAF_THREAD_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

// loops_test [GoogleTest's options]: tests every member of every table. VMAF_TEST_SEED repeats a
// run, VMAF_LOOP_ROUNDS sets how often each length is run. loops_test --bench [FILTER]: prints the
// cost of the members.

namespace vmaf::test {
namespace {

class MemberTest : public testing::Test {
  public:
    MemberTest(const LoopTable &table, const LoopMember &member) : table_(table), member_(member) {}
    void TestBody() override { test_member(table_, member_); }

  private:
    const LoopTable &table_;
    const LoopMember &member_;
};

/// A table is as large as its declared functions, and each of these has a place of its own.
class CompletenessTest : public testing::Test {
  public:
    explicit CompletenessTest(const LoopTable &table) : table_(table) {}
    void TestBody() override
    {
        std::set<std::size_t> declared;
        for (const LoopMember &member : table_.members)
            EXPECT_TRUE(declared.insert(member.offset).second) << member.name << " is declared twice";
        for (std::size_t offset = 0; offset < table_.bytes; offset += sizeof(void (*)()))
            EXPECT_EQ(declared.count(offset), 1U)
                << "no file in test/loops declares the member at byte " << offset << " of " << table_.name;
    }

  private:
    const LoopTable &table_;
};

void register_tests()
{
    for (const LoopTable &table : loop_tables()) {
        testing::RegisterTest(table.name.c_str(), "EveryMemberIsDeclared", nullptr, nullptr, __FILE__, __LINE__,
                              [&]() -> testing::Test * { return new CompletenessTest(table); });
        for (const LoopMember &member : table.members)
            testing::RegisterTest(table.name.c_str(), member.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                  [&]() -> testing::Test * { return new MemberTest(table, member); });
    }
}

/// Functions for other processors are not tested here.
void name_targets_left_out()
{
#if defined(__x86_64__)
    for (std::size_t target = 0; target < kCpuTargets; ++target)
        if (!cpu_runs(static_cast<CpuTarget>(target)))
            std::printf("Not run: %s, which this processor does not have\n", name_of(static_cast<CpuTarget>(target)));
#endif
}

extern "C" void on_signal(int signal)
{
    print_current_call();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// A loop that reads or writes too far ends the process. Prints which loop it was.
void name_calls_that_end_the_process()
{
#if defined(VMAF_ADDRESS_SANITIZER) || defined(VMAF_THREAD_SANITIZER)
    __sanitizer_set_death_callback(print_current_call);
#else
    for (const int signal : {SIGSEGV, SIGILL, SIGFPE})
        std::signal(signal, on_signal);
#ifdef SIGBUS // Windows has no such signal
    std::signal(SIGBUS, on_signal);
#endif
#endif
}

} // namespace
} // namespace vmaf::test

int main(int argc, char **argv)
{
    using namespace vmaf::test;
    if (argc > 1 && std::string(argv[1]) == "--bench") {
        print_times(argc > 2 ? argv[2] : "");
        return 0;
    }
    testing::InitGoogleTest(&argc, argv);
    register_tests();
    name_calls_that_end_the_process();
    name_targets_left_out();
    std::printf("VMAF_TEST_SEED=%llu\n", static_cast<unsigned long long>(run_seed()));
    return RUN_ALL_TESTS();
}
