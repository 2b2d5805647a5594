#include "engine/registration.h"

#include <algorithm>

#include "base/log.h"
#include "engine/device_pipeline.h"

namespace vmaf {
namespace {

// More than any feature has: places of one call stay in registration order, a feature's delayed outputs before the others.
constexpr unsigned kDelayedOutputs = 32, kOutputsPerFeature = 64;

} // namespace

/// The feature's columns as its series sees them.
class Registration::Scores final : public SeriesScores {
  public:
    Scores(const Registration &registration, ScoreTable &table) : registration_(registration), table_(table) {}

    std::optional<double> score(std::size_t output, unsigned frame_index) const override
    {
        return registration_.outputs_[output].column->at(frame_index);
    }

    void write_delayed(std::size_t output, unsigned frame_index, double value) override
    {
        ScoreColumn &column = *registration_.outputs_[output].column;
        if (column.at(frame_index))
            return;
        ScoreTable::reserve(column, frame_index);
        table_.append_reserved(column, frame_index, value, registration_.order(kFlushCall, output));
    }

    Status write_aggregate(std::size_t output, double value) override
    {
        return table_.append_aggregate(registration_.outputs_[output].spec.name, value);
    }

  private:
    const Registration &registration_;
    ScoreTable &table_;
};

Registration::Registration(const FeatureSpec &spec, OptionValues values, unsigned ordinal, DeviceChoice choice)
    : spec_(&spec), feature_(spec.create(values)), values_(std::move(values)),
      identity_(values_.output_name(spec.name)), ordinal_(ordinal), choice_(choice)
{
}

ColumnOrder Registration::order(std::uint64_t call, std::size_t output) const
{
    const std::size_t place = output < frame_outputs_ ? kDelayedOutputs + output : output - frame_outputs_;
    return {call, ordinal_ * kOutputsPerFeature + static_cast<std::uint32_t>(place)};
}

void Registration::place_delayed_columns(std::uint64_t call)
{
    if (call < first_calls_[0])
        first_calls_ = {call, first_calls_[0]};
    else
        first_calls_[1] = std::min(first_calls_[1], call);
    for (std::size_t i = frame_outputs_; i < outputs_.size(); ++i)
        if (const unsigned frame = outputs_[i].spec.column_frame; frame < first_calls_.size())
            ScoreTable::place(*outputs_[i].column, order(first_calls_[frame], i));
}

Result<bool> Registration::start_on_device(const PictureFormat &format, DevicePipeline *device) const
{
    if (device == nullptr && choice_ == DeviceChoice::demanded) {
        log(LogLevel::error, "%s: demanded on a CUDA device, but the context has no CUDA state", spec_->name);
        return Status::error(EINVAL);
    }
    if (device == nullptr || choice_ == DeviceChoice::never)
        return false;
    VMAF_TRY_ASSIGN(const bool on_device, device->start(*this, *feature_, format));
    if (on_device)
        log(LogLevel::info, "%s runs on the CUDA device", spec_->name);
    else
        log(LogLevel::info, "%s has no CUDA backend for this format: it runs on the CPU", spec_->name);
    return on_device;
}

Status Registration::start(const PictureFormat &format, unsigned worker_count, ScoreBoard &board,
                           DevicePipeline *device)
{
    if (format.width < spec_->min_width_px || format.height < spec_->min_height_px) {
        log(LogLevel::error, "%s: picture is %ux%u, smallest size is %ux%u", spec_->name, format.width, format.height,
            spec_->min_width_px, spec_->min_height_px);
        return Status::error(EINVAL);
    }
    VMAF_TRY(feature_->check_format(format));
    VMAF_TRY_ASSIGN(const bool on_device, start_on_device(format, device));

    std::vector<std::unique_ptr<CpuExtractor>> cpu(on_device ? 0 : worker_count);
    for (std::unique_ptr<CpuExtractor> &extractor : cpu)
        extractor = feature_->make_cpu(format, cpu_target(cpu_mask()));
    std::unique_ptr<FeatureSeries> series = feature_->make_series(format);
    std::vector<Output> outputs = make_outputs(format, board);

    format_ = format;
    outputs_ = std::move(outputs);
    frame_outputs_ = static_cast<std::size_t>(std::count_if(
        outputs_.begin(), outputs_.end(), [](const Output &o) { return o.spec.kind == OutputKind::frame; }));
    series_ = std::move(series);
    cpu_ = std::move(cpu);
    on_device_ = on_device;
    return {};
}

std::vector<Registration::Output> Registration::make_outputs(const PictureFormat &format, ScoreBoard &board) const
{
    std::vector<Output> outputs;
    for (const OutputSpec &output : feature_->outputs(format)) {
        const std::string name = output.provided ? values_.output_name(output.name) : output.name;
        outputs.push_back({output, output.kind == OutputKind::aggregate
                                       ? nullptr
                                       : board.with_table([&](ScoreTable &table) { return &table.column(name); })});
    }
    return outputs;
}

bool Registration::is_scored(unsigned index) const
{
    return std::any_of(outputs_.begin(), outputs_.begin() + static_cast<std::ptrdiff_t>(frame_outputs_),
                       [index](const Output &output) { return output.column->at(index).has_value(); });
}

void Registration::reserve(unsigned index) const
{
    for (std::size_t i = 0; i < frame_outputs_; ++i)
        ScoreTable::reserve(*outputs_[i].column, index);
    if (series_)
        series_->reserve(index);
}

void Registration::commit(ScoreTable &table, unsigned index, std::uint64_t call, const void *sums,
                          std::span<const double> scores)
{
    for (std::size_t i = 0; i < frame_outputs_; ++i)
        table.append_reserved(*outputs_[i].column, index, scores[i], order(call, i));
    place_delayed_columns(call);
    if (!series_)
        return;
    series_->add(sums);
    try {
        Scores view(*this, table);
        series_->advance(view);
    } catch (const std::bad_alloc &) {
        // The frame itself is scored; what could not be written now is written when the next frame or the flush comes.
        log(LogLevel::debug, "%s: no memory for the delayed scores of frame %u yet", spec_->name, index);
    }
}

Status Registration::flush(ScoreTable &table)
{
    if (!series_)
        return {};
    Scores view(*this, table);
    return series_->flush(view);
}

bool has_cpu_work(const Frame &frame)
{
    return std::any_of(frame.due.begin(), frame.due.end(),
                       [](const Frame::Work &work) { return !work.feature->on_device(); });
}

} // namespace vmaf
