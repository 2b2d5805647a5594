#pragma once

#include <algorithm>

namespace vmaf {

/// The element of a list after the one that is shown as `previous`; null at the end. `info_of` says
/// how an element is shown.
template <class List, class Info, class InfoOf>
const Info *next_info(const List &list, const Info *previous, InfoOf info_of)
{
    auto next = list.begin();
    if (previous != nullptr) {
        next =
            std::find_if(list.begin(), list.end(), [&](const auto &element) { return info_of(element) == previous; });
        if (next != list.end())
            ++next;
    }
    return next != list.end() ? info_of(*next) : nullptr;
}

} // namespace vmaf
