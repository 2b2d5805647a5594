#include "engine/picture_history.h"

namespace vmaf {

void PictureHistory::remember(const VmafPicture &ref, const VmafPicture &dis, const Earlier<PairMask> &wanted)
{
    for (unsigned i = std::min(kept_, kMaxLookBack - 1); i > 0; --i)
        pairs_[i] = std::move(pairs_[i - 1]);
    pairs_[0] = {PictureHandle::share(ref), PictureHandle::share(dis)};
    for (unsigned i = 0; i <= std::min(kept_, kMaxLookBack - 1); ++i) {
        const PairMask mask = read_later(wanted, i);
        if (mask.ref == kNoPlanes)
            pairs_[i].ref = {};
        if (mask.dis == kNoPlanes)
            pairs_[i].dis = {};
    }
    kept_ = std::min({kept_ + 1, wanted.count(), kMaxLookBack});
    format_ = format_of(ref);
    ++count_;
}

void PictureHistory::forget()
{
    std::fill_n(pairs_.begin(), std::exchange(kept_, 0), PicturePair{});
    forgotten_ = count_;
}

void PictureHistory::keep_only(const PictureFormat &format)
{
    if (count_ > forgotten_ && format_ != format)
        forget();
}

} // namespace vmaf
