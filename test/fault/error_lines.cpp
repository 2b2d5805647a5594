#include "fault/error_lines.h"

namespace vmaf::test {
namespace {

std::string without_colours(const std::string &text)
{
    std::string plain;
    bool in_sequence = false;
    for (const char c : text) {
        if (c == '\x1b')
            in_sequence = true;
        else if (!in_sequence)
            plain += c;
        else if (c == 'm')
            in_sequence = false;
    }
    return plain;
}

} // namespace

ErrorLines::ErrorLines() : before_(stderr)
{
    text_.reserve(1 << 20); // so that writing allocates nothing
    cookie_io_functions_t functions{};
    functions.write = write;
    instead_ = fopencookie(this, "w", functions);
    if (instead_ == nullptr)
        return;
    std::setvbuf(instead_, nullptr, _IONBF, 0);
    stderr = instead_;
}

ErrorLines::~ErrorLines()
{
    stderr = before_;
    if (instead_ != nullptr)
        std::fclose(instead_);
}

std::vector<std::string> ErrorLines::take()
{
    const std::lock_guard lock(mutex_);
    if (text_.empty())
        return {};
    const std::string plain = without_colours(text_);
    text_.clear();
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < plain.size();) {
        const std::size_t end = plain.find('\n', start);
        lines.push_back(plain.substr(start, end - start));
        start = end == std::string::npos ? plain.size() : end + 1;
    }
    return lines;
}

ssize_t ErrorLines::write(void *self, const char *text, size_t bytes)
{
    auto &lines = *static_cast<ErrorLines *>(self);
    const std::lock_guard lock(lines.mutex_);
    lines.text_.append(text, bytes);
    return static_cast<ssize_t>(bytes);
}

} // namespace vmaf::test
