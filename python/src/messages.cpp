#include "messages.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "libvmaf/libvmaf_ext.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

struct Message {
    VmafLogLevel level;
    std::string text;
};

/// A process that never calls the package again must not gather them for ever.
constexpr std::size_t kMaxWaiting = 10000;

std::mutex g_mutex;
std::vector<Message> g_waiting;
std::string g_last_error; ///< last error of any thread: workers log it before a later call fails
std::atomic<bool> g_some{false};
thread_local std::string t_last_error; ///< or warning, which is all that some failures have
thread_local bool t_silent = false;

void receive(void *, VmafLogLevel level, const char *text)
{
    if (t_silent)
        return;
    try {
        if (level <= VMAF_LOG_LEVEL_WARNING)
            t_last_error = text;
        if (level == VMAF_LOG_LEVEL_ERROR) {
            const std::scoped_lock lock(g_mutex);
            g_last_error = text;
        }
        add_message(level, text);
    } catch (const std::bad_alloc &) {
        // Called from C: there is a message less, and memory will be missed elsewhere too.
    }
}

constexpr int kDebug = 10, kInfo = 20, kWarning = 30, kError = 40;

int python_level(VmafLogLevel level)
{
    switch (level) {
    case VMAF_LOG_LEVEL_DEBUG:
        return kDebug;
    case VMAF_LOG_LEVEL_INFO:
        return kInfo;
    case VMAF_LOG_LEVEL_WARNING:
        return kWarning;
    case VMAF_LOG_LEVEL_ERROR:
    case VMAF_LOG_LEVEL_NONE:
        break;
    }
    return kError;
}

nb::object logger()
{
    return nb::module_::import_("logging").attr("getLogger")("libvmaf");
}

} // namespace

void take_messages()
{
    vmaf_set_log_callback(receive, nullptr);
}

void log_messages()
{
    if (!g_some)
        return;
    std::vector<Message> messages;
    {
        const std::scoped_lock lock(g_mutex);
        messages = std::exchange(g_waiting, {});
        g_some = false;
    }
    try {
        const nb::object log = logger().attr("log");
        for (const auto &[level, text] : messages)
            log(python_level(level), "%s", in_keywords(text));
    } catch (nb::python_error &error) {
        error.discard_as_unraisable("a handler of the logger libvmaf");
    }
}

std::string in_keywords(const std::string &text)
{
    if (text.find('-') == text.npos)
        return text;
    return nb::cast<std::string>(nb::module_::import_("libvmaf._words").attr("in_keywords")(text));
}

void add_message(VmafLogLevel level, std::string_view text)
{
    const std::scoped_lock lock(g_mutex);
    if (g_waiting.size() < kMaxWaiting)
        g_waiting.push_back({level, std::string(text)});
    g_some = true;
}

void forget_errors()
{
    t_last_error.clear();
}

std::string last_error()
{
    const std::scoped_lock lock(g_mutex);
    std::string anywhere = std::exchange(g_last_error, {});
    std::string here = std::exchange(t_last_error, {});
    return here.empty() ? anywhere : here;
}

int library_log_level()
{
    const int level = nb::cast<int>(logger().attr("getEffectiveLevel")());
    if (level <= kDebug)
        return VMAF_LOG_LEVEL_DEBUG;
    if (level <= kInfo)
        return VMAF_LOG_LEVEL_INFO;
    return level <= kWarning ? VMAF_LOG_LEVEL_WARNING : VMAF_LOG_LEVEL_ERROR;
}

Silence::Silence()
{
    t_silent = true;
}

Silence::~Silence()
{
    t_silent = false;
}

} // namespace vmaf::python
