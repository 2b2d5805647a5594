#include "engine/picture_history.h"

namespace vmaf {
void PictureHistory::remember(const VmafPicture &ref, const VmafPicture &dis,
                              const std::array<PairMask, kMaxLookBack> &wanted)
{
    for (unsigned i = kMaxLookBack - 1; i > 0; --i)
        pairs_[i] = std::move(pairs_[i - 1]);
    pairs_[0] = {PictureHandle::share(ref), PictureHandle::share(dis)};
    for (unsigned i = 0; i < kMaxLookBack; ++i) {
        const PairMask mask = read_later(wanted, i);
        if (mask.ref == kNoPlanes)
            pairs_[i].ref = {};
        if (mask.dis == kNoPlanes)
            pairs_[i].dis = {};
    }
    format_ = format_of(ref);
    ++count_;
}

void PictureHistory::forget()
{
    pairs_ = {};
    forgotten_ = count_;
}

void PictureHistory::keep_only(const PictureFormat &format)
{
    if (count_ > forgotten_ && format_ != format)
        forget();
}

} // namespace vmaf
