#include "scoring/lent_pictures.h"

#include <mutex>
#include <utility>
#include <vector>

#include "libvmaf/libvmaf_ext.h"
#include "scoring/scoring_context.h"

namespace vmaf::tool {

class LentPictures::FreeList {
  public:
    /// An empty one if there is none.
    Picture take()
    {
        const std::scoped_lock lock(mutex_);
        Picture picture;
        if (!pictures_.empty()) {
            picture = std::move(pictures_.back());
            pictures_.pop_back();
        }
        return picture;
    }
    void give_back(Picture picture)
    {
        const std::scoped_lock lock(mutex_);
        pictures_.push_back(std::move(picture));
    }

  private:
    std::mutex mutex_;
    std::vector<Picture> pictures_;
};

LentPictures::LentPictures(const VideoFormat &format) : format_(format), free_(std::make_shared<FreeList>()) {}

unsigned LentPictures::queued_pictures() const
{
    return kQueuedPictures;
}

int LentPictures::fetch(VmafPicture &picture) const
{
    Picture used = free_->take();
    if (used.raw().ref) {
        picture = std::exchange(used.raw(), {});
        return 0;
    }
    return vmaf_picture_alloc(&picture, format_.pix_fmt, format_.depth, format_.width_px, format_.height_px);
}

LentPictures::Lent LentPictures::lend(Picture picture) const
{
    auto *const kept = new Picture(std::move(picture));
    const auto give_back = [free = free_](Picture *done) {
        const std::unique_ptr<Picture> owner(done);
        free->give_back(std::move(*done));
    };
    const std::shared_ptr<Picture> owner(kept, give_back); // on failure too
    return {owner, &kept->raw()};
}

int LentPictures::wrap(VmafContext *context, const Lent &lent, Picture &view)
{
    VmafForeignPicture foreign{};
    foreign.struct_size = sizeof foreign;
    foreign.pix_fmt = lent->pix_fmt;
    foreign.bpc = lent->bpc;
    foreign.w = lent->w[0];
    foreign.h = lent->h[0];
    foreign.layout = VMAF_PLANE_LAYOUT_PLANAR;
    foreign.memory = VMAF_MEMORY_HOST;
    for (unsigned plane = 0; plane < 3; ++plane) {
        foreign.data[plane] = lent->data[plane];
        foreign.stride[plane] = lent->stride[plane];
    }
    auto use = std::make_unique<Lent>(lent);
    foreign.release = [](void *done) { delete static_cast<Lent *>(done); };
    foreign.opaque = use.get();
    const int error = vmaf_picture_wrap(context, &view.raw(), &foreign);
    if (error == 0)
        static_cast<void>(use.release());
    return error;
}

} // namespace vmaf::tool
