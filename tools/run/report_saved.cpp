#include "run/report_saved.h"

#include <array>
#include <vector>

#include "input/input_file.h"
#include "output/output_file.h"
#include "report/html_report.h"
#include "report/saved_report.h"

namespace vmaf::tool {
namespace {

std::string text_of(InputFile file)
{
    constexpr std::size_t kStep = std::size_t{1} << 20;
    std::string text;
    for (std::size_t size = 0;; size = text.size()) {
        text.resize(size + kStep);
        text.resize(size + file.read(text.data() + size, kStep));
        if (text.size() < size + kStep)
            return text;
    }
}

} // namespace

void report_saved(const OutputOptions &options)
{
    std::vector<SavedScores> files;
    std::vector<FileStatus> inputs;
    for (const std::string &path : options.saved) {
        InputFile file(path);
        inputs.push_back(file.status());
        files.push_back({path, text_of(std::move(file))});
    }
    const auto output = open_output(*options.html, inputs);
    output->write(html_report(saved_report(files)));
}

} // namespace vmaf::tool
