#pragma once

#include <string>
#include <string_view>

#include "libvmaf/libvmaf.h"

/// The library's messages, on their way to Python's logging.
namespace vmaf::python {

/// Receive the library's messages from now on.
void take_messages();

/// One more. From any thread.
void add_message(VmafLogLevel level, std::string_view text);

/// Hand on what has come. With the GIL.
void log_messages();

/// A text with Python's keywords in the place of the tool's options. With the GIL; throws
/// nanobind::python_error.
std::string in_keywords(const std::string &text);

/// A call begins on this thread, which is not to answer for what was told before.
void forget_errors();

/// The last error or warning that the library told in this thread's call, else the last error of
/// another thread that nobody was told of; empty: none.
std::string last_error();

/// The level that logging.getLogger("libvmaf") has, as the library counts; error at least. With the
/// GIL.
int library_log_level();

/// While it lives, messages of this thread are thrown away: what is tried there may fail.
class Silence {
  public:
    Silence();
    ~Silence();
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;
};

} // namespace vmaf::python
