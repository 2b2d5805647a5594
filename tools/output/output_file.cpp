#include "output/output_file.h"

#include <fcntl.h>

#include <filesystem>

#include <fmt/format.h>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/printable.h"
#include "output/regular_output.h"
#include "output/stream_output.h"

namespace vmaf::tool {
namespace {

constexpr int kMaxLinks = 40;

/// Names of open descriptors: links whose target must not be replaced.
bool names_descriptor(const std::string &path)
{
    return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

/// The file that a symbolic link leads to, or would: a dangling link's target can be made.
std::string follow_links(std::string path)
{
    std::error_code error;
    for (int i = 0; i < kMaxLinks && !names_descriptor(path) && std::filesystem::is_symlink(path, error); ++i) {
        const std::filesystem::path link = path;
        const std::filesystem::path target = std::filesystem::read_symlink(link, error);
        if (error)
            break;
        path = target.is_absolute() ? target : link.parent_path() / target;
    }
    return path;
}

void refuse_input(const std::string &path, const struct stat &status, std::span<const struct stat> inputs)
{
    for (const struct stat &input : inputs)
        if (input.st_dev == status.st_dev && input.st_ino == status.st_ino && !S_ISCHR(input.st_mode))
            throw Failure(kExitSetup, fmt::format("{} is an input and cannot be the output", printable(path)));
}

void refuse_input(const std::string &path, std::span<const struct stat> inputs)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0)
        refuse_input(path, status, inputs);
}

std::unique_ptr<OutputFile> open_stream(const std::string &path, std::span<const struct stat> inputs)
{
    refuse_input(path, inputs);
    const bool standard_output = path == "-" || path == "/dev/stdout";
    UniqueFd fd(standard_output ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0)
        throw Failure(kExitSetup, could_not_open(path));
    refuse_input(path, status, inputs);
    return std::make_unique<StreamOutput>(path == "-" ? "standard output" : path, std::move(fd));
}

} // namespace

std::unique_ptr<OutputFile> open_output(const std::string &path, std::span<const struct stat> inputs)
{
    if (path.empty())
        throw Failure(kExitSetup, "could not open file: the output's name is empty");
    const std::string target = follow_links(path);
    struct stat status {};
    const bool exists = target != "-" && ::stat(target.c_str(), &status) == 0;
    if (path == "-" || names_descriptor(target) || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return open_stream(path == "-" ? path : target, inputs);
    refuse_input(target, inputs);
    refuse_input(RegularOutput::partial_path_of(target), inputs);
    return std::make_unique<RegularOutput>(path, target);
}

} // namespace vmaf::tool
