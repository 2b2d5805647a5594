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
#include <cerrno>
#include <clocale>
#include <cwchar>
#include <string>

#include "base/wide_text.h"

namespace vmaf {
namespace {

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
    return _wfopen(wide_text(path).c_str(), L"wbN");
}

bool make_folder(const std::string &path)
{
    return _wmkdir(wide_text(path).c_str()) == 0;
}

int open_for_writing_at(const std::string &path)
{
    int file = -1;
    _wsopen_s(&file, wide_text(path).c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _SH_DENYNO,
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
