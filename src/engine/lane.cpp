#include "engine/lane.h"

namespace vmaf {

FrameToken::~FrameToken()
{
    if (admitted_)
        lane_->give_up();
    hold_ = {};
    if (!handed_over_)
        ledger_.give_back_slot(slot_);
}

Status FrameToken::admit(SharedReference *shared)
{
    VMAF_TRY(lane_->admit(slot_, frame(), shared));
    admitted_ = true;
    return {};
}

Status FrameToken::go()
{
    VMAF_TRY(lane_->go(*this));
    admitted_ = false;
    hold_ = {};
    return {};
}

unsigned FrameToken::hand_over()
{
    admitted_ = false;
    handed_over_ = true;
    return slot_;
}

} // namespace vmaf
