#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "feature/feature.h"

namespace vmaf::test {

/// Scores of one feature in a session, by output name. The first score of a frame is kept.
class RecordedScores final : public ClipOutputs {
  public:
    explicit RecordedScores(std::vector<OutputSpec> outputs) : outputs_(std::move(outputs)) {}

    std::optional<double> score(std::size_t output, unsigned frame_index) const override
    {
        return at(outputs_[output].name, frame_index);
    }
    void write_delayed(std::size_t output, unsigned frame_index, double value) override
    {
        write(output, frame_index, value);
    }
    Status write_aggregate(std::size_t, double) override { return Status::error(EINVAL); }

    void write(std::size_t output, unsigned frame_index, double value)
    {
        values_[outputs_[output].name].emplace(frame_index, value);
    }
    std::optional<double> at(const std::string &name, unsigned frame_index) const
    {
        const auto column = values_.find(name);
        if (column == values_.end() || !column->second.contains(frame_index))
            return std::nullopt;
        return column->second.at(frame_index);
    }

  private:
    std::vector<OutputSpec> outputs_;
    std::map<std::string, std::map<unsigned, double>> values_;
};

} // namespace vmaf::test
