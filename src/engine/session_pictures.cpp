// Functions of a session for pictures, besides reading.

#include "base/log.h"
#include "engine/session.h"

namespace vmaf {

Result<VmafPicture> Session::wrap(const PictureFormat &format, const ForeignPlanes &planes)
{
    std::unique_ptr<VmafRef> ref = VmafRef::wrap(format, planes);
    VMAF_TRY(lane_->prepare_for(*ref->foreign()));
    return ref.release()->picture();
}

// Clients such as ffmpeg write luma only into device pictures (spec cuda 5).
void Session::warn_about_chroma()
{
    if (warned_about_chroma_)
        return;
    const std::optional<PictureFormat> format = lane_->device_pool_format();
    const FeatureSpec *reader = format ? features_.chroma_reader(*format) : nullptr;
    if (reader == nullptr)
        return;
    warned_about_chroma_ = true;
    log(LogLevel::warning, "%s reads chroma, which is neutral in pictures on the device until the client writes it",
        reader->name);
}

Session::PicturesHeld Session::pictures_held() const
{
    const Lane::Holding holding = lane_->holding(ledger_.slot_count(), config_.subsample);
    // A run of frames, one after the other, needs the pictures before its first frame too.
    const FeatureList::LookBack back = features_.look_back_at_most();
    return {holding.frames + holding.runs * back.ref, holding.frames + holding.runs * back.dis};
}

Status Session::preallocate(const PictureFormat &format, unsigned client_limit)
{
    if (!fits_memory(format, client_limit))
        return Status::error(ENOMEM);
    VMAF_TRY_ASSIGN(std::unique_ptr<PictureMemory> memory, lane_->host_picture_memory(format));
    return pool_.preallocate(std::move(memory), client_limit);
}

Status Session::preallocate_for_device(const PictureFormat &format, MemoryKind kind)
{
    VMAF_TRY(lane_->preallocate(format, kind));
    warn_about_chroma();
    return {};
}

Status Session::fetch_from_device(VmafPicture &picture)
{
    do {
        VMAF_TRY_ASSIGN(picture, lane_->fetch(false));
    } while (picture.ref == nullptr && collect(Lane::Wait::for_oldest));
    if (picture.ref == nullptr) {
        VMAF_TRY_ASSIGN(picture, lane_->fetch(true));
    }
    if (picture.ref != nullptr)
        return {};
    log(LogLevel::error, "every preallocated picture is held by the client");
    return Status::error(EAGAIN);
}

} // namespace vmaf
