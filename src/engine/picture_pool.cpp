#include "engine/picture_pool.h"

#include "base/log.h"

namespace vmaf {

Result<std::shared_ptr<PicturePool>> PicturePool::create(const PictureFormat &format, unsigned client_limit)
{
    if (!fits_memory(format, client_limit))
        return Status::error(ENOMEM);
    std::shared_ptr<PicturePool> pool(new PicturePool(format, client_limit));
    for (unsigned i = 0; i < client_limit; ++i) {
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> picture, VmafRef::create(format));
        pool->free_.push_back(std::move(picture));
        ++pool->made_;
    }
    return pool;
}

Status PicturePool::fetch(VmafPicture &picture)
{
    std::unique_lock lock(mutex_);
    client_may_fetch_.wait(lock, [this] { return client_holds_ < client_limit_; });
    if (free_.empty()) {
        free_.reserve(made_ + 1); // so that taking back never allocates
        VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> grown, VmafRef::create(format_));
        free_.push_back(std::move(grown));
        ++made_;
    }
    std::unique_ptr<VmafRef> ref = std::move(free_.back());
    free_.pop_back();
    ++client_holds_;
    picture = ref.release()->lend(shared_from_this());
    return {};
}

void PicturePool::client_gave_up_one()
{
    {
        const std::lock_guard lock(mutex_);
        --client_holds_;
    }
    client_may_fetch_.notify_one();
}

void PicturePool::take_back(std::unique_ptr<VmafRef> picture)
{
    const std::lock_guard lock(mutex_);
    if (!retired_)
        free_.push_back(std::move(picture));
}

void PicturePool::retire()
{
    const std::lock_guard lock(mutex_);
    retired_ = true;
    free_.clear();
}

Status CurrentPool::preallocate(const PictureFormat &format, unsigned client_limit)
{
    VMAF_TRY_ASSIGN(std::shared_ptr<PicturePool> pool, PicturePool::create(format, client_limit));
    replace(std::move(pool));
    return {};
}

Status CurrentPool::fetch(VmafPicture &picture)
{
    std::shared_ptr<PicturePool> pool;
    {
        const std::lock_guard lock(mutex_);
        pool = pool_;
    }
    if (!pool) {
        log(LogLevel::error, "no pictures were preallocated");
        return Status::error(EINVAL);
    }
    return pool->fetch(picture);
}

void CurrentPool::replace(std::shared_ptr<PicturePool> pool)
{
    const std::lock_guard lock(mutex_);
    std::swap(pool, pool_);
    if (pool)
        pool->retire();
}

} // namespace vmaf
