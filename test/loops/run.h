#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "guarded_memory.h"
#include "random_stream.h"

namespace vmaf::test {

/// Elements begin to end - 1 of a row, counted from its pointer. The `run_on` elements behind them
/// may be read, and in a written row also written. They mean nothing and differ for every target.
struct Extent {
    std::ptrdiff_t begin, end;
    std::ptrdiff_t run_on = 0;
};

/// The range of values that fill a row: from low to high, both included.
template <class T> struct Range {
    T low, high;
};

/// How values in the rows of a case are distributed.
enum class Content {
    random,
    small, ///< most values near 0
    ends,  ///< every value is the lowest or the highest
    rows,  ///< every row is the lowest or the highest, and the first two rows differ
    low,
    high
};

/// Arguments of one call of a member. They are the same for every target.
struct Case {
    unsigned length;
    Placement placement;
    Content content;
    std::uint64_t seed;
};

namespace detail {

template <class T> bool same(const T &a, const T &b)
{
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) && std::isnan(b))
            return true; // which of two NaNs comes out is the compiler's choice
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

std::string text_of(double value);
std::string text_of(std::uint64_t value, bool negative);

template <class T> std::string text(const T &value)
{
    if constexpr (std::is_floating_point_v<T>)
        return text_of(static_cast<double>(value));
    else if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::is_integral_v<T>)
        return text_of(static_cast<std::uint64_t>(value), value < 0);
    else
        return "a structure";
}

/// Elements that must be the same for every target.
struct Result {
    const char *name;
    const std::byte *elements;
    std::ptrdiff_t first; ///< index of the first one
    std::size_t count, element_bytes;
    bool (*same)(const std::byte *a, const std::byte *b);
    std::string (*text)(const std::byte *element);
};

template <class T> T loaded(const std::byte *element)
{
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
}

} // namespace detail

/// Rows for one call of a member, the call, and the checks after it. A declaration gets one Run for
/// each case and target, and does the same with each: it asks for rows, calls the member, and says
/// what must come out where that is short.
class Run {
  public:
    /// Memory and results that are used again for each case.
    struct Workspace {
        std::vector<GuardedMemory> rows;
        std::vector<std::byte> first_results; ///< results of the first target
    };

    Run(const Case &given, unsigned target, Workspace &workspace);

    unsigned length() const { return case_.length; }
    Extent all() const { return {0, static_cast<std::ptrdiff_t>(case_.length)}; }
    Content content() const { return case_.content; }
    RandomStream &random() { return random_; }
    template <class T> T pick(std::initializer_list<T> list) { return list.begin()[random_.below(list.size())]; }
    unsigned between(unsigned low, unsigned high) { return static_cast<unsigned>(random_.between(low, high)); }

    // ---- rows ----

    template <class T> const T *input(const Extent &extent, const Range<T> &range)
    {
        return filled_row(extent, range, kInput);
    }
    /// Fills a row with value(x) for each element x.
    template <class T, std::invocable<std::ptrdiff_t> Value> const T *input(const Extent &extent, Value value)
    {
        return valued_row<T>(extent, value, kInput);
    }
    // If a row that changes has no name, the declaration compares those elements that mean
    // something.
    template <class T> T *output(const char *name, const Extent &extent)
    {
        T *row = place<T>(extent, name);
        scramble(row + extent.begin, row + extent.end + extent.run_on);
        compare(name, row, extent);
        return row;
    }
    template <class T> T *in_out(const char *name, const Extent &extent, const Range<T> &range)
    {
        return changing(name, filled_row(extent, range, name), extent);
    }
    template <class T, std::invocable<std::ptrdiff_t> Value>
    T *in_out(const char *name, const Extent &extent, Value value)
    {
        return changing(name, valued_row<T>(extent, value, name), extent);
    }
    /// A row that is written but means nothing.
    template <class T> T *scratch(const Extent &extent)
    {
        T *row = place<T>(extent, "a scratch row");
        scramble(row + extent.begin, row + extent.end + extent.run_on);
        return row;
    }
    /// A structure. Its members are filled, scrambled and compared one by one. Its bytes keep what
    /// was in memory before.
    template <class T> T &object() { return *place<T>({0, 1}, "a structure"); }

    template <class T> void fill(T *begin, const T *end, const Range<T> &range)
    {
        const Content content = row_content();
        const T constant = content == Content::high ? range.high : range.low;
        for (T *element = begin; element != end; ++element)
            *element = content == Content::low || content == Content::high ? constant : value_of(range, content);
    }
    /// Contents of an output before it is written: different bytes for every target.
    template <class T> void scramble(T *begin, T *end)
    {
        scramble_bytes(reinterpret_cast<std::byte *>(begin), reinterpret_cast<std::byte *>(end));
    }
    /// Says that these elements must be the same for every target when the declaration has run.
    template <class T> void compare(const char *name, const T *row, const Extent &extent)
    {
        results_.push_back({name, reinterpret_cast<const std::byte *>(row + extent.begin), extent.begin,
                            static_cast<std::size_t>(extent.end - extent.begin), sizeof(T),
                            [](const std::byte *a, const std::byte *b) {
                                return detail::same(detail::loaded<T>(a), detail::loaded<T>(b));
                            },
                            [](const std::byte *element) { return detail::text(detail::loaded<T>(element)); }});
    }

    // ---- the call ----

