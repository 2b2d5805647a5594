#pragma once

/// Types of an InputFile, by operating system.
#ifdef _WIN32
#include <atomic>
#include <cstddef>
#include <memory>

/// One of the places that a read fills, as POSIX has it.
struct iovec {
    void *iov_base;
    std::size_t iov_len;
};

namespace vmaf::tool {
using CancelEvent = std::unique_ptr<std::atomic<bool>>;
}
#else
#include <sys/uio.h>

#include "common/checked_io.h"

namespace vmaf::tool {
using CancelEvent = UniqueFd;
}
#endif
