#include "model/svm_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "model/model.h"

namespace vmaf {
namespace {

constexpr std::size_t kMaxSupportVectors = 1000000; // spec models 3
static_assert(kMaxModelFeatures <= 64, "a bit each in SvrRows::present");

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Moves `text` past its leading digits; how many they were.
std::size_t skip_digits(std::string_view &text)
{
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    const std::size_t count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
}

void skip_sign(std::string_view &text)
{
    if (!text.empty() && (text.front() == '+' || text.front() == '-'))
        text.remove_prefix(1);
}

/// Optional sign, digits with at most one point, optional exponent, and nothing else.
bool is_decimal(std::string_view text)
{
    skip_sign(text);
    std::size_t digits = skip_digits(text);
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        digits += skip_digits(text);
    }
    if (digits == 0)
        return false;
    if (text.empty() || (text.front() != 'e' && text.front() != 'E'))
        return text.empty();
    text.remove_prefix(1);
    skip_sign(text);
    return skip_digits(text) > 0 && text.empty();
}

std::optional<double> parse_number(std::string_view text)
{
    if (!is_decimal(text))
        return {};
    const double number = parse_double(std::string(text).c_str(), nullptr);
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> parse_count(std::string_view text)
{
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return count;
}

/// Cuts `text` at the first separator: returns what is before it, leaves what is after it.
std::string_view cut(std::string_view &text, char separator)
{
    const std::size_t length = std::min(text.find(separator), text.size());
    const std::string_view head = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return head;
}

/// The next run of characters other than separators; leaves what follows it. Empty at the end.
std::string_view next_token(std::string_view &text, std::string_view separators)
{
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    const std::string_view token = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(token.size());
    return token;
}

class SvmTextParser {
  public:
    SvmTextParser(const ModelFile &file, std::string_view text, std::size_t dimensions)
        : file_(file), rest_(text), dimensions_(dimensions)
    {
    }

    Result<Svr> parse()
    {
        VMAF_TRY(parse_header());
        VMAF_TRY(parse_rows());
        const bool all_present = rows_.rows.size() == *total_sv_ * (dimensions_ + 1);
        if (all_present)
            rows_.present = {};
        const auto storage = std::make_shared<const SvrRows>(std::move(rows_));
        return Svr{*gamma_, *rho_, dimensions_, storage->rows, storage->present, storage};
    }

  private:
    Status parse_header()
    {
        for (;;) {
            const std::string_view key = next_token(rest_, " \n");
            if (key.empty())
                return file_.fail("SVM text: no SV line");
            if (key == "SV")
                break;
            VMAF_TRY(parse_header_value(key, next_token(rest_, " \n")));
        }
        std::string_view line = cut(rest_, '\n');
        if (!next_token(line, " ").empty())
            return file_.fail("SVM text: the line of SV holds something else");
        if (!has_svm_type_ || !has_kernel_type_)
            return file_.fail("SVM text: no svm_type or no kernel_type");
        if (!gamma_ || !rho_ || !total_sv_)
            return file_.fail("SVM text: no %s", !gamma_ ? "gamma" : !rho_ ? "rho" : "total_sv");
        return {};
    }

    Status parse_header_value(std::string_view key, std::string_view value)
    {
        if (key == "svm_type")
            return accept_word("svm_type", value == "nu_svr" || value == "epsilon_svr", has_svm_type_);
        if (key == "kernel_type")
            return accept_word("kernel_type", value == "rbf", has_kernel_type_);
        if (key == "nr_class")
            return accept_word("nr_class", value == "2", has_nr_class_);
        if (key == "gamma")
            return accept_number("gamma", value, gamma_);
        if (key == "rho" && !has_nr_class_)
            return file_.fail("SVM text: rho before nr_class");
        if (key == "rho")
            return accept_number("rho", value, rho_);
        if (key == "total_sv")
            return accept_total(value);
        if (key == "degree" || key == "coef0" || key == "probA" || key == "probB")
            return {};
        return file_.fail("SVM text: unknown header key");
    }

    Status accept_word(const char *key, bool supported, bool &seen)
    {
        if (!supported)
            return file_.fail("SVM text: %s is not supported", key);
        if (seen)
            return file_.fail("SVM text: %s twice", key);
        seen = true;
        return {};
    }

    Status accept_number(const char *key, std::string_view value, std::optional<double> &number)
    {
        if (number)
            return file_.fail("SVM text: %s twice", key);
        number = parse_number(value);
        return number ? Status() : file_.fail("SVM text: %s is no finite number", key);
    }

    Status accept_total(std::string_view value)
    {
        if (total_sv_)
            return file_.fail("SVM text: total_sv twice");
        total_sv_ = parse_count(value);
        if (!total_sv_ || *total_sv_ < 1 || *total_sv_ > kMaxSupportVectors)
            return file_.fail("SVM text: total_sv is no number from 1 to %zu", kMaxSupportVectors);
        return {};
    }

    Status parse_rows()
    {
        constexpr std::size_t kMinLineBytes = 2; // so that a wrong total_sv reserves no memory for nothing
        if (*total_sv_ * kMinLineBytes > rest_.size() + 1)
            return file_.fail("SVM text: fewer lines than total_sv, which is %zu", *total_sv_);
        reserve_rows();
        for (row_ = 1; row_ <= *total_sv_; ++row_) {
            if (rest_.empty())
                return file_.fail("SVM text: %zu lines, total_sv is %zu", row_ - 1, *total_sv_);
            VMAF_TRY(parse_row(cut(rest_, '\n')));
        }
        return {};
    }

    /// Exactly what well-formed lines need; not much for others.
    void reserve_rows()
    {
        constexpr std::size_t kMinValueBytes = 4; // " 1:0"
        std::string_view lines = rest_;
        std::size_t values = 0;
        for (std::size_t i = 0; i < *total_sv_; ++i)
            values += static_cast<std::size_t>(std::ranges::count(cut(lines, '\n'), ':'));
        rows_.rows.reserve(*total_sv_ + std::min(values, rest_.size() / kMinValueBytes));
        rows_.present.reserve(*total_sv_);
    }

    Status parse_row(std::string_view line)
    {
        const std::optional<double> coefficient = parse_number(next_token(line, " "));
        if (!coefficient)
            return file_.fail("SVM text: support vector %zu has no coefficient", row_);
        rows_.rows.push_back(*coefficient);
        std::uint64_t present = 0;
        std::size_t last_index = 0;
        for (std::string_view pair = next_token(line, " "); !pair.empty(); pair = next_token(line, " ")) {
            const std::optional<std::size_t> index = parse_count(cut(pair, ':'));
            const std::optional<double> value = parse_number(pair);
            if (!index || !value)
                return file_.fail("SVM text: support vector %zu holds something else than INDEX:VALUE", row_);
            if (*index <= last_index || *index > dimensions_)
                return file_.fail("SVM text: support vector %zu: indices should ascend from 1 to %zu", row_,
                                  dimensions_);
            rows_.rows.push_back(*value);
            present |= std::uint64_t{1} << (*index - 1);
            last_index = *index;
        }
        rows_.present.push_back(present);
        return {};
    }

    const ModelFile &file_;
    std::string_view rest_;
    std::size_t dimensions_;
    bool has_svm_type_ = false;
    bool has_kernel_type_ = false;
    bool has_nr_class_ = false;
    std::optional<double> gamma_;
    std::optional<double> rho_;
    std::optional<std::size_t> total_sv_;
    std::size_t row_ = 0; ///< number of the support vector being read, from 1
    SvrRows rows_;
};

} // namespace

Result<Svr> parse_svm_text(const ModelFile &file, std::string_view text, std::size_t dimensions)
{
    return SvmTextParser(file, text, dimensions).parse();
}

} // namespace vmaf
