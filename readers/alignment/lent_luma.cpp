#include "alignment/lent_luma.h"

#include "common/failure.h"

namespace vmaf::tool {
namespace {

/// More than frames are in flight: the GPU is done with the oldest.
constexpr unsigned kSlots = 32;

void check(int error)
{
    if (error)
        throw ScoringStopped(StopReason::engine_error, exit_code_of(error),
                             "problem making small luma of a frame on the GPU");
}

VmafPicture view_of(std::vector<std::uint8_t> &samples, const VmafLumaGrid &grid)
{
    VmafPicture view{};
    view.pix_fmt = VMAF_PIX_FMT_YUV400P;
    view.bpc = 8;
    view.w[0] = grid.columns;
    view.h[0] = grid.rows;
    view.stride[0] = grid.columns;
    view.data[0] = samples.data();
    return view;
}

} // namespace

void LentLuma::take(unsigned number, VmafContext *context, const VmafPicture &picture)
{
    if (!collector_.wants(number))
        return;
    if (!boxes_) {
        const VmafLumaGrid grid = collector_.boxes();
        VmafLumaBoxes *made = nullptr;
        check(vmaf_luma_boxes_create(&made, context, grid, kSlots));
        boxes_.reset(made);
        sums_.resize(std::size_t{grid.columns} * grid.rows);
    }
    if (made_.size() == kSlots)
        collect_oldest();
    const unsigned slot = frames_++ % kSlots;
    check(vmaf_luma_boxes_add(boxes_.get(), &picture, slot));
    made_.push_back({number, picture.bpc, slot});
}

void LentLuma::collect_oldest()
{
    const Made oldest = made_.front();
    made_.pop_front();
    check(vmaf_luma_boxes_read(boxes_.get(), oldest.slot, sums_.data()));
    std::vector<std::uint8_t> *const samples = collector_.take_sums(oldest.number, sums_, oldest.depth);
    if (samples && probe_)
        probe_->look(view_of(*samples, collector_.boxes()), Range::limited, false);
}

void LentLuma::finish()
{
    while (!made_.empty())
        collect_oldest();
    boxes_ = nullptr;
}

} // namespace vmaf::tool
