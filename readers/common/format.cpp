// Inside the header: the tool then needs no shared library of fmt.
#define FMT_HEADER_ONLY

#include "common/format.h"

#include <fmt/format.h>

namespace vmaf::tool {

std::string formatted_arguments(fmt::string_view format, fmt::format_args arguments)
{
    return fmt::vformat(format, arguments);
}

} // namespace vmaf::tool
