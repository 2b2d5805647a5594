#include "report/score_columns.h"

#include <algorithm>
#include <cerrno>
#include <istream>
#include <limits>
#include <streambuf>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/format.h"
#include "common/platform.h"
#include "common/unique_fd.h"
#include "output/score_pipe.h"

namespace vmaf::tool {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Takes in a score file while it is parsed: as text, a long one would need many times the memory of its numbers, and more as a tree.
///
/// { "frames": [{"frameNum": 0, "metrics": {NAME: SCORE}}], "pooled_metrics": {NAME: {...}}, "aggregate_metrics": {NAME: SCORE} }
class ScoreFileHandler : public nlohmann::json_sax<nlohmann::json> {
  public:
    bool key(string_t &name) override
    {
        if (depth_ == 1)
            section_ = name;
        else if (section_ == "frames" && depth_ == 3)
            column_ = column_named(name);
        else if (section_ == "pooled_metrics" && depth_ == 2)
            order_.push_back(column_named(name));
        else if (section_ == "aggregate_metrics")
            columns_.aggregates.push_back({name, kMissing});
        return true;
    }

    bool start_object(std::size_t) override
    {
        ++depth_;
        return true;
    }
    bool end_object() override
    {
        --depth_;
        return true;
    }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }

    bool null() override { return number(kMissing); }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t &) override { return number(value); }
    bool boolean(bool) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return false; }
    bool parse_error(std::size_t, const std::string &, const nlohmann::json::exception &error) override
    {
        throw Failure(kExitSetup, formatted("the library's scores cannot be read: {}", error.what()));
    }

    ScoreColumns finish()
    {
        for (std::size_t i = 0; i < columns_.metrics.size(); ++i)
            if (std::ranges::find(order_, i) == order_.end())
                order_.push_back(i);
        std::vector<ScoreColumn> ordered;
        for (const std::size_t i : order_) {
            columns_.metrics[i].scores.resize(columns_.frames.size(), kMissing);
            ordered.push_back(std::move(columns_.metrics[i]));
        }
        columns_.metrics = std::move(ordered);
        return std::move(columns_);
    }

  private:
    bool number(double value)
    {
        if (section_ == "frames" && depth_ == 2) {
            columns_.frames.push_back(static_cast<unsigned>(value));
        } else if (section_ == "frames" && depth_ == 3) {
            std::vector<double> &scores = columns_.metrics[column_].scores;
            scores.resize(columns_.frames.size(), kMissing);
            scores.back() = value;
        } else if (section_ == "aggregate_metrics") {
            columns_.aggregates.back().value = value;
        }
        return true;
    }

    /// Most rows have the columns of the row before, in the same order.
    std::size_t column_named(const std::string &name)
    {
        std::vector<ScoreColumn> &metrics = columns_.metrics;
        std::size_t i = column_ + 1 < metrics.size() ? column_ + 1 : 0;
        if (i < metrics.size() && metrics[i].name == name)
            return i;
        const auto found = std::ranges::find(metrics, name, &ScoreColumn::name);
        i = static_cast<std::size_t>(found - metrics.begin());
        if (found == metrics.end())
            metrics.push_back({name, {}});
        return i;
    }

    ScoreColumns columns_;
    std::vector<std::size_t> order_; ///< of the file, which the first rows need not have: delayed columns begin later
    std::string section_;
    std::size_t column_ = 0;
    unsigned depth_ = 0; ///< of objects
};

/// What a descriptor delivers, as a stream. A failed read is an end too early, which the parser complains of.
class DescriptorBuffer : public std::streambuf {
  public:
    explicit DescriptorBuffer(UniqueFd fd) : fd_(std::move(fd)), block_(kBlockBytes) {}

  protected:
    int_type underflow() override
    {
        std::ptrdiff_t got = 0;
        do
            got = read_some(fd_.get(), block_.data(), block_.size());
        while (got < 0 && errno == EINTR);
        if (got <= 0)
            return traits_type::eof();
        setg(block_.data(), block_.data(), block_.data() + got);
        return traits_type::to_int_type(block_[0]);
    }

  private:
    static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

    UniqueFd fd_;
    std::vector<char> block_;
};

} // namespace

const ScoreColumn *ScoreColumns::metric(std::string_view name) const
{
    const auto found = std::ranges::find(metrics, name, &ScoreColumn::name);
    return found == metrics.end() ? nullptr : &*found;
}

const AggregateScore *ScoreColumns::aggregate(std::string_view name) const
{
    const auto found = std::ranges::find(aggregates, name, &AggregateScore::name);
    return found == aggregates.end() ? nullptr : &*found;
}

ScoreColumns score_columns(VmafContext *context)
{
    ScoreFileHandler handler;
    pipe_scores(context, VMAF_OUTPUT_FORMAT_JSON, NumberFormat::full(), [&handler](UniqueFd fd) {
        DescriptorBuffer buffer(std::move(fd));
        std::istream stream(&buffer);
        nlohmann::json::sax_parse(stream, &handler);
    });
    return handler.finish();
}

ScoreColumns parse_score_columns(std::string_view json)
{
    ScoreFileHandler handler;
    nlohmann::json::sax_parse(json, &handler);
    return handler.finish();
}

} // namespace vmaf::tool
