#pragma once

#include <string>

namespace vmaf::tool {

/// How scores are written (spec cli 10.2).
class NumberFormat {
  public:
    /// As the established tool writes them.
    NumberFormat() = default;
    /// "%.Ng".
    static NumberFormat digits(unsigned significant) { return NumberFormat(significant); }
    /// So many that the number is the same when it is read again.
    static NumberFormat full() { return NumberFormat(kFullDigits); }

    static constexpr unsigned kFullDigits = 17;

    bool is_established() const { return digits_ == 0; }
    /// For printf; of no use if is_established(), which is no single format in a score file (spec abi 6).
    std::string printf_format() const;
    /// For result lines.
    std::string text(double score) const;

  private:
    explicit NumberFormat(unsigned digits) : digits_(digits) {}

    unsigned digits_ = 0;
};

} // namespace vmaf::tool
