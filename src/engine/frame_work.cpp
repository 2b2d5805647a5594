#include "engine/frame_work.h"

#include <algorithm>
#include <new>

#include "base/log.h"
#include "engine/session_feature.h"
#include "engine/shared_sums.h"

namespace vmaf {
namespace {

/// Calls `visit(ForeignPicture, plane)` for the planes in host memory that are not plain and that
/// CPU features read.
template <class Visit> Status for_planes_to_normalise(const Frame &frame, Visit &&visit)
{
    const auto visit_picture = [&](const PictureHandle &picture, PlaneMask read) -> Status {
        if (!picture || picture.kind() == MemoryKind::device || picture.foreign() == nullptr)
            return {};
        for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane)
            if ((read >> plane & 1) != 0 && !picture.source(plane).is_plain() && !picture.plane(plane).is_empty())
                VMAF_TRY(visit(*picture.foreign(), plane));
        return {};
    };
    for (unsigned age = 0, oldest = frame.look_back(); age <= oldest; ++age) {
        const PairMask read = planes_read(frame, Runs::on_cpu, age);
        VMAF_TRY(visit_picture(frame.pair_at(age).ref, read.ref));
        VMAF_TRY(visit_picture(frame.pair_at(age).dis, read.dis));
    }
    return {};
}

PlaneView host_view(const PictureHandle &picture, unsigned plane)
{
    return picture.source(plane).is_plain() ? picture.plane(plane) : picture.foreign()->normalised(plane);
}

PairOf<PlaneView> host_views(const PicturePair &pair)
{
    PairOf<PlaneView> views;
    const auto view = [](const PictureHandle &picture, PlaneView(&planes)[3]) {
        for (unsigned plane = 0; picture && plane < picture.format().plane_count(); ++plane)
            planes[plane] = host_view(picture, plane);
    };
    view(pair.ref, views.ref);
    view(pair.dis, views.dis);
    return views;
}

Status normalise(const Frame &frame)
{
    return for_planes_to_normalise(frame, [](ForeignPicture &picture, unsigned plane) -> Status {
        picture.normalise(plane);
        return {};
    });
}

Status check_unscored(const SessionFeature &feature, unsigned index)
{
    if (!feature.is_scored(index))
        return {};
    log(LogLevel::warning, "%s: frame %u was scored meanwhile and cannot be overwritten", feature.spec().name, index);
    return Status::error(EINVAL);
}

Status extract(unsigned worker, Frame &frame, const Frame::Work &work, void *sums)
{
    return work.shared != nullptr ? work.shared->take(work, worker, sums)
                                  : work.feature->extract(worker, frame.planes, work.look_back, frame.seen, sums);
}

Status compute(unsigned worker, Frame &frame)
{
    std::span<double> scores(frame.scores);
    for (const Frame::Work &work : frame.due) {
        std::byte *sums = frame.sums.data() + work.sums_offset;
        VMAF_TRY(work.feature->on_device() ? work.feature->check_sums(sums, frame.index)
                                           : extract(worker, frame, work, sums));
        work.feature->finish(sums, scores.first(work.feature->frame_output_count()));
        scores = scores.subspan(work.feature->frame_output_count());
    }
    return {};
}

Status commit(const Frame &frame, ScoreTable &table)
{
    for (const Frame::Work &work : frame.due) {
        VMAF_TRY(check_unscored(*work.feature, frame.index));
        work.feature->reserve(frame.index);
    }
    std::span<const double> scores(frame.scores);
    for (const Frame::Work &work : frame.due) {
        VMAF_TRY(check_unscored(*work.feature, frame.index)); // two features may write one column (spec cambi 2)
        work.feature->commit(table, frame.index, frame.call, frame.sums.data() + work.sums_offset,
                             scores.first(work.feature->frame_output_count()));
        scores = scores.subspan(work.feature->frame_output_count());
    }
    return {};
}

} // namespace

bool has_cpu_work(const Frame &frame)
{
    return std::any_of(frame.due.begin(), frame.due.end(), [](const Frame::Work &work) {
        return !work.feature->on_device() && (work.shared == nullptr || !work.shared->is_done());
    });
}

PairMask planes_read(const Frame &frame, Runs runs, unsigned age)
{
    PairMask mask;
    for (const Frame::Work &work : frame.due)
        if (work.feature->on_device() == (runs == Runs::on_device) && age <= work.look_back)
            mask |= age == 0 ? work.feature->window().pair : work.feature->window().earlier[age - 1];
    return mask;
}

Status prepare_planes(Frame &frame, NormalisedPlanes &memory)
{
    const unsigned look_back = frame.look_back();
    frame.planes.begin(frame.index);
    if (has_cpu_work(frame))
        frame.seen.earlier.reserve(look_back);
    if (frame.pair.ref.kind() == MemoryKind::device)
        return {};
    VMAF_TRY(for_planes_to_normalise(
        frame, [&](ForeignPicture &picture, unsigned plane) { return picture.reserve(plane, memory); }));
    static_cast<PairOf<PlaneView> &>(frame.planes) = host_views(frame.pair);
    for (unsigned age = 1; age <= look_back; ++age)
        frame.planes.earlier[age - 1] = host_views(frame.pair_at(age));
    return {};
}

Status score_frame(unsigned worker, Frame &frame, Guarded<ScoreTable> &table)
{
    try {
        VMAF_TRY(normalise(frame));
        VMAF_TRY(compute(worker, frame));
        return table.with([&](ScoreTable &scores) { return commit(frame, scores); });
    } catch (const std::bad_alloc &) {
        log(LogLevel::error, "frame %u: out of memory", frame.index);
        return Status::error(ENOMEM);
    }
}

} // namespace vmaf
