#pragma once

#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "messages.h"
#include "released.h"

namespace vmaf::python {

/// An OSError for -ENODEV and -ENOSYS: made when the module is.
extern PyObject *device_error;

/// Work that every call of the library leaves to be done with the GIL.
inline void tidy_up()
{
    Released::drop_all();
    log_messages();
}

/// The answer of a call of the library, which may wait and may run workers that need the GIL later.
template <class Call> auto without_gil(Call &&call)
{
    forget_errors();
    const auto answer = [&] {
        const nanobind::gil_scoped_release released;
        return std::forward<Call>(call)();
    }();
    tidy_up();
    return answer;
}

/// Raises the Python exception of a negative errno of the library, with the last error that it
/// told.
void check(int error, const char *what);

/// Raises the Python exception of a negative errno, with a text that is known here.
[[noreturn]] void raise_error(int error, const std::string &text);

} // namespace vmaf::python
