#include "engine/session_feature.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/lane.h"

namespace vmaf {
namespace {

// More than any feature has: places of one call stay in registration order, a feature's delayed
// outputs before the others.
constexpr unsigned kDelayedOutputs = 32, kOutputsPerFeature = 64;

} // namespace

/// The feature's columns as its state across frames sees them.
class SessionFeature::TableOutputs final : public ClipOutputs {
  public:
    TableOutputs(const SessionFeature &feature, ScoreTable &table) : feature_(feature), table_(table) {}

    std::optional<double> score(std::size_t output, unsigned frame_index) const override
    {
        return feature_.outputs_[output].column->at(frame_index);
    }

    void write_delayed(std::size_t output, unsigned frame_index, double value) override
    {
        ScoreColumn &column = *feature_.outputs_[output].column;
        if (column.at(frame_index))
            return;
        ScoreTable::reserve(column, frame_index);
        table_.append_reserved(column, frame_index, value, feature_.order(kFlushCall, output));
    }

    Status write_aggregate(std::size_t output, double value) override
    {
        return table_.append_aggregate(feature_.outputs_[output].spec.name, value);
    }

  private:
    const SessionFeature &feature_;
    ScoreTable &table_;
};

SessionFeature::SessionFeature(const FeatureSpec &spec, OptionValues values, unsigned ordinal, DeviceChoice choice,
                               std::uint64_t pairs_before)
    : spec_(&spec), feature_(spec.create(values)), values_(std::move(values)),
      identity_(values_.output_name(spec.name)), ordinal_(ordinal), choice_(choice), pairs_before_(pairs_before)
{
}

ColumnOrder SessionFeature::order(std::uint64_t call, std::size_t output) const
{
    const std::size_t place = output < frame_outputs_ ? kDelayedOutputs + output : output - frame_outputs_;
    return {call, ordinal_ * kOutputsPerFeature + static_cast<std::uint32_t>(place)};
}

void SessionFeature::place_delayed_columns(std::uint64_t call)
{
    if (call < first_calls_[0])
        first_calls_ = {call, first_calls_[0]};
    else
        first_calls_[1] = std::min(first_calls_[1], call);
    for (std::size_t i = frame_outputs_; i < outputs_.size(); ++i)
        if (const unsigned frame = outputs_[i].spec.column_frame; frame < first_calls_.size())
            ScoreTable::place(*outputs_[i].column, order(first_calls_[frame], i));
}

Result<bool> SessionFeature::start_on_device(const PictureFormat &format, Lane &lane) const
{
    const char *const device = lane.device_name();
    if (device == nullptr && choice_ == DeviceChoice::demanded) {
        log(LogLevel::error, "%s: demanded on a device, but the context has no device state", spec_->name);
        return Status::error(EINVAL);
    }
    if (device == nullptr || choice_ == DeviceChoice::never)
        return false;
    VMAF_TRY_ASSIGN(const Lane::Start start, lane.start(*this, format));
    if (start != Lane::Start::refused)
        log(LogLevel::info,
            start == Lane::Start::done ? "%s runs on the %s" : "%s runs on the CPU: it has no backend for the %s",
            spec_->name, device);
    return start == Lane::Start::done;
}

Status SessionFeature::start(const PictureFormat &format, Guarded<ScoreTable> &table, Lane &lane)
{
    VMAF_TRY(check_picture_size(*spec_, format));
    VMAF_TRY(feature_->check_format(format));
    std::unique_ptr<ClipState> clip_state = feature_->make_clip_state(format);
    std::vector<Output> outputs = make_outputs(format, table);
    std::vector<std::unique_ptr<CpuExtractor>> cpu(lane.cpu_backends());
    VMAF_TRY_ASSIGN(const bool on_device, start_on_device(format, lane));
    if (on_device)
        cpu.clear();
    for (std::unique_ptr<CpuExtractor> &extractor : cpu)
        extractor = feature_->make_cpu(format, cpu_target(cpu_mask()));

    adopt(format, std::move(outputs), std::move(clip_state));
    cpu_ = std::move(cpu);
    on_device_ = on_device;
    return {};
}

void SessionFeature::adopt(const PictureFormat &format, std::vector<Output> outputs,
                           std::unique_ptr<ClipState> clip_state)
{
    format_ = format;
    outputs_ = std::move(outputs);
    frame_outputs_ = static_cast<std::size_t>(std::count_if(
        outputs_.begin(), outputs_.end(), [](const Output &o) { return o.spec.kind == OutputKind::frame; }));
    clip_state_ = std::move(clip_state);
    has_columns_ = true;
}

std::vector<SessionFeature::Output> SessionFeature::make_outputs(const PictureFormat &format,
                                                                 Guarded<ScoreTable> &table) const
{
    std::vector<Output> outputs;
    for (const OutputSpec &output : feature_->outputs(format)) {
        Output made{output, nullptr};
        const std::string name = output.provided ? values_.output_name(output.name) : output.name;
        if (output.kind != OutputKind::aggregate)
            made.column = table.with([&](ScoreTable &scores) {
                ScoreColumn &column = scores.column(name);
                if (output.kind == OutputKind::running)
                    column.wait_for_others(0);
                else if (output.kind == OutputKind::delayed && window_.frames_after > 0)
                    column.wait_for_others(window_.frames_after);
                return &column;
            });
        outputs.push_back(made);
    }
    return outputs;
}

bool SessionFeature::is_scored(unsigned index) const
{
    return std::any_of(outputs_.begin(), outputs_.begin() + static_cast<std::ptrdiff_t>(frame_outputs_),
                       [index](const Output &output) { return output.column->at(index).has_value(); });
}

void SessionFeature::reserve(unsigned index) const
{
    for (std::size_t i = 0; i < frame_outputs_; ++i)
        ScoreTable::reserve(*outputs_[i].column, index);
    if (clip_state_)
        clip_state_->reserve(index);
}

void SessionFeature::commit(ScoreTable &table, unsigned index, std::uint64_t call, const void *sums,
                            std::span<const double> scores)
{
    for (std::size_t i = 0; i < frame_outputs_; ++i)
        table.append_reserved(*outputs_[i].column, index, scores[i], order(call, i));
    place_delayed_columns(call);
    if (!clip_state_)
        return;
    clip_state_->add(index, call, sums);
    try {
        TableOutputs view(*this, table);
        clip_state_->advance(view);
    } catch (const std::bad_alloc &) {
        // The frame itself is scored; what could not be written now is written when the next frame
        // or the flush comes.
        log(LogLevel::debug, "%s: no memory for the delayed scores of frame %u yet", spec_->name, index);
    }
}

template <class Visit>
void SessionFeature::for_each_due(unsigned first, unsigned count, unsigned subsample, Visit &&visit) const
{
    const std::uint64_t step = is_due(1, subsample) ? 1 : subsample, end = std::uint64_t{first} + count;
    for (std::uint64_t index = round_up(std::uint64_t{first}, step); index < end; index += step)
        visit(static_cast<unsigned>(index));
}

std::optional<SessionFeature::MissingScore> SessionFeature::missing_score(unsigned first, unsigned count,
                                                                          unsigned subsample) const
{
    std::optional<MissingScore> missing;
    for_each_due(first, count, subsample, [&](unsigned index) {
        if (!missing && !has_columns_)
            missing = MissingScore{index, {}};
        for (const Output &output : outputs_)
            if (!missing && output.spec.holds_for_parts() && !output.column->at(index))
                missing = MissingScore{index, output.column->wait()};
    });
    return missing;
}

std::size_t SessionFeature::saved_frame_bytes() const
{
    const auto scores = std::count_if(outputs_.begin(), outputs_.end(),
                                      [](const Output &output) { return output.spec.holds_for_parts(); });
    return static_cast<std::size_t>(scores) * sizeof(double) + (clip_state_ ? clip_state_->kept_bytes() : 0);
}

std::vector<std::byte> SessionFeature::save(unsigned first, unsigned count, unsigned subsample) const
{
    std::vector<std::byte> rows;
    for_each_due(first, count, subsample, [&](unsigned index) {
        std::size_t at = rows.size();
        rows.resize(at + saved_frame_bytes());
        for (const Output &output : outputs_)
            if (output.spec.holds_for_parts()) {
                const double score = *output.column->at(index);
                std::memcpy(&rows[at], &score, sizeof score);
                at += sizeof score;
            }
        if (at < rows.size())
            clip_state_->save(index, &rows[at]);
    });
    return rows;
}

Status SessionFeature::start_appending(const PictureFormat &format, Guarded<ScoreTable> &table)
{
    if (has_columns_ && format_ == format)
        return {};
    VMAF_TRY(check_picture_size(*spec_, format));
    set_format(format);
    adopt(format, make_outputs(format, table), feature_->make_clip_state(format));
    return {};
}

bool SessionFeature::fits(std::span<const std::byte> rows, const AppendedFrames &frames, unsigned subsample) const
{
    const std::uint64_t step = is_due(1, subsample) ? 1 : subsample, end = std::uint64_t{frames.first} + frames.count;
    const std::uint64_t due = round_up(end, step) / step - round_up(std::uint64_t{frames.first}, step) / step;
    const std::size_t frame_bytes = saved_frame_bytes();
    return frame_bytes == 0 ? rows.empty() : rows.size() % frame_bytes == 0 && rows.size() / frame_bytes == due;
}

std::optional<unsigned> SessionFeature::scored_index(const AppendedFrames &frames, unsigned subsample) const
{
    std::optional<unsigned> scored;
    for_each_due(frames.first, frames.count, subsample, [&](unsigned index) {
        if (!scored && is_scored(index))
            scored = index;
    });
    return scored;
}

void SessionFeature::reserve_appended(const AppendedFrames &frames, unsigned subsample) const
{
    for_each_due(frames.first, frames.count, subsample, [&](unsigned index) {
        reserve(index);
        for (std::size_t i = frame_outputs_; i < outputs_.size(); ++i)
            if (outputs_[i].column != nullptr)
                ScoreTable::reserve(*outputs_[i].column, index);
    });
}

void SessionFeature::append(ScoreTable &table, const std::byte *rows, const AppendedFrames &frames, unsigned subsample)
{
    for_each_due(frames.first, frames.count, subsample, [&](unsigned index) {
        const std::uint64_t call = frames.first_call + (index - frames.first);
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const Output &output = outputs_[i];
            if (!output.spec.holds_for_parts())
                continue;
            double score = 0;
            std::memcpy(&score, rows, sizeof score);
            rows += sizeof score;
            if (!output.column->at(index))
                table.append_reserved(*output.column, index, score,
                                      order(output.spec.kind == OutputKind::delayed ? kFlushCall : call, i));
        }
        place_delayed_columns(call);
        if (clip_state_) {
            clip_state_->load(index, rows);
            rows += clip_state_->kept_bytes();
        }
    });
    if (!clip_state_)
        return;
    TableOutputs view(*this, table);
    clip_state_->advance(view); // there is room for what it writes
}

Status SessionFeature::flush(ScoreTable &table, FramesLost lost)
{
    if (!clip_state_)
        return {};
    TableOutputs view(*this, table);
    if (lost == FramesLost::no)
        return clip_state_->flush(view);
    clip_state_->advance(view); // a lost frame is not the clip's end, and a clip with a hole has no value
    return {};
}

} // namespace vmaf
