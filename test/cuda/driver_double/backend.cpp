#include <cstdio>
#include <cstdlib>

#include "base/native.h"
#include "cuda/driver_double/plain.h"

namespace driver_double {
namespace {

// A wrong path, or a driver without an entry point, is a mistake in the test's set-up: nothing
// sensible can follow.
[[noreturn]] void give_up(const char *what)
{
    std::fprintf(stderr, "driver double: VMAF_DOUBLE_FORWARD: %s\n", what);
    std::exit(2);
}

// Null: none. A copy of the double that another one forwards to, for tests without a GPU, is the
// end of the way: it finds itself.
void *real_driver()
{
    static void *const library = [] {
        const char *wanted = std::getenv("VMAF_DOUBLE_FORWARD");
        if (wanted == nullptr || *wanted == '\0')
            return static_cast<void *>(nullptr);
        void *found = vmaf::open_library(wanted);
        if (found == nullptr)
            give_up(vmaf::library_error());
        const bool is_self =
            vmaf::library_symbol(found, "vmaf_driver_double") == reinterpret_cast<void *>(vmaf_driver_double);
        return is_self ? nullptr : found;
    }();
    return library;
}

Backend resolve(void *library)
{
    Backend driver{};
#define RESOLVE(symbol, Type)                                                                                          \
    if (driver.symbol = reinterpret_cast<Type *>(vmaf::library_symbol(library, #symbol)); driver.symbol == nullptr)    \
        give_up("no " #symbol);
    DRIVER_DOUBLE_ENTRY_POINTS(RESOLVE)
#undef RESOLVE
    return driver;
}

Backend plain_backend()
{
    Backend table{};
    add_plain_device(table);
    add_plain_memory(table);
    add_plain_copies(table);
    add_plain_work(table);
    return table;
}

} // namespace

const Backend &backend()
{
    static const Backend chosen = forwarding() ? resolve(real_driver()) : plain_backend();
    return chosen;
}

bool forwarding()
{
    return real_driver() != nullptr;
}

} // namespace driver_double
