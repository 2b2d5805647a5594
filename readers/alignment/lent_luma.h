#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "alignment/collect.h"
#include "frames/library.h"
#include "input/frame_probe.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

/// Small luma of frames that are lent to the library in a GPU's memory. It is made there, and
/// collected some frames later or at the end. Bars are looked for in it, and colour in small chroma
/// of the first frames. One thread uses it.
class LentLuma {
  public:
    /// @param collector outlives it. @param probe likewise; null: nobody asks for bars and colour.
    LentLuma(LumaCollector &collector, FrameProbe *probe) : collector_(collector), probe_(probe) {}

    /// Takes a frame if the collector wants it, and does not wait for the GPU. Throws
    /// ScoringStopped. @param context that it was lent to. @param has_chroma its chroma planes were
    /// read.
    void take(unsigned number, VmafContext *context, const VmafPicture &picture, bool has_chroma);
    /// No frame follows. Waits for the GPU. Throws ScoringStopped.
    void finish();

  private:
    struct Made {
        unsigned number, depth, slot;                       ///< slot of luma; the next one has chroma
        unsigned chroma_width_px = 0, chroma_height_px = 0; ///< 0: chroma is not summed
    };
    bool wants_chroma_of(const VmafPicture &picture) const;
    const std::vector<std::uint32_t> &sums_in(unsigned slot);
    void collect_oldest();

    LumaCollector &collector_;
    FrameProbe *probe_;
    std::unique_ptr<VmafLumaBoxes, ReleasedBy<vmaf_luma_boxes_destroy>> boxes_;
    unsigned frames_ = 0;
    std::deque<Made> made_; ///< oldest first
    std::vector<std::uint32_t> sums_;
};

} // namespace vmaf::tool
