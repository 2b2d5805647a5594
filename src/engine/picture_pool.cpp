#include "engine/picture_pool.h"

#include <algorithm>
#include <limits>

#include "base/log.h"

namespace vmaf {
namespace {

class PlainMemory final : public PictureMemory {
  public:
    explicit PlainMemory(const PictureFormat &format) : format_(format) {}
    Result<std::unique_ptr<VmafRef>> make(unsigned) override { return VmafRef::create(format_); }

  private:
    const PictureFormat format_;
};

} // namespace

std::unique_ptr<PictureMemory> plain_picture_memory(const PictureFormat &format)
{
    return std::make_unique<PlainMemory>(format);
}

Result<std::shared_ptr<PicturePool>> PicturePool::create(std::unique_ptr<PictureMemory> memory, const Limits &limits)
{
    std::shared_ptr<PicturePool> pool(new PicturePool(std::move(memory), limits));
    while (pool->made_ < limits.first)
        VMAF_TRY(pool->make_one());
    return pool;
}

Status PicturePool::make_one()
{
    free_.reserve(made_ + 1); // so that taking back never allocates
    VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> picture, memory_->make(std::max(limits_.usual, made_ + 1) - made_));
    free_.push_back(std::move(picture));
    ++made_;
    return {};
}

// Needs the lock.
Result<VmafPicture> PicturePool::take(Grow grow)
{
    if (free_.empty()) {
        if (grow == Grow::no && made_ >= limits_.usual)
            return VmafPicture{};
        VMAF_TRY(make_one());
    }
    std::unique_ptr<VmafRef> picture = std::move(free_.back());
    free_.pop_back();
    ++client_holds_;
    return picture.release()->lend(shared_from_this());
}

Result<VmafPicture> PicturePool::fetch(Grow grow)
{
    const std::lock_guard lock(mutex_);
    return client_holds_ < limits_.client ? take(grow) : VmafPicture{};
}

Result<VmafPicture> PicturePool::wait_and_fetch()
{
    std::unique_lock lock(mutex_);
    client_may_fetch_.wait(lock, [this] { return client_holds_ < limits_.client; });
    return take(Grow::yes);
}

void PicturePool::expect(unsigned usual_count)
{
    const std::lock_guard lock(mutex_);
    limits_.usual = std::max(limits_.usual, usual_count);
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
    if (memory_)
        free_.push_back(std::move(picture));
}

void PicturePool::add_user()
{
    const std::lock_guard lock(mutex_);
    ++users_;
}

void PicturePool::retire()
{
    std::unique_ptr<PictureMemory> memory; // freed without the lock
    const std::lock_guard lock(mutex_);
    if (--users_ > 0)
        return;
    free_.clear();
    memory.swap(memory_);
}

bool PicturePool::idle()
{
    const std::lock_guard lock(mutex_);
    return free_.size() == made_;
}

const void *PicturePool::device_context()
{
    const std::lock_guard lock(mutex_);
    return memory_ ? memory_->device_context() : nullptr;
}

Status CurrentPool::preallocate(std::unique_ptr<PictureMemory> memory, unsigned client_limit)
{
    VMAF_TRY_ASSIGN(
        std::shared_ptr<PicturePool> pool,
        PicturePool::create(std::move(memory), {client_limit, client_limit, std::numeric_limits<unsigned>::max()}));
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
    VMAF_TRY_ASSIGN(picture, pool->wait_and_fetch());
    return {};
}

void CurrentPool::replace(std::shared_ptr<PicturePool> pool)
{
    const std::lock_guard lock(mutex_);
    std::swap(pool, pool_);
    if (pool)
        pool->retire();
}

} // namespace vmaf
