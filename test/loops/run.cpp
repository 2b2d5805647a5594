#include "run.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace vmaf::test {
namespace detail {

std::string text_of(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.9g (%a)", value, value);
    return text;
}

std::string text_of(std::uint64_t value, bool negative)
{
    return negative ? "-" + std::to_string(0 - value) : std::to_string(value);
}

} // namespace detail

Run::Run(const Case &given, unsigned target, Workspace &workspace)
    : case_(given), is_first_(target == 0), workspace_(workspace), random_(given.seed),
      garbage_(given.seed + 1 + target)
{
}

Content Run::row_content()
{
    if (case_.content != Content::rows)
        return case_.content;
    const Content any = random_.one_in(2) ? Content::low : Content::high;
    ++filled_rows_;
    if (filled_rows_ == 1)
        first_row_ = any;
    if (filled_rows_ == 2)
        return first_row_ == Content::low ? Content::high : Content::low;
    return any;
}

std::byte *Run::place_bytes(std::size_t bytes, std::size_t alignment, std::ptrdiff_t zero, const char *name)
{
    rows_.push_back(name != nullptr ? name : "a row that changes");
    if (rows_.size() > workspace_.rows.size())
        workspace_.rows.emplace_back();
    return workspace_.rows[rows_.size() - 1].place(bytes, alignment, zero, case_.placement, random_);
}

void Run::scramble_bytes(std::byte *begin, std::byte *end)
{
    for (; end - begin >= 8; begin += 8) {
        const std::uint64_t bits = garbage_.bits();
        std::memcpy(begin, &bits, 8);
    }
    for (; begin != end; ++begin)
        *begin = static_cast<std::byte>(garbage_.bits());
}

void Run::set_timer(const Timer &timer)
{
    timer_ = timer;
    keeps_originals_ = true;
}

void Run::restore()
{
    for (const Changing &changing : changing_)
        std::copy(changing.original.begin(), changing.original.end(), changing.row);
}

void Run::fail(const std::string &what)
{
    if (failure_.empty())
        failure_ = what;
}

void Run::finish()
{
    look_around_rows();
    if (!is_first_)
        return compare_with_first();
    workspace_.first_results.clear();
    for (const detail::Result &result : results_)
        workspace_.first_results.insert(workspace_.first_results.end(), result.elements,
                                        result.elements + result.count * result.element_bytes);
}

void Run::compare_with_first()
{
    const std::byte *first = workspace_.first_results.data();
    for (const detail::Result &result : results_) {
        const std::size_t bytes = result.count * result.element_bytes;
        const bool equal = bytes == 0 || std::memcmp(result.elements, first, bytes) == 0;
        for (std::size_t i = 0; i < result.count && !equal; ++i) {
            const std::byte *element = result.elements + i * result.element_bytes;
            const std::byte *wanted = first + i * result.element_bytes;
            if (!result.same(element, wanted))
                return fail(std::string(result.name) + "[" +
                            std::to_string(result.first + static_cast<std::ptrdiff_t>(i)) + "] is " +
                            result.text(element) + ", on baseline " + result.text(wanted));
        }
        first += bytes;
    }
}

void Run::look_around_rows()
{
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (const std::ptrdiff_t change = workspace_.rows[row].first_change(); change != 0)
            fail(std::string("wrote ") + (change < 0 ? "before " : "behind ") + rows_[row] + ", " +
                 std::to_string(change < 0 ? -change : change) + " bytes from it (row " + std::to_string(row) +
                 " of those asked for)");
}

} // namespace vmaf::test
