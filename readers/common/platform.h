#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>

/// More calls that differ between operating systems, besides base/native.h: platform_posix.cpp,
/// platform_windows.cpp. Paths are UTF-8, on POSIX any bytes.
namespace vmaf::tool {

/// Call at the start of main(). It opens closed standard descriptors, turns off signals for write
/// errors, and prepares arguments and standard streams. Throws Failure.
void prepare_process(int &argc, char **&argv);

/// Width of the terminal on stderr; 0: unknown.
std::size_t terminal_columns();
/// read(2) and write(2): how many bytes it was; -1 and errno on failure.
std::ptrdiff_t read_some(int fd, void *data, std::size_t bytes);
std::ptrdiff_t write_some(int fd, const void *data, std::size_t bytes);
/// Until `fd`, a pipe that somebody has made non-blocking, takes data.
void wait_for_room(int fd);
std::tm in_utc(std::time_t time);

/// Sets a variable of this process, before it has threads. False if that fails.
bool set_environment(const char *name, const char *value);

/// Calls for files that are being written. False or -1, with errno set, on failure.
namespace files {
bool random_number(std::uint64_t &number);
/// A new file; its permissions are `mode` less what new files of this process have not.
int create(const std::string &path, unsigned mode);
void set_mode(int fd, unsigned mode);
/// Move the file; an existing file is replaced.
bool move(const std::string &from, const std::string &to);
void remove(const std::string &path);
} // namespace files

} // namespace vmaf::tool
