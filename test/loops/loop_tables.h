#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/cpu.h"
#include "run.h"

/// One harness for all tables of loops. A file a table declares its members: for each a name, and a
/// function that asks a Run for rows, calls the member and says what must come out. From that the
/// harness makes a test, every target against the baseline and against what was said, and a
/// benchmark.
namespace vmaf::test {

/// The lengths that a member takes. The same one twice: the member works on structures of a fixed
/// size.
struct Lengths {
    unsigned least = 0;
    unsigned most = 1U << 14;
};

/// A member of a table, whatever its type.
struct LoopMember {
    std::string name;
    std::size_t offset; ///< in the table
    Lengths lengths;
    std::function<bool(CpuTarget)> differs_from_lower; ///< the function is not that of the next lower target
    std::function<void(CpuTarget, Run &)> run;
};

struct LoopTable {
    std::string name;
    std::size_t bytes;
    std::vector<LoopMember> members;
};

/// All that are declared.
std::vector<LoopTable> &loop_tables();

/// Declares the members of a table, one after the other.
template <class Table> class LoopsOf {
  public:
    using Select = const Table &(CpuTarget target);

    LoopsOf(const char *name, Select *select) : select_(select), index_(loop_tables().size())
    {
        loop_tables().push_back({name, sizeof(Table), {}});
    }

    /// `body` gets the function, then if it wants the table that this is a member of, and a Run.
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

/// The targets that this processor runs and that have a function of their own.
std::vector<CpuTarget> targets_of(const LoopMember &member);

/// Runs the cases of a member on all targets; one failure for each at most.
void test_member(const LoopTable &table, const LoopMember &member);
/// Names the call under way, for whoever ends the process in it.
void print_current_call();
/// What the seeds of all cases are made of: VMAF_TEST_SEED, or another one at every run.
std::uint64_t run_seed();

/// Prints what a call costs on each target, of the members whose "TABLE.MEMBER" contains `filter`.
void print_times(const std::string &filter);

} // namespace vmaf::test
