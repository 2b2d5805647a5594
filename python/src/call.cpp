#include "call.h"

#include <cerrno>
#include <cstring>

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace vmaf::python {

PyObject *device_error = nullptr;

void raise_error(int error, const std::string &text)
{
    const int number = -error;
    if (number == EINVAL)
        PyErr_SetString(PyExc_ValueError, text.c_str());
    else if (number == ENOMEM)
        PyErr_SetString(PyExc_MemoryError, text.c_str());
    else {
        const nb::object arguments = nb::make_tuple(number, text);
        const bool is_device = number == ENODEV || number == ENOSYS;
        PyErr_SetObject(is_device ? device_error : PyExc_OSError, arguments.ptr());
    }
    nb::raise_python_error();
}

void check(int error, const char *what)
{
    if (error == 0)
        return;
    const std::string told = last_error();
    raise_error(error, std::string(what) + ": " + (told.empty() ? std::strerror(-error) : told));
}

} // namespace vmaf::python
