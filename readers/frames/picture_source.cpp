#include "frames/picture_source.h"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

int SessionPictures::allocate(const VideoFormat &format) const
{
    const auto &[width_px, height_px, pix_fmt, depth] = format;
    if (!gpu_)
        return vmaf_preallocate_pictures(context_, {{width_px, height_px, depth, pix_fmt}, kPoolPictures});
    return vmaf_cuda_preallocate_pictures(
        context_, {{width_px, height_px, depth, pix_fmt}, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED});
}

int SessionPictures::fetch(VmafPicture &picture) const
{
    return gpu_ ? vmaf_cuda_fetch_preallocated_picture(context_, &picture)
                : vmaf_fetch_preallocated_picture(context_, &picture);
}

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
    void give_back(Picture picture) noexcept
    {
        try {
            const std::scoped_lock lock(mutex_);
            pictures_.push_back(std::move(picture));
        } catch (const std::bad_alloc &) {
            // Then another one is made.
        }
    }

  private:
    std::mutex mutex_;
    std::vector<Picture> pictures_;
};

class LentPictures::Lent {
  public:
    Lent(Picture picture, std::shared_ptr<FreeList> free) : picture_(std::move(picture)), free_(std::move(free)) {}
    ~Lent() { free_->give_back(std::move(picture_)); }
    Lent(const Lent &) = delete;

    const VmafPicture &raw() const { return picture_.raw(); }

  private:
    Picture picture_;
    std::shared_ptr<FreeList> free_;
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

std::shared_ptr<const LentPictures::Lent> LentPictures::lend(Picture picture) const
{
    return std::make_shared<const Lent>(std::move(picture), free_);
}

int LentPictures::wrap(VmafContext *context, const std::shared_ptr<const Lent> &lent, Picture &view)
{
    using Use = std::shared_ptr<const Lent>;
    const VmafPicture &picture = lent->raw();
    VmafForeignPicture foreign{};
    foreign.struct_size = sizeof foreign;
    foreign.pix_fmt = picture.pix_fmt;
    foreign.bpc = picture.bpc;
    foreign.w = picture.w[0];
    foreign.h = picture.h[0];
    foreign.layout = VMAF_PLANE_LAYOUT_PLANAR;
    foreign.memory = VMAF_MEMORY_HOST;
    for (unsigned plane = 0; plane < 3; ++plane) {
        foreign.data[plane] = picture.data[plane];
        foreign.stride[plane] = picture.stride[plane];
    }
    auto use = std::make_unique<Use>(lent);
    foreign.release = [](void *done) { const std::unique_ptr<Use> use_done(static_cast<Use *>(done)); };
    foreign.opaque = use.get();
    const int error = vmaf_picture_wrap(context, &view.raw(), &foreign);
    if (error == 0)
        static_cast<void>(use.release());
    return error;
}

} // namespace vmaf::tool
