#include "base/platform.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vmaf {
namespace {

constexpr mode_t kFolderMode = 0770;
constexpr mode_t kFileMode = 0666;

locale_t c_locale()
{
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
    return locale;
}

} // namespace

bool stderr_is_terminal()
{
    return isatty(STDERR_FILENO) == 1;
}

std::size_t physical_memory_bytes()
{
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::FILE *open_for_writing(const char *path)
{
    return std::fopen(path, "we");
}

bool make_folder(const std::string &path)
{
    return ::mkdir(path.c_str(), kFolderMode) == 0;
}

int open_for_writing_at(const std::string &path)
{
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
}

void close_file(int file)
{
    ::close(file);
}

std::ptrdiff_t write_at(int file, const void *data, std::size_t bytes, std::uint64_t offset)
{
    return ::pwrite(file, data, bytes, static_cast<off_t>(offset));
}

CLocale::CLocale() : clients_(uselocale(c_locale())) {}

CLocale::~CLocale()
{
    uselocale(static_cast<locale_t>(clients_));
}

} // namespace vmaf
