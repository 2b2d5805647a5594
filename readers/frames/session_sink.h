#pragma once

#include <vector>

#include "frames/frame_loop.h"
#include "frames/picture_source.h"

namespace vmaf::tool {

/// Sessions that score frames, one for each distorted video. Sessions of one GPU share the reference (vmaf_read_pictures_shared()).
class SessionSink final : public FrameSink {
  public:
    /// @param format of all videos. @param sessions one or more.
    SessionSink(const VideoFormat &format, std::vector<SessionPictures> sessions);

    const PictureSource &pictures(std::size_t video) const override;
    [[nodiscard]] int take(std::span<Picture> frames, unsigned index) override;

  private:
    /// Places of sessions that are on one GPU, or on none.
    using Group = std::vector<std::size_t>;

    int give(const Group &group, Picture &ref, std::span<Picture> dis, unsigned index);

    std::vector<SessionPictures> sessions_;
    std::vector<Group> groups_;
    LentPictures lent_; ///< the reference, where there are several groups
};

} // namespace vmaf::tool
