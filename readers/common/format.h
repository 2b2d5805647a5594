#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace vmaf::tool {

/// As fmt::vformat(). Its file holds all of fmt that takes long to compile; the rest includes the
/// smallest header.
std::string formatted_arguments(fmt::string_view format, fmt::format_args arguments);

/// fmt::format(), whose format is checked when it is compiled.
template <class... Args> std::string formatted(fmt::format_string<Args...> format, const Args &...arguments)
{
    return formatted_arguments(format, fmt::make_format_args(arguments...));
}

/// "1 frame", "2 frames". @param what one of them.
std::string counted(std::uint64_t count, std::string_view what);

/// Text from outside (a file's name, a header, an option) as messages quote it: control characters,
/// which could move the cursor or forge a line, become \xNN. Letters of any script stay.
std::string printable(std::string_view text);

/// Makes a whole message printable; its line breaks stay.
std::string printable_lines(std::string_view text);

/// How scores are written (spec cli 10.2).
class NumberFormat {
  public:
    /// Numbers as libvmaf's tool writes them.
    NumberFormat() = default;
    /// "%.Ng".
    static NumberFormat digits(unsigned significant) { return NumberFormat(significant); }
    /// Enough digits to keep every bit of a number.
    static NumberFormat full() { return NumberFormat(kFullDigits); }

    static constexpr unsigned kFullDigits = 17;

    bool is_established() const { return digits_ == 0; }
    /// The format for printf. Not for is_established(): score files have several formats then (spec
    /// abi 6).
    std::string printf_format() const;
    /// Text of a score for result lines.
    std::string text(double score) const;

  private:
    explicit NumberFormat(unsigned digits) : digits_(digits) {}

    unsigned digits_ = 0;
};

} // namespace vmaf::tool
