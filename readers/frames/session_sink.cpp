#include "frames/session_sink.h"

#include <algorithm>
#include <utility>

#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

SessionSink::SessionSink(const VideoFormat &format, std::vector<SessionPictures> sessions)
    : sessions_(std::move(sessions)), lent_(format)
{
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
        const auto known = std::ranges::find_if(
            groups_, [&](const Group &group) { return sessions_[group.front()].shares_gpu_with(sessions_[i]); });
        (known == groups_.end() ? groups_.emplace_back() : *known).push_back(i);
    }
}

const PictureSource &SessionSink::pictures(std::size_t video) const
{
    if (video > 0)
        return sessions_[video - 1];
    if (groups_.size() > 1)
        return lent_;
    return sessions_.front();
}

/// What the library does not take stays in `ref` and `dis`.
int SessionSink::give(const Group &group, Picture &ref, std::span<Picture> dis, unsigned index)
{
    if (group.size() == 1)
        return vmaf_read_pictures(sessions_[group[0]].get(), &ref.raw(), &dis[group[0]].raw(), index);
    std::vector<VmafContext *> contexts;
    std::vector<VmafPicture> pictures;
    for (const std::size_t session : group) {
        contexts.push_back(sessions_[session].get());
        pictures.push_back(dis[session].raw());
    }
    const int error = vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()), &ref.raw(),
                                                pictures.data(), index);
    for (std::size_t i = 0; i < group.size(); ++i)
        dis[group[i]].raw() = pictures[i];
    return error;
}

/// Each group has a view of the one reference.
int SessionSink::take(std::span<Picture> frames, unsigned index)
{
    const std::span<Picture> dis = frames.subspan(1);
    if (groups_.size() == 1)
        return give(groups_[0], frames[0], dis, index);
    const auto ref = lent_.lend(std::move(frames[0]));
    int first_error = 0;
    for (const Group &group : groups_) {
        Picture view;
        int error = LentPictures::wrap(sessions_[group.front()].get(), ref, view);
        if (error == 0)
            error = give(group, view, dis, index);
        if (first_error == 0)
            first_error = error;
    }
    return first_error;
}

} // namespace vmaf::tool
