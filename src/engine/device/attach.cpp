#include "base/log.h"
#include "engine/device/lane.h"
#include "engine/session.h"

namespace vmaf {

Status Session::attach(std::unique_ptr<Device> device)
{
    if (has_device() || pictures_.pair_count() > 0 || flushed_) {
        log(LogLevel::error, "a device state can be imported once, before the first picture");
        return Status::error(EINVAL);
    }
    auto lane = std::make_unique<DeviceLane>(std::move(device), ledger_, id_);
    const unsigned slots = ledger_.slot_count() + lane->most_in_flight();
    lane_->reserve_slots(slots);
    ledger_.add_slots(lane->most_in_flight());
    pictures_.set_device_context(lane->device_context());
    lane->put_above(std::move(lane_));
    lane_ = std::move(lane);
    return {};
}

} // namespace vmaf
