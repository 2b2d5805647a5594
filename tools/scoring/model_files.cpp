#include "scoring/model_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

/// Enough for the library to see that it is larger than a model may be (spec models 3).
constexpr std::size_t kMaxCopyBytes = (std::size_t{64} << 20) + 1;

bool is_read_once(const std::string &path)
{
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode));
}

/// A copy of the file in memory; empty, with errno set, on failure.
UniqueFd copy_in_memory(const std::string &path)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    UniqueFd copy(::memfd_create("vmaf-model", MFD_CLOEXEC));
    std::string text;
    if (file.valid() && copy.valid() && read_all(file.get(), text, kMaxCopyBytes) && write_all(copy.get(), text))
        return copy;
    return {};
}

} // namespace

std::string ModelFiles::repeatable_path(const std::string &path)
{
    auto known = copies_.find(path);
    if (known == copies_.end()) {
        if (!is_read_once(path))
            return path;
        UniqueFd copy = copy_in_memory(path);
        if (!copy.valid())
            throw Failure(kExitSetup,
                          formatted("problem loading model: {} ({})", printable(path), std::strerror(errno)));
        known = copies_.emplace(path, std::move(copy)).first;
    }
    return formatted("/proc/self/fd/{}", known->second.get());
}

} // namespace vmaf::tool
