#include "cli/score_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <strings.h>

#include "base/native.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr std::string_view kName = "{name}", kNumber = "%d";

std::string replaced(std::string text, std::string_view what, const std::string &by)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

constexpr ScoreFileKind kKinds[] = {{".xml", VMAF_OUTPUT_FORMAT_XML, "XML"},
                                    {".json", VMAF_OUTPUT_FORMAT_JSON, "JSON"},
                                    {".csv", VMAF_OUTPUT_FORMAT_CSV, "CSV"},
                                    {".sub", VMAF_OUTPUT_FORMAT_SUB, "subtitles"}};

const char *suffix(VmafOutputFormat format)
{
    return std::ranges::find(kKinds, format, &ScoreFileKind::format)->suffix;
}

std::string score_file(const OutputOptions &options, std::span<const std::string> distorted, std::size_t encode)
{
    const std::filesystem::path video = native_path(distorted[encode]);
    if (!options.path)
        return path_text(video.parent_path() / video.stem()) + ".vmaf" + suffix(options.format);
    return replaced(replaced(*options.path, kNumber, formatted("{}", encode + 1)), kName, path_text(video.stem()));
}

} // namespace

const ScoreFileKind *kind_by_suffix(const std::string &path)
{
    for (const ScoreFileKind &kind : kKinds) {
        const std::size_t length = std::strlen(kind.suffix);
        if (path.size() > length && ::strcasecmp(path.c_str() + path.size() - length, kind.suffix) == 0)
            return &kind;
    }
    return nullptr;
}

std::vector<std::string> score_files(const OutputOptions &options, std::span<const std::string> distorted)
{
    if (distorted.size() == 1)
        return options.path ? std::vector{*options.path} : std::vector<std::string>{};
    if (options.path && options.path->find(kName) == options.path->npos &&
        options.path->find(kNumber) == options.path->npos)
        throw UsageError(
            formatted("-o {}: for several distorted videos it should hold {{name}} or %d", printable(*options.path)));
    std::vector<std::string> files;
    for (std::size_t encode = 0; encode < distorted.size(); ++encode) {
        files.push_back(score_file(options, distorted, encode));
        if (std::ranges::count(files, files.back()) > 1)
            throw UsageError(formatted("the scores of two distorted videos would go to {}: -o with %d numbers them",
                                       printable(files.back())));
    }
    return files;
}

} // namespace vmaf::tool
