#pragma once

#include <exception>
#include <new>
#include <utility>

#include "base/log.h"
#include "base/result.h"

namespace vmaf {

/// The body of every extern "C" function that can fail: runs `body` (which returns a Status) and
/// turns it, or any exception, into 0 or a negative errno.
template <class Body> int c_boundary(const char *entry, Body &&body) noexcept
{
    begin_public_call();
    try {
        const Status status = std::forward<Body>(body)();
        return status.code();
    } catch (const std::bad_alloc &) {
        log(LogLevel::error, "%s: out of memory", entry);
        return -ENOMEM;
    } catch (const std::exception &e) {
        log(LogLevel::error, "%s: %s", entry, e.what());
        return -EIO;
    } catch (...) {
        log(LogLevel::error, "%s: unknown exception", entry);
        return -EIO;
    }
}

} // namespace vmaf
