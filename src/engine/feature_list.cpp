#include "engine/feature_list.h"

#include <algorithm>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/lane.h"

namespace vmaf {
namespace {

std::size_t aligned_sums_bytes(const SessionFeature &feature)
{
    return round_up(feature.sums_bytes(), AlignedBuffer<std::byte>::kAlignment);
}

bool has_option(const FeatureSpec &spec, std::string_view name)
{
    const auto options = listed(spec.options);
    return std::any_of(options.begin(), options.end(),
                       [name](const VmafOptionInfo *option) { return option->name == name; });
}

PairMask planes_read(const ReadingWindow &window)
{
    PairMask mask = read_later(window.earlier, 0);
    mask |= window.pair;
    return mask;
}

} // namespace

Result<OptionValues> accepted_options(const FeatureSpec &spec, const OptionDict &options)
{
    VMAF_TRY_ASSIGN(OptionValues values, OptionValues::parse(spec, options));
    if (spec.check_options != nullptr)
        VMAF_TRY(spec.check_options(values));
    for (const auto &[key, value] : options.entries())
        if (!has_option(spec, key))
            log(LogLevel::warning, "%s has no option %s: ignored", spec.name, key.c_str());
    return values;
}

Status FeatureList::add(const FeatureSpec &spec, const OptionDict &options, DeviceChoice choice,
                        std::uint64_t pairs_before)
{
    VMAF_TRY_ASSIGN(OptionValues values, accepted_options(spec, options));
    auto feature = std::make_unique<SessionFeature>(spec, std::move(values), static_cast<unsigned>(features_.size()),
                                                    choice, pairs_before);
    const auto same = std::find_if(features_.begin(), features_.end(),
                                   [&](const auto &other) { return other->identity() == feature->identity(); });
    log(LogLevel::debug, "feature %s with %zu options", spec.name, options.entries().size());
    for (const auto &[key, value] : options.entries())
        log(LogLevel::debug, "%s: %s", key.c_str(), value.c_str());
    if (same != features_.end()) {
        if ((*same)->values() != feature->values())
            log(LogLevel::warning, "%s is registered already: its other options are dropped", spec.name);
        return {};
    }
    features_.push_back(std::move(feature));
    return {};
}

void FeatureList::set_format(const PictureFormat &format)
{
    bool is_new = false;
    for (const std::unique_ptr<SessionFeature> &feature : features_)
        if (!feature->started_for(format)) {
            feature->set_format(format);
            is_new = true;
        }
    if (!is_new)
        return;
    earlier_read_.clear();
    for (const std::unique_ptr<SessionFeature> &feature : features_)
        add_earlier(feature->window(), earlier_read_);
}

Status FeatureList::prepare(Frame &frame, const PictureFormat &format, unsigned subsample, Guarded<ScoreTable> &table,
                            Lane &lane)
{
    frame.due.clear();
    std::size_t sums_bytes = 0, score_count = 0;
    for (const std::unique_ptr<SessionFeature> &feature : features_) {
        if (!feature->is_due(frame.index, subsample))
            continue;
        if (!feature->started_for(format))
            VMAF_TRY(feature->start(format, table, lane));
        frame.due.push_back({feature.get(), sums_bytes, 0});
        sums_bytes += aligned_sums_bytes(*feature);
        score_count += feature->frame_output_count();
    }
    if (frame.sums.size() < sums_bytes)
        frame.sums = AlignedBuffer<std::byte>(sums_bytes);
    frame.scores.resize(score_count);
    return {};
}

Status FeatureList::look_back(Frame &frame, const PictureHistory &history)
{
    for (Frame::Work &work : frame.due) {
        const ReadingWindow &window = work.feature->window();
        const bool counts_calls = window.missing == ReadingWindow::Missing::is_counted_by_calls;
        if (frame.index < window.look_back() && !counts_calls)
            continue;
        work.look_back = std::min(window.look_back(), history.seen_since(work.feature->pairs_before()));
        if (work.look_back == window.look_back() || window.missing != ReadingWindow::Missing::is_refused)
            continue;
        log(LogLevel::error, "%s: frame %u has no earlier reference picture to be compared with",
            work.feature->spec().name, frame.index);
        return Status::error(EINVAL);
    }
    return {};
}

FrameNeighbours FeatureList::neighbours(const PictureFormat &format) const
{
    FrameNeighbours most;
    for (const std::unique_ptr<SessionFeature> &feature : features_) {
        const ReadingWindow window = feature->feature().window(format);
        most.before = std::max(most.before, window.frames_before());
        most.after = std::max(most.after, window.frames_after);
    }
    return most;
}

FeatureList::LookBack FeatureList::look_back_at_most() const
{
    constexpr PictureFormat kAnyFormat{VMAF_PIX_FMT_YUV420P, 8, 1920, 1080};
    LookBack most;
    for (const std::unique_ptr<SessionFeature> &feature : features_) {
        const ReadingWindow window = feature->feature().window(kAnyFormat);
        for (unsigned age = 1; age <= window.earlier.count(); ++age) {
            if (window.earlier[age - 1].ref != kNoPlanes)
                most.ref = std::max(most.ref, age);
            if (window.earlier[age - 1].dis != kNoPlanes)
                most.dis = std::max(most.dis, age);
        }
    }
    return most;
}

const FeatureSpec *FeatureList::chroma_reader(const PictureFormat &format) const
{
    for (const std::unique_ptr<SessionFeature> &feature : features_) {
        const PairMask read = planes_read(feature->feature().window(format));
        if (format.plane_count() > 1 && ((read.ref | read.dis) & kChroma) != kNoPlanes)
            return &feature->spec();
    }
    return nullptr;
}

std::optional<SessionFeature::MissingScore> FeatureList::missing_score(unsigned first, unsigned count,
                                                                       unsigned subsample) const
{
    for (const std::unique_ptr<SessionFeature> &feature : features_)
        if (const auto missing = feature->missing_score(first, count, subsample)) {
            log(LogLevel::error, "%s: frame %u of the segment has not all its scores", feature->spec().name,
                missing->index);
            return missing;
        }
    return std::nullopt;
}

std::vector<SavedSegment::FeatureRows> FeatureList::save(unsigned first, unsigned count, unsigned subsample) const
{
    std::vector<SavedSegment::FeatureRows> saved;
    for (const std::unique_ptr<SessionFeature> &feature : features_)
        saved.push_back({feature->registration(), feature->save(first, count, subsample)});
    return saved;
}

bool FeatureList::has_saved(const std::vector<SavedSegment::FeatureRows> &saved) const
{
    return std::equal(features_.begin(), features_.end(), saved.begin(), saved.end(),
                      [](const auto &feature, const auto &rows) { return feature->registration() == rows.identity; });
}

Status FeatureList::append(Guarded<ScoreTable> &table, const SavedSegment &segment, const AppendedFrames &frames)
{
    for (std::size_t i = 0; i < features_.size(); ++i) {
        VMAF_TRY(features_[i]->start_appending(segment.format, table));
        if (!features_[i]->fits(segment.features[i].rows, frames, segment.subsample)) {
            log(LogLevel::error, "segment: %s has scores of more or fewer than %u frames", features_[i]->spec().name,
                frames.count);
            return Status::error(EINVAL);
        }
    }
    return table.with([&](ScoreTable &scores) -> Status {
        for (const std::unique_ptr<SessionFeature> &feature : features_) {
            if (const auto index = feature->scored_index(frames, segment.subsample)) {
                log(LogLevel::warning, "%s: the scores of frame %u exist and cannot be overwritten",
                    feature->spec().name, *index);
                return Status::error(EINVAL);
            }
            feature->reserve_appended(frames, segment.subsample);
        }
        for (std::size_t i = 0; i < features_.size(); ++i)
            features_[i]->append(scores, segment.features[i].rows.data(), frames, segment.subsample);
        return {};
    });
}

Status FeatureList::flush(ScoreTable &table, FramesLost lost)
{
    Status first;
    for (const std::unique_ptr<SessionFeature> &feature : features_) {
        const Status status = feature->flush(table, lost);
        if (first.ok())
            first = status;
    }
    return first;
}

} // namespace vmaf
