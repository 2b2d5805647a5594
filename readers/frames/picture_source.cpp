#include "frames/picture_source.h"

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

const SessionPictures &PoolOfOne::lender() const
{
    const std::scoped_lock lock(mutex_);
    return *lender_;
}

void PoolOfOne::take_from(const SessionPictures &lender)
{
    const std::scoped_lock lock(mutex_);
    lender_ = &lender;
}

/// Fetching may wait until pictures come back.
int PoolOfOne::fetch(VmafPicture &picture) const
{
    const SessionPictures &from = lender();
    const int error = from.fetch(picture);
    if (error == 0) {
        const std::scoped_lock lock(mutex_);
        origins_[picture.data[0]] = &from;
    }
    return error;
}

const SessionPictures *PoolOfOne::origin(const VmafPicture &picture) const
{
    const std::scoped_lock lock(mutex_);
    const auto origin = origins_.find(picture.data[0]);
    return origin == origins_.end() ? nullptr : origin->second;
}

int wrap_planes(VmafContext *context, const SharedPicture &shared, Picture &view)
{
    const VmafPicture &picture = shared->raw();
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
    auto use = std::make_unique<SharedPicture>(shared);
    foreign.release = [](void *done) {
        const std::unique_ptr<SharedPicture> use_done(static_cast<SharedPicture *>(done));
    };
    foreign.opaque = use.get();
    const int error = vmaf_picture_wrap(context, &view.raw(), &foreign);
    if (error == 0)
        static_cast<void>(use.release());
    return error;
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

LentPictures::LentPictures(const VideoFormat &format) : format_(format), free_(std::make_shared<FreeList>()) {}

int LentPictures::fetch(VmafPicture &picture) const
{
    Picture used = free_->take();
    if (used.raw().ref) {
        picture = std::exchange(used.raw(), {});
        return 0;
    }
    return vmaf_picture_alloc(&picture, format_.pix_fmt, format_.depth, format_.width_px, format_.height_px);
}

SharedPicture LentPictures::share(Picture picture) const
{
    const auto back = [free = free_](Picture *done) {
        free->give_back(std::move(*done));
        const std::unique_ptr<Picture> empty(done);
    };
    return {std::make_unique<Picture>(std::move(picture)).release(), back};
}

} // namespace vmaf::tool
