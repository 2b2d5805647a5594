#include "engine/device/pools.h"

#include <algorithm>

#include "base/log.h"

namespace vmaf {
namespace {

constexpr unsigned kClientLimit = 16;

} // namespace

Status DevicePools::preallocate(Device &device, const PictureFormat &format, MemoryKind kind, unsigned usual_count)
{
    VMAF_TRY_ASSIGN(std::unique_ptr<PictureMemory> memory, device.picture_memory(format, kind, session_id_));
    const DeviceUse use(device);
    VMAF_TRY(use.status());
    VMAF_TRY_ASSIGN(std::shared_ptr<PicturePool> pool,
                    PicturePool::create(std::move(memory), {kClientLimit, PictureMemory::kMadeAtOnce, usual_count}));
    others_.reserve(others_.size() + 1);
    drop_idle();
    std::swap(pool, pool_);
    format_ = format;
    kind_ = kind;
    if (pool && pool->idle())
        pool->retire();
    else if (pool)
        others_.push_back(std::move(pool));
    return {};
}

void DevicePools::expect(unsigned usual_count)
{
    if (pool_)
        pool_->expect(usual_count);
}

Result<VmafPicture> DevicePools::fetch(Device &device, bool grow)
{
    if (!pool_) {
        log(LogLevel::error, "no pictures were preallocated for the device");
        return Status::error(EINVAL);
    }
    const DeviceUse use(device);
    VMAF_TRY(use.status());
    return pool_->fetch(grow ? PicturePool::Grow::yes : PicturePool::Grow::no);
}

void DevicePools::borrow(const std::shared_ptr<PicturePool> &pool)
{
    if (std::find(others_.begin(), others_.end(), pool) != others_.end())
        return;
    drop_idle();
    others_.reserve(others_.size() + 1);
    pool->add_user();
    others_.push_back(pool);
}

std::optional<PictureFormat> DevicePools::device_format() const
{
    return kind_ == MemoryKind::device ? format_ : std::nullopt;
}

void DevicePools::drop_idle()
{
    std::erase_if(others_, [](const std::shared_ptr<PicturePool> &pool) {
        if (!pool->idle())
            return false;
        pool->retire();
        return true;
    });
}

void DevicePools::retire()
{
    if (pool_)
        pool_->retire();
    for (const std::shared_ptr<PicturePool> &pool : others_)
        pool->retire();
    pool_.reset();
    others_.clear();
}

} // namespace vmaf