    /// The return value must be the same for every target, too.
    template <class R, class... Parameters, class... Arguments>
    R call(R (*function)(Parameters...), Arguments &&...arguments)
    {
        if (timer_)
            timer_([&] { static_cast<void>(function(arguments...)); });
        if constexpr (std::is_void_v<R>) {
            function(arguments...);
        } else {
            const R result = function(arguments...);
            static_assert(sizeof(R) <= sizeof(returned_));
            std::memcpy(returned_.data(), &result, sizeof(R));
            compare("the result", reinterpret_cast<const R *>(returned_.data()), {0, 1});
            return result;
        }
    }

    // ---- what must come out ----

    /// Expects plain(x) for every element x.
    template <class T, class Plain> void expect(const char *name, const T *row, const Extent &extent, Plain plain)
    {
        for (std::ptrdiff_t x = extent.begin; x < extent.end && !timer_; ++x)
            if (const T wanted = static_cast<T>(plain(x)); !detail::same(row[x], wanted))
                return fail(std::string(name) + "[" + std::to_string(x) + "] is " + detail::text(row[x]) +
                            ", by the plain version " + detail::text(wanted));
    }
    /// Expects every element within tolerance(x) of plain(x), because the member may add in another
    /// order.
    template <class T, class Plain, class Tolerance>
    void expect_near(const char *name, const T *row, const Extent &extent, Plain plain, Tolerance tolerance)
    {
        for (std::ptrdiff_t x = extent.begin; x < extent.end && !timer_; ++x)
            if (const double wanted = plain(x), value = static_cast<double>(row[x]);
                !(std::fabs(value - wanted) <= tolerance(x)))
                return fail(std::string(name) + "[" + std::to_string(x) + "] is " + detail::text(value) +
                            ", by the plain version nearly " + detail::text(wanted));
    }
    template <class T> void expect_result(const T &result, const std::type_identity_t<T> &wanted)
    {
        if (!timer_ && !detail::same(result, wanted))
            fail("the result is " + detail::text(result) + ", by the plain version " + detail::text(wanted));
    }
    void fail(const std::string &what);

    // ---- for callers of declarations ----

    /// Measures the given function instead of calling it once.
    using Timer = std::function<void(const std::function<void()> &)>;
    void set_timer(const Timer &timer);
    /// Restores the contents of rows that the member changes.
    void restore();
    bool changes_rows() const { return !changing_.empty(); }

    /// Compares the results with the first target's, which is the baseline, or keeps them if this
    /// is the first target. Checks the bytes around all rows.
    void finish();
    /// The first error; empty if there was none.
    const std::string &failure() const { return failure_; }

  private:
    static constexpr const char *kInput = "an input";

    struct Changing {
        std::byte *row;
        std::vector<std::byte> original;
    };

    template <class T> T *place(const Extent &extent, const char *name)
    {
        const auto elements = static_cast<std::size_t>(extent.end - extent.begin + extent.run_on);
        std::byte *first =
            place_bytes(elements * sizeof(T), alignof(T), -extent.begin * static_cast<std::ptrdiff_t>(sizeof(T)), name);
        return reinterpret_cast<T *>(first) - extent.begin;
    }
    template <class T> T *filled_row(const Extent &extent, const Range<T> &range, const char *name)
    {
        T *row = place<T>(extent, name);
        fill(row + extent.begin, row + extent.end, range);
        scramble(row + extent.end, row + extent.end + extent.run_on);
        return row;
    }
    template <class T, class Value> T *valued_row(const Extent &extent, Value value, const char *name)
    {
        T *row = place<T>(extent, name);
        for (std::ptrdiff_t x = extent.begin; x < extent.end; ++x)
            row[x] = static_cast<T>(value(x));
        scramble(row + extent.end, row + extent.end + extent.run_on);
        return row;
    }
    template <class T> T *changing(const char *name, T *row, const Extent &extent)
    {
        if (name != nullptr)
            compare(name, row, extent);
        const auto *begin = reinterpret_cast<std::byte *>(row + extent.begin);
        const auto *end = reinterpret_cast<std::byte *>(row + extent.end);
        if (keeps_originals_)
            changing_.push_back({reinterpret_cast<std::byte *>(row + extent.begin), {begin, end}});
        return row;
    }
    template <class T> T value_of(const Range<T> &range, Content content)
    {
        if (content == Content::ends)
            return random_.one_in(2) ? range.low : range.high;
        const T value = any(range);
        if (content != Content::small || range.low > 0 || range.high < 0)
            return value;
        if constexpr (std::is_floating_point_v<T>)
            return std::ldexp(value, -static_cast<int>(random_.below(20)));
        else
            return static_cast<T>(value / (std::int64_t{1} << random_.below(8 * sizeof(T))));
    }
    template <class T> T any(const Range<T> &range)
    {
        if constexpr (std::is_floating_point_v<T>)
            return static_cast<T>(random_.real(static_cast<double>(range.low), static_cast<double>(range.high)));
        else
            return static_cast<T>(random_.between(range.low, range.high));
    }

    Content row_content();
    std::byte *place_bytes(std::size_t bytes, std::size_t alignment, std::ptrdiff_t zero, const char *name);
    void scramble_bytes(std::byte *begin, std::byte *end);
    void compare_with_first();
    void look_around_rows();

    Case case_;
    bool is_first_;
    Workspace &workspace_;
    RandomStream random_;            ///< the same for every target
    RandomStream garbage_;           ///< different for every target
    std::vector<const char *> rows_; ///< names of the rows that were placed so far
    Content first_row_{};            ///< choice for the first filled row, with Content::rows
    unsigned filled_rows_ = 0;
    std::vector<detail::Result> results_;
    alignas(16) std::array<std::byte, 64> returned_{};
    Timer timer_;
    bool keeps_originals_ = false;
    std::vector<Changing> changing_;
    std::string failure_;
};

} // namespace vmaf::test
