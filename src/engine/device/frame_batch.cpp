#include "engine/device/frame_batch.h"

#include <cstring>

#include "base/round_up.h"
#include "engine/session_feature.h"

namespace vmaf {

std::shared_ptr<const SumsLayout> SumsLayout::with(const SessionFeature &feature, DeviceBackend &backend) const
{
    constexpr std::size_t kAlignment = 256;
    auto larger = std::make_shared<SumsLayout>(*this);
    std::erase_if(larger->parts_, [&](const Part &part) { return part.feature == &feature; });
    larger->parts_.push_back({&feature, &backend, frame_bytes_});
    larger->frame_bytes_ += round_up(feature.sums_bytes(), kAlignment);
    return larger;
}

Status FrameBatch::begin(std::shared_ptr<const SumsLayout> layout)
{
    VMAF_TRY(work_->reserve(*layout));
    layout_ = std::move(layout);
    return {};
}

void FrameBatch::hand_back(Status status, std::vector<ReturnedFrame> &returned)
{
    for (unsigned i = 0; i < count_; ++i) {
        StagedFrame &staged = frames_[i];
        const std::byte *sums = work_->sums() + i * layout_->frame_bytes();
        for (const SumsLayout::Part &part : layout_->parts())
            if (const Frame::Work *work = staged.work_of(*part.feature); work != nullptr && status.ok())
                std::memcpy(staged.frame->sums.data() + work->sums_offset, sums + part.offset,
                            part.feature->sums_bytes());
        returned.push_back({staged.slot, status});
        staged.uploads.clear();
    }
    count_ = 0;
    status_ = {};
}

} // namespace vmaf
