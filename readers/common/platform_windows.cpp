#include "common/platform.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // the C++ library may have
#define NOMINMAX
#endif
#include <windows.h>
// Behind it.
#include <bcrypt.h>
#include <shellapi.h>

#include <fcntl.h>
#include <io.h>
#include <share.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/wide_text.h"
#include "common/checked_io.h"
#include "common/failure.h"

namespace vmaf::tool {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30; ///< limit of one call

/// The C library has them in the code page of the system.
void take_utf8_arguments(int &argc, char **&argv)
{
    static std::vector<std::string> texts;
    static std::vector<char *> pointers;
    int count = 0;
    const std::unique_ptr<LPWSTR[], decltype(&LocalFree)> wide(CommandLineToArgvW(GetCommandLineW(), &count),
                                                               LocalFree);
    if (!wide)
        throw Failure(kExitSetup, "the arguments cannot be read");
    for (int i = 0; i < count; ++i)
        texts.push_back(utf8_text(wide[static_cast<std::size_t>(i)]));
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    argc = count;
    argv = pointers.data();
}

FileStatus status_of_handle(HANDLE handle)
{
    FileStatus status;
    BY_HANDLE_FILE_INFORMATION file{};
    status.regular = GetFileType(handle) == FILE_TYPE_DISK;
    if (!status.regular || !GetFileInformationByHandle(handle, &file))
        return status;
    const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
    status.folder = (file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    status.regular = !status.folder;
    status.bytes = joined(file.nFileSizeHigh, file.nFileSizeLow);
    status.written = joined(file.ftLastWriteTime.dwHighDateTime, file.ftLastWriteTime.dwLowDateTime);
    status.volume = file.dwVolumeSerialNumber;
    status.index = joined(file.nFileIndexHigh, file.nFileIndexLow);
    return status;
}

void set_errno()
{
    const DWORD error = GetLastError();
    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND     ? ENOENT
            : error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION ? EACCES
            : error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS      ? EEXIST
            : error == ERROR_DISK_FULL                                         ? ENOSPC
                                                                               : EIO;
}

} // namespace

std::optional<FileStatus> status_of(const std::string &path)
{
    // Works for folders too, and for files that somebody has open.
    const HANDLE handle = CreateFileW(wide_text(path).c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        set_errno();
        return std::nullopt;
    }
    const FileStatus status = status_of_handle(handle);
    CloseHandle(handle);
    return status;
}

std::optional<FileStatus> status_of(int fd)
{
    const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(fd));
    if (handle == INVALID_HANDLE_VALUE)
        return std::nullopt;
    return status_of_handle(handle);
}

void prepare_process(int &argc, char **&argv)
{
    take_utf8_arguments(argc, argv);
    for (std::FILE *const stream : {stdin, stdout, stderr})
        _setmode(_fileno(stream), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

std::size_t terminal_columns()
{
    CONSOLE_SCREEN_BUFFER_INFO screen{};
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &screen))
        return 0;
    return static_cast<std::size_t>(screen.srWindow.Right - screen.srWindow.Left + 1);
}

std::ptrdiff_t read_some(int fd, void *data, std::size_t bytes)
{
    return _read(fd, data, static_cast<unsigned>(std::min(bytes, kMostBytes)));
}

std::ptrdiff_t write_some(int fd, const void *data, std::size_t bytes)
{
    return _write(fd, data, static_cast<unsigned>(std::min(bytes, kMostBytes)));
}

void wait_for_room(int) {}

std::tm in_utc(std::time_t time)
{
    std::tm utc{};
    gmtime_s(&utc, &time);
    return utc;
}

bool set_environment(const char *name, const char *value)
{
    return _putenv_s(name, value) == 0;
}

bool files::random_number(std::uint64_t &number)
{
    const bool made = BCryptGenRandom(nullptr, reinterpret_cast<PUCHAR>(&number), sizeof number,
                                      BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
    if (!made)
        errno = EIO;
    return made;
}

int files::create(const std::string &path, unsigned)
{
    int fd = -1;
    _wsopen_s(&fd, wide_text(path).c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _SH_DENYNO,
              _S_IREAD | _S_IWRITE);
    return fd;
}

void files::set_mode(int, unsigned) {}

bool files::move(const std::string &from, const std::string &to)
{
    if (MoveFileExW(wide_text(from).c_str(), wide_text(to).c_str(), MOVEFILE_REPLACE_EXISTING))
        return true;
    set_errno();
    return false;
}

void files::remove(const std::string &path)
{
    DeleteFileW(wide_text(path).c_str());
}

} // namespace vmaf::tool
