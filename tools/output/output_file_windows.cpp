#include "output/output_file.h"

#include <io.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/native.h"
#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "output/regular_output.h"
#include "output/stream_output.h"

namespace vmaf::tool {
namespace {

void refuse_input(const std::string &name, const std::string &path, std::span<const FileStatus> inputs)
{
    const std::optional<FileStatus> status = status_of(path);
    for (const FileStatus &input : inputs)
        if (status && status->regular && input.regular && input.is_same_file(*status))
            throw Failure(kExitSetup, formatted("{} is an input and cannot be the output", printable(name)));
}

} // namespace

bool are_same_output(const std::string &path, const std::string &other)
{
    const auto place = [](const std::string &name) {
        std::error_code error;
        const std::filesystem::path whole =
            std::filesystem::weakly_canonical(std::filesystem::absolute(native_path(name)), error);
        return error ? name : path_text(whole);
    };
    const std::string one = place(path), two = place(other);
    return one == two || RegularOutput::partial_path_of(one) == two || RegularOutput::partial_path_of(two) == one;
}

std::unique_ptr<OutputFile> open_output(const std::string &path, std::span<const FileStatus> inputs)
{
    if (path.empty())
        throw Failure(kExitSetup, "could not open file: the output's name is empty");
    if (path == "-")
        return std::make_unique<StreamOutput>("standard output", UniqueFd(_dup(_fileno(stdout))));
    refuse_input(path, path, inputs);
    refuse_input(path, RegularOutput::partial_path_of(path), inputs);
    return std::make_unique<RegularOutput>(path, path);
}

} // namespace vmaf::tool
