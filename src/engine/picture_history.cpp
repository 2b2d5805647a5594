#include "engine/picture_history.h"

namespace vmaf {

void PictureHistory::remember(const VmafPicture &ref, const VmafPicture &dis, const Earlier<PairMask> &wanted)
{
    pairs_.resize(std::min<std::size_t>(pairs_.size() + 1, wanted.count()));
    for (std::size_t i = pairs_.size(); i-- > 1;)
        pairs_[i] = std::move(pairs_[i - 1]);
    if (!pairs_.empty())
        pairs_[0] = {PictureHandle::share(ref), PictureHandle::share(dis)};
    for (unsigned i = 0; i < pairs_.size(); ++i) {
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
    pairs_.clear();
    forgotten_ = count_;
}

void PictureHistory::keep_only(const PictureFormat &format)
{
    if (count_ > forgotten_ && format_ != format)
        forget();
}

} // namespace vmaf
