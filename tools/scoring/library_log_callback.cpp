#include <array>

#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"
#include "scoring/library_log.h"

namespace vmaf::tool {
namespace {

constexpr std::array<const char *, 5> kLevels{"", "ERROR", "WARNING", "INFO", "DEBUG"};

} // namespace

/// The C library's stderr cannot be another here.
LibraryLog::LibraryLog() : stderr_before_(stderr)
{
    const auto receive_message = [](void *log, VmafLogLevel level, const char *message) {
        const auto number = static_cast<std::size_t>(level);
        static_cast<LibraryLog *>(log)->receive(
            formatted("libvmaf {} {}\n", kLevels[number % kLevels.size()], message));
    };
    vmaf_set_log_callback(receive_message, this);
}

LibraryLog::~LibraryLog()
{
    vmaf_set_log_callback(nullptr, nullptr);
}

} // namespace vmaf::tool
