#include "engine/session_feature.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "engine/device_pipeline.h"

namespace vmaf {
namespace {

// More than any feature has: places of one call stay in registration order, a feature's delayed outputs before the others.
constexpr unsigned kDelayedOutputs = 32, kOutputsPerFeature = 64;

// Of pictures larger than that the product of the sides does not fit in 32 bits, which some arithmetic of the specification needs.
constexpr unsigned kLargestSidePx = 65535;

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

Status SessionFeature::check_size(const PictureFormat &format) const
{
    if (format.width < spec_->min_width_px || format.height < spec_->min_height_px) {
        log(LogLevel::error, "%s: picture is %ux%u, smallest size is %ux%u", spec_->name, format.width, format.height,
            spec_->min_width_px, spec_->min_height_px);
        return Status::error(EINVAL);
    }
    if (format.width > kLargestSidePx || format.height > kLargestSidePx) {
        log(LogLevel::error, "%s: picture is %ux%u, largest size is %ux%u", spec_->name, format.width, format.height,
            kLargestSidePx, kLargestSidePx);
        return Status::error(EINVAL);
    }
    return feature_->check_format(format);
}

Result<bool> SessionFeature::start_on_device(const PictureFormat &format, DevicePipeline *device) const
{
    if (device == nullptr && choice_ == DeviceChoice::demanded) {
        log(LogLevel::error, "%s: demanded on a device, but the context has no device state", spec_->name);
        return Status::error(EINVAL);
    }
    if (device == nullptr || choice_ == DeviceChoice::never)
        return false;
    VMAF_TRY_ASSIGN(const bool on_device, device->start(*this, format));
    log(LogLevel::info, on_device ? "%s runs on the %s" : "%s runs on the CPU: it has no backend for the %s",
        spec_->name, device->name());
    return on_device;
}

Status SessionFeature::start(const PictureFormat &format, unsigned worker_count, Guarded<ScoreTable> &table,
                             DevicePipeline *device)
{
    VMAF_TRY(check_size(format));
    std::unique_ptr<ClipState> clip_state = feature_->make_clip_state(format);
    std::vector<Output> outputs = make_outputs(format, table);
    std::vector<std::unique_ptr<CpuExtractor>> cpu(worker_count);
    VMAF_TRY_ASSIGN(const bool on_device, start_on_device(format, device));
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
        // The frame itself is scored; what could not be written now is written when the next frame or the flush comes.
        log(LogLevel::debug, "%s: no memory for the delayed scores of frame %u yet", spec_->name, index);
    }
}

SessionFeature::Rows SessionFeature::rows(unsigned first, unsigned count) const
{
    Rows rows(outputs_.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        for (unsigned frame = 0; outputs_[i].spec.holds_for_parts() && frame < count; ++frame)
            rows[i].push_back(outputs_[i].column->at(first + frame));
    return rows;
}

std::optional<SessionFeature::MissingScore> SessionFeature::missing_score(unsigned first, unsigned count,
                                                                          unsigned subsample) const
{
    for (unsigned index = first; index < first + count; ++index)
        if (is_due(index, subsample)) {
            if (!has_columns_)
                return MissingScore{index, {}};
            for (const Output &output : outputs_)
                if (output.spec.holds_for_parts() && !output.column->at(index))
                    return MissingScore{index, output.column->wait()};
        }
    return std::nullopt;
}

void SessionFeature::start_appending(const PictureFormat &format, Guarded<ScoreTable> &table)
{
    set_format(format);
    adopt(format, make_outputs(format, table), feature_->make_clip_state(format));
}

void SessionFeature::reserve_appended(unsigned at, unsigned count) const
{
    for (unsigned index = at; index < at + count; ++index) {
        reserve(index);
        for (std::size_t i = frame_outputs_; i < outputs_.size(); ++i)
            if (outputs_[i].column != nullptr)
                ScoreTable::reserve(*outputs_[i].column, index);
    }
}

// Rows are empty where the segment's feature was never due.
void SessionFeature::append(ScoreTable &table, const SessionFeature &segment, const Rows &rows,
                            const AppendedFrames &frames, unsigned subsample)
{
    const auto [first, count, at, first_call] = frames;
    for (unsigned frame = 0; frame < count; ++frame) {
        const std::uint64_t call = first_call + frame;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Output &output = outputs_[i];
            if (!output.spec.holds_for_parts() || !rows[i][frame] || output.column->at(at + frame))
                continue;
            const bool delayed = output.spec.kind == OutputKind::delayed;
            table.append_reserved(*output.column, at + frame, *rows[i][frame], order(delayed ? kFlushCall : call, i));
        }
        if (is_due(at + frame, subsample))
            place_delayed_columns(call);
    }
    if (!clip_state_ || !segment.clip_state_)
        return;
    clip_state_->append(*segment.clip_state_, first, count, at);
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
