#include "output/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "output/regular_output.h"
#include "output/stream_output.h"

namespace vmaf::tool {
namespace {

constexpr int kMaxLinks = 40;

/// The descriptor that a name means, if it is such a name. Opened anew, a file behind it would be
/// written from its start.
std::optional<int> named_descriptor(const std::string &path)
{
    if (path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(folder))
            continue;
        int number = -1;
        const char *const end = path.data() + path.size();
        if (std::from_chars(path.data() + folder.size(), end, number).ptr == end && number >= 0)
            return number;
    }
    return std::nullopt;
}

/// Links whose target must not be replaced.
bool leads_to_descriptor(const std::string &path)
{
    return named_descriptor(path) || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

/// Refuse links of other users. In a directory like /tmp such a link may lead to one of the user's
/// own files. The kernel does not follow it either.
void refuse_foreign_link(const std::filesystem::path &link, const std::string &name)
{
    const std::filesystem::path parent = link.parent_path();
    struct stat status {
    }, directory{};
    if (::lstat(link.c_str(), &status) != 0 || ::stat(parent.empty() ? "." : parent.c_str(), &directory) != 0)
        return;
    const bool shared = (directory.st_mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH);
    errno = EACCES;
    if (shared && status.st_uid != ::geteuid() && status.st_uid != directory.st_uid)
        throw Failure(kExitSetup, could_not_open(name));
}

/// The file that a symbolic link leads to, or would: a dangling link's target can be made.
std::string follow_links(const std::string &name)
{
    std::filesystem::path path = name;
    std::error_code error;
    for (int i = 0; i < kMaxLinks && !leads_to_descriptor(path) && std::filesystem::is_symlink(path, error); ++i) {
        refuse_foreign_link(path, name);
        const std::filesystem::path target = std::filesystem::read_symlink(path, error);
        if (error)
            break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

void refuse_input(const std::string &name, const struct stat &status, std::span<const struct stat> inputs)
{
    for (const struct stat &input : inputs)
        if (input.st_dev == status.st_dev && input.st_ino == status.st_ino && !S_ISCHR(input.st_mode))
            throw Failure(kExitSetup, formatted("{} is an input and cannot be the output", printable(name)));
}

void refuse_input(const std::string &name, const std::string &path, std::span<const struct stat> inputs)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0)
        refuse_input(name, status, inputs);
}

UniqueFd open_for_writing(const std::string &path, std::optional<int> descriptor)
{
    if (!descriptor)
        return UniqueFd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    UniqueFd fd(::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0));
    if (!fd.valid() || (::fcntl(fd.get(), F_GETFL) & O_ACCMODE) != O_RDONLY)
        return fd;
    errno = EBADF;
    return {};
}

/// @param name what messages call it.
std::unique_ptr<OutputFile> open_stream(const std::string &name, const std::string &path, std::optional<int> descriptor,
                                        std::span<const struct stat> inputs)
{
    refuse_input(name, path, inputs);
    UniqueFd fd = open_for_writing(path, descriptor);
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0)
        throw Failure(kExitSetup, could_not_open(name));
    refuse_input(name, status, inputs);
    return std::make_unique<StreamOutput>(name, std::move(fd));
}

} // namespace

bool are_same_output(const std::string &path, const std::string &other)
{
    const auto place = [](const std::string &name) {
        std::error_code error;
        const std::string file = name == "-" ? "/dev/stdout" : name;
        const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
        return error ? file : whole.string();
    };
    const std::string one = place(path), two = place(other);
    return one == two || RegularOutput::partial_path_of(one) == two || RegularOutput::partial_path_of(two) == one;
}

std::unique_ptr<OutputFile> open_output(const std::string &path, std::span<const struct stat> inputs)
{
    if (path.empty())
        throw Failure(kExitSetup, "could not open file: the output's name is empty");
    if (path == "-")
        return open_stream("standard output", "/dev/stdout", STDOUT_FILENO, inputs);
    const std::string target = follow_links(path);
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (leads_to_descriptor(target) || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return open_stream(path, target, named_descriptor(target), inputs);
    refuse_input(path, target, inputs);
    refuse_input(path, RegularOutput::partial_path_of(target), inputs);
    return std::make_unique<RegularOutput>(path, target);
}

} // namespace vmaf::tool
