#include "base/log.h"

#include <mutex>

#include "capi/c_boundary.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

/// The client's callback; the sink gets its address. Changed while no sink is set.
struct Callback {
    void (*write)(void *opaque, VmafLogLevel level, const char *message) = nullptr;
    void *opaque = nullptr;
};
std::mutex g_change;
Callback g_callback;

void pass_on(void *callback, LogLevel level, const char *message)
{
    const auto &[write, opaque] = *static_cast<const Callback *>(callback);
    write(opaque, static_cast<VmafLogLevel>(level), message);
}

} // namespace

VMAF_PUBLIC int vmaf_set_log_callback(void (*write)(void *opaque, VmafLogLevel level, const char *message),
                                      void *opaque)
{
    return c_boundary("vmaf_set_log_callback", [&]() -> Status {
        const std::scoped_lock lock(g_change);
        set_log_sink({});
        g_callback = {write, opaque};
        if (write != nullptr)
            set_log_sink({pass_on, &g_callback});
        return {};
    });
}
