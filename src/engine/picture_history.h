#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/frame.h"
#include "feature/reading_window.h"

namespace vmaf {

/// The picture pairs that later frames are compared with, by call order (spec abi 4.3). Keeps
/// references of those pictures only that some feature will look back at.
class PictureHistory {
  public:
    /// Latest first; empty where there is none, or nobody looks.
    const std::vector<PicturePair> &pairs() const { return pairs_; }
    /// Pairs remembered in all.
    std::uint64_t count() const { return count_; }
    /// How many of the latest pairs a feature has seen that was registered when there were
    /// `pairs_before`.
    unsigned seen_since(std::uint64_t pairs_before) const
    {
        return static_cast<unsigned>(
            std::min<std::uint64_t>(count_ - std::max(pairs_before, forgotten_), std::numeric_limits<unsigned>::max()));
    }

    /// Makes room for so many pairs. Throws std::bad_alloc.
    void reserve(unsigned pair_count) { pairs_.reserve(pair_count); }
    /// The pair becomes the latest. @param wanted what features read of earlier pairs, all features
    /// together; there is room for them.
    void remember(const VmafPicture &ref, const VmafPicture &dis, const Earlier<PairMask> &wanted);
    /// Drops all pairs: nothing later is compared with them.
    void forget();
    /// Forgets pairs of another format: they come from a frame that was refused.
    void keep_only(const PictureFormat &format);

  private:
    std::vector<PicturePair> pairs_;
    std::uint64_t count_ = 0;
    std::uint64_t forgotten_ = 0; ///< count() at the last forget()
    PictureFormat format_;        ///< format of the latest pair
};

} // namespace vmaf
