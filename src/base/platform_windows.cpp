#include "base/platform.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // the C++ library may have
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cwchar>
#include <string_view>

namespace vmaf {
namespace {

/// Bytes that are no UTF-8 become U+FFFD.
std::wstring wide(std::string_view text)
{
    const int bytes = static_cast<int>(text.size());
    std::wstring result(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)),
                        L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, result.data(), static_cast<int>(result.size()));
    return result;
}

struct ClientsLocale {
    int of_thread; ///< what _configthreadlocale() said
    std::string name;
};

} // namespace

bool stderr_is_terminal()
{
    return _isatty(_fileno(stderr)) != 0;
}

std::size_t physical_memory_bytes()
{
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    return GlobalMemoryStatusEx(&memory) ? static_cast<std::size_t>(memory.ullTotalPhys) : 0;
}

std::FILE *open_for_writing(const char *path)
{
    return _wfopen(wide(path).c_str(), L"wbN");
}

std::filesystem::path native_path(const std::string &path)
{
    return wide(path);
}

bool make_folder(const std::string &path)
{
    return _wmkdir(wide(path).c_str()) == 0;
}

int open_for_writing_at(const std::string &path)
{
    int file = -1;
    _wsopen_s(&file, wide(path).c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _SH_DENYNO,
              _S_IREAD | _S_IWRITE);
    return file;
}

void close_file(int file)
{
    _close(file);
}

std::ptrdiff_t write_at(int file, const void *data, std::size_t bytes, std::uint64_t offset)
{
    constexpr std::size_t kMostBytes = std::size_t{1} << 30;
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    DWORD written = 0;
    const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(file));
    if (WriteFile(handle, data, static_cast<DWORD>(std::min(bytes, kMostBytes)), &written, &place))
        return static_cast<std::ptrdiff_t>(written);
    errno = EIO;
    return -1;
}

void *open_library(const char *name)
{
    // A driver's library is the system's, not one that lies where the program was started.
    return reinterpret_cast<void *>(LoadLibraryExW(wide(name).c_str(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
}

const char *library_error()
{
    thread_local std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "the library cannot be loaded (error %lu)", GetLastError());
    return text.data();
}

void close_library(void *library)
{
    FreeLibrary(static_cast<HMODULE>(library));
}

void *library_symbol(void *library, const char *symbol)
{
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), symbol));
}

CLocale::CLocale()
{
    const int of_thread = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    clients_ = new ClientsLocale{of_thread, std::setlocale(LC_ALL, nullptr)};
    std::setlocale(LC_ALL, "C");
}

CLocale::~CLocale()
{
    const auto *const clients = static_cast<ClientsLocale *>(clients_);
    std::setlocale(LC_ALL, clients->name.c_str());
    _configthreadlocale(clients->of_thread);
    delete clients;
}

} // namespace vmaf
