#include "alignment/lent_luma.h"

#include <span>

#include "common/failure.h"

namespace vmaf::tool {
namespace {

/// More than are in flight: the GPU is done with the oldest.
constexpr unsigned kMostFrames = 32;
constexpr unsigned kPlanes = 3;

void check(int error)
{
    if (error)
        throw ScoringStopped(StopReason::engine_error, exit_code_of(error),
                             "problem making small luma of a frame on the GPU");
}

/// @param planes luma, or luma and both planes of chroma.
VmafPicture view_of(std::span<std::vector<std::uint8_t>> planes, const VmafLumaGrid &grid)
{
    VmafPicture view{};
    view.pix_fmt = planes.size() == kPlanes ? VMAF_PIX_FMT_YUV444P : VMAF_PIX_FMT_YUV400P;
    view.bpc = 8;
    for (std::size_t plane = 0; plane < planes.size(); ++plane) {
        view.w[plane] = grid.columns;
        view.h[plane] = grid.rows;
        view.stride[plane] = grid.columns;
        view.data[plane] = planes[plane].data();
    }
    return view;
}

} // namespace

bool LentLuma::wants_chroma_of(const VmafPicture &picture) const
{
    return probe_ && probe_->wants_chroma() && picture.pix_fmt != VMAF_PIX_FMT_YUV400P;
}

void LentLuma::take(unsigned number, VmafContext *context, const VmafPicture &picture, bool has_chroma)
{
    if (!collector_.wants(number))
        return;
    if (!boxes_) {
        const VmafLumaGrid grid = collector_.boxes();
        VmafLumaBoxes *made = nullptr;
        check(vmaf_luma_boxes_create(&made, context, grid, kMostFrames * kPlanes));
        boxes_.reset(made);
        sums_.resize(std::size_t{grid.columns} * grid.rows);
    }
    if (made_.size() == kMostFrames)
        collect_oldest();
    Made made{number, picture.bpc, frames_++ % kMostFrames * kPlanes};
    check(vmaf_luma_boxes_add(boxes_.get(), &picture, 0, made.slot));
    if (has_chroma && wants_chroma_of(picture)) {
        for (unsigned plane = 1; plane < kPlanes; ++plane)
            check(vmaf_luma_boxes_add(boxes_.get(), &picture, plane, made.slot + plane));
        made.chroma_width_px = picture.w[1];
        made.chroma_height_px = picture.h[1];
    }
    made_.push_back(made);
}

const std::vector<std::uint32_t> &LentLuma::sums_in(unsigned slot)
{
    check(vmaf_luma_boxes_read(boxes_.get(), slot, sums_.data()));
    return sums_;
}

void LentLuma::collect_oldest()
{
    const Made oldest = made_.front();
    made_.pop_front();
    const std::vector<std::uint8_t> *const luma =
        collector_.take_sums(oldest.number, sums_in(oldest.slot), oldest.depth);
    if (!luma || !probe_)
        return;
    std::vector<std::vector<std::uint8_t>> planes{*luma};
    const bool has_chroma = oldest.chroma_width_px > 0 && oldest.chroma_height_px > 0;
    for (unsigned plane = 1; has_chroma && plane < kPlanes; ++plane)
        planes.push_back(collector_.chroma_of_sums(sums_in(oldest.slot + plane), oldest.chroma_width_px,
                                                   oldest.chroma_height_px, oldest.depth));
    probe_->look(view_of(planes, collector_.boxes()), Range::limited, has_chroma);
}

void LentLuma::finish()
{
    while (!made_.empty())
        collect_oldest();
    boxes_ = nullptr;
}

} // namespace vmaf::tool
