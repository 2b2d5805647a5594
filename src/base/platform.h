#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

/// More functions that differ between operating systems, besides base/native.h: platform_posix.cpp,
/// platform_windows.cpp. Paths are UTF-8, on POSIX any bytes.
namespace vmaf {

bool stderr_is_terminal();
std::size_t physical_memory_bytes();

/// Empty, without translation of line ends, and not for child processes. Null and errno on failure.
std::FILE *open_for_writing(const char *path);
/// One level. False and errno on failure, EEXIST among them.
bool make_folder(const std::string &path);

/// Empty; -1 and errno on failure.
int open_for_writing_at(const std::string &path);
void close_file(int file);
/// Write at an offset, from any number of threads at once. Returns the number of bytes, maybe fewer
/// than asked for; -1 and errno on failure.
std::ptrdiff_t write_at(int file, const void *data, std::size_t bytes, std::uint64_t offset);

/// While it lives the C library's functions read and write numbers in the C locale, in this thread
/// alone.
class CLocale {
  public:
    CLocale();
    ~CLocale();
    CLocale(const CLocale &) = delete;
    CLocale &operator=(const CLocale &) = delete;

  private:
    void *clients_;
};

} // namespace vmaf
