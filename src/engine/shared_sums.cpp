#include "engine/shared_sums.h"

#include <algorithm>
#include <cstring>

#include "engine/session_feature.h"

namespace vmaf {
namespace {

bool are_plain(const PictureHandle &picture, PlaneMask planes)
{
    for (unsigned plane = 0; picture && plane < picture.format().plane_count(); ++plane)
        if ((planes >> plane & 1) != 0 && !picture.source(plane).is_plain())
            return false;
    return true;
}

/// Planes that are not plain are made so when their frame is scored, which may be too late.
bool sees_plain_planes(const Frame &frame, const Frame::Work &work)
{
    const ReadingWindow &window = work.feature->window();
    for (unsigned age = 0; age <= work.look_back; ++age) {
        const PairMask read = age == 0 ? window.pair : window.earlier[age - 1];
        if (!are_plain(frame.pair_at(age).ref, read.ref) || !are_plain(frame.pair_at(age).dis, read.dis))
            return false;
    }
    return true;
}

} // namespace

bool SharedSums::is_for(const SessionFeature &feature, const FramePlanes &seen) const
{
    const FramePlanes &first = planes_.front();
    if (&feature.spec() != &feature_.spec() || !(feature.values() == feature_.values()) ||
        seen.frame_index != first.frame_index || seen.earlier.count() != first.earlier.count())
        return false;
    for (unsigned age = 0; age < seen.earlier.count(); ++age)
        if (!std::ranges::equal(seen.earlier[age].ref, first.earlier[age].ref))
            return false;
    return std::ranges::equal(seen.ref, first.ref);
}

SharedSums::List SharedSums::share(std::span<Frame *const> frames)
{
    struct Sharing {
        Frame::Work &work;
        SharedSums &sums;
        unsigned place;
    };
    List list;
    std::vector<Sharing> all;
    for (Frame *frame : frames)
        for (Frame::Work &work : frame->due) {
            const SessionFeature &feature = *work.feature;
            if (!feature.takes_ladders() || !sees_plain_planes(*frame, work))
                continue;
            FramePlanes seen;
            see_through(feature.window(), frame->planes, work.look_back, seen);
            auto sums = std::ranges::find_if(list, [&](const auto &made) { return made->is_for(feature, seen); });
            if (sums == list.end())
                sums = list.insert(sums, std::make_unique<SharedSums>(feature));
            (*sums)->planes_.push_back(seen);
            all.push_back({work, **sums, static_cast<unsigned>((*sums)->planes_.size()) - 1});
        }
    for (const Sharing &one : all)
        if (one.sums.planes_.size() > 1) {
            one.work.shared = &one.sums;
            one.work.place = one.place;
        }
    return list;
}

void SharedSums::compute(const SessionFeature &feature, unsigned worker)
{
    if (is_done_)
        return;
    if (sums_.size() == 0)
        sums_ = AlignedBuffer<std::byte>(feature.sums_bytes() * planes_.size());
    status_ = feature.extract_all(worker, planes_, sums_.data());
    is_done_ = true;
}

Status SharedSums::take(const Frame::Work &work, unsigned worker, void *sums)
{
    compute(*work.feature, worker);
    VMAF_TRY(status_);
    const std::size_t bytes = work.feature->sums_bytes();
    std::memcpy(sums, sums_.data() + work.place * bytes, bytes);
    return {};
}

} // namespace vmaf
