#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmaf {

/// VmafOutputFormat of the C API, checked.
enum class OutputFormat { xml = 1, json = 2, csv = 3, sub = 4 };

/// A score as text: "%.6f", or "%.16f" when six decimals would lose the value (spec abi 6, "Number
/// text").
std::string score_text(double value);

/// How the numbers of a score file are written.
class ScoreFormat {
  public:
    /// Numbers as by score_text().
    ScoreFormat() = default;
    /// One printf conversion of a double and nothing else; logs what is wrong with it.
    static Result<ScoreFormat> create(std::string_view conversion, OutputFormat file_format);

    /// NaN and infinities as score_text() writes them.
    std::string text(double value) const;

  private:
    /// %e, %f or %g without flags and width, and of few digits.
    struct Digits {
        std::chars_format notation;
        int precision;
    };

    ScoreFormat(std::string_view conversion, const std::optional<Digits> &digits)
        : conversion_(conversion), digits_(digits)
    {
    }

    std::string conversion_; ///< empty: as score_text()
    std::optional<Digits> digits_;
};

} // namespace vmaf
