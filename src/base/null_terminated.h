#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

/// Lists of pointers that end with a null pointer: how the C API shows what the library has.
namespace vmaf {

template <class T> std::span<const T *const> listed(const T *const *list)
{
    std::size_t count = 0;
    while (list[count] != nullptr)
        ++count;
    return {list, count};
}

/// Pointers to the rows of a table in static memory, as its rows' Info.
template <const auto &kTable>
constexpr auto kPointers = [] {
    using Info = typename std::remove_cvref_t<decltype(kTable)>::value_type::Info;
    std::array<const Info *, kTable.size() + 1> pointers{};
    for (std::size_t i = 0; i < kTable.size(); ++i)
        pointers[i] = &kTable[i];
    return pointers;
}();

template <const auto &kTable> constexpr auto list_of()
{
    return kPointers<kTable>.data();
}

} // namespace vmaf
