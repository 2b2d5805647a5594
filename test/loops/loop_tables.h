#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/cpu.h"
#include "run.h"

/// One harness for all tables of loops. A file for each table declares its members. A member has a
/// name and a function, which asks a Run for rows, calls the member and says what must come out.
/// From that the harness makes a test and a benchmark. The test compares every target with the
/// baseline and with the expected values.
namespace vmaf::test {

/// Lengths that a member accepts. If both are equal, the member works on structures of a fixed
/// size.
struct Lengths {
    unsigned least = 0;
    unsigned most = 1U << 14;
};

/// A member of a table, independent of its type.
struct LoopMember {
    std::string name;
    std::size_t offset; ///< place in the table
    Lengths lengths;
    std::function<bool(CpuTarget)> differs_from_lower; ///< not the function of the next lower target
    std::function<void(CpuTarget, Run &)> run;
};

struct LoopTable {
    std::string name;
    std::size_t bytes;
    std::vector<LoopMember> members;
};

/// All declared members.
std::vector<LoopTable> &loop_tables();

/// Declares the members of a table, one after another.
template <class Table> class LoopsOf {
  public:
    using Select = const Table &(CpuTarget target);

    LoopsOf(const char *name, Select *select) : select_(select), index_(loop_tables().size())
    {
        loop_tables().push_back({name, sizeof(Table), {}});
    }

    /// `body` gets the function, a Run, and between them the table of this member if it asks for
    /// it.
    template <class Function, class Body>
    LoopsOf &member(const char *name, Function Table::*function, Body body, Lengths lengths = {})
    {
        return add(
            name, lengths, [function](const Table &table) -> const Function & { return table.*function; }, body);
    }
    /// Declares a member that is one element of an array of functions.
    template <class Function, std::size_t Count, class Body>
    LoopsOf &member(const char *name, Function (Table::*functions)[Count], std::size_t element, Body body,
                    Lengths lengths = {})
    {
        return add(
            name, lengths,
            [functions, element](const Table &table) -> const Function & { return (table.*functions)[element]; }, body);
    }

  private:
    template <class Get, class Body> LoopsOf &add(const char *name, Lengths lengths, Get get, Body body)
    {
        const Table &table = select_(CpuTarget::baseline);
        const auto offset = reinterpret_cast<const char *>(&get(table)) - reinterpret_cast<const char *>(&table);
        const auto function = [select = select_, get](CpuTarget target) { return get(select(target)); };
        loop_tables()[index_].members.push_back(
            {name, static_cast<std::size_t>(offset), lengths,
             [function](CpuTarget target) {
                 return target == CpuTarget::baseline ||
                        function(target) != function(static_cast<CpuTarget>(static_cast<int>(target) - 1));
             },
             [select = select_, get, body](CpuTarget target, Run &run) {
                 const Table &chosen = select(target);
                 if constexpr (std::is_invocable_v<Body, decltype(get(chosen)), const Table &, Run &>)
                     body(get(chosen), chosen, run);
                 else
                     body(get(chosen), run);
             }});
        return *this;
    }

    Select *select_;
    std::size_t index_;
};

/// Targets that this processor runs and that have a function of their own.
std::vector<CpuTarget> targets_of(const LoopMember &member);

/// Runs the cases of a member on all targets. Reports at most one failure for each.
void test_member(const LoopTable &table, const LoopMember &member);
/// Names the call under way, for a handler that ends the process in it.
void print_current_call();
/// The number from which all seeds are made: VMAF_TEST_SEED, or a new one for every run.
std::uint64_t run_seed();

/// Prints the cost of a call on each target for members whose "TABLE.MEMBER" contains `filter`.
void print_times(const std::string &filter);

} // namespace vmaf::test
