#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "common/failure.h"

namespace vmaf::tool {

/// Advice for a system without free memory or threads.
constexpr const char *kCureOfLimits = "raise the limit (ulimit -v, ulimit -u, the container's) or use fewer --threads";

/// A thread that does `work`, which may take a stop token. Throws Failure if the system has no
/// thread or no memory for it.
/// @param purpose of the thread, for the message: "to read a video".
template <class Work> std::jthread start_thread(const char *purpose, Work &&work)
{
    try {
        return std::jthread(std::forward<Work>(work));
    } catch (const std::system_error &error) {
        throw Failure(exit_code_of(-ENOMEM), std::string("cannot start a thread ") + purpose + " (" + error.what() +
                                                 "): threads or memory are used up; " + kCureOfLimits);
    }
}

} // namespace vmaf::tool
