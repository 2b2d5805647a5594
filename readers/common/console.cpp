#include "common/console.h"

namespace vmaf::tool {
namespace {

void put_on_stderr(std::string_view text)
{
    [[maybe_unused]] const bool written = write_all(STDERR_FILENO, text);
}

void (*g_sink)(std::string_view text) = put_on_stderr;

} // namespace

void put(std::string_view text)
{
    g_sink(text);
}

void redirect_console(void (*sink)(std::string_view text))
{
    g_sink = sink ? sink : put_on_stderr;
}

} // namespace vmaf::tool
