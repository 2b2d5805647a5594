#pragma once

#include <memory>

#include "frames/library.h"
#include "frames/picture_source.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// Pictures in host memory that several sessions read at the same time, of different GPUs say: each is given planes that are lent.
class LentPictures final : public PictureSource {
    class FreeList;

  public:
    explicit LentPictures(const VideoFormat &format);

    VmafContext *get() const override { return nullptr; }
    unsigned queued_pictures() const override;
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

    /// One that was fetched and filled, as long as somebody has it: then it may be filled anew.
    class Lent;
    std::shared_ptr<const Lent> lend(Picture picture) const;
    /// Its planes as a picture of that session, until the session has done with them. The library's error, or 0.
    [[nodiscard]] static int wrap(VmafContext *context, const std::shared_ptr<const Lent> &lent, Picture &view);

  private:
    VideoFormat format_;
    std::shared_ptr<FreeList> free_; ///< sessions may give pictures back when nobody reads any more
};

} // namespace vmaf::tool
