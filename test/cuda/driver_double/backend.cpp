#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>

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
// end of the way.
const char *real_driver()
{
    static const char *const path = [] {
        const char *wanted = std::getenv("VMAF_DOUBLE_FORWARD");
        Dl_info self{};
        if (wanted == nullptr || *wanted == '\0' || dladdr(reinterpret_cast<void *>(real_driver), &self) == 0)
            return static_cast<const char *>(nullptr);
        std::error_code ignored;
        return std::filesystem::equivalent(wanted, self.dli_fname, ignored) ? nullptr : wanted;
    }();
    return path;
}

Backend load_driver(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        give_up(dlerror());
    Backend driver{};
#define RESOLVE(symbol, Type)                                                                                          \
    if (driver.symbol = reinterpret_cast<Type *>(dlsym(library, #symbol)); driver.symbol == nullptr)                   \
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
    static const Backend chosen = forwarding() ? load_driver(real_driver()) : plain_backend();
    return chosen;
}

bool forwarding()
{
    return real_driver() != nullptr;
}

} // namespace driver_double
