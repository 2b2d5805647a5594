#include "engine/cuda/batch.h"

#include <algorithm>
#include <cstring>

#include "base/round_up.h"

namespace vmaf {

std::shared_ptr<const CudaSumsLayout> CudaSumsLayout::with(const SessionFeature &feature,
                                                           CudaExtractor &extractor) const
{
    constexpr std::size_t kAlignment = 256;
    auto larger = std::make_shared<CudaSumsLayout>(*this);
    std::erase_if(larger->parts_, [&](const Part &part) { return part.feature == &feature; });
    larger->parts_.push_back({&feature, &extractor, frame_bytes_});
    larger->runs_beside_ = larger->runs_beside_ || extractor.runs_beside();
    larger->frame_bytes_ += round_up(feature.sums_bytes(), kAlignment);
    return larger;
}

const Frame::Work *CudaStagedFrame::work_of(const SessionFeature &feature) const
{
    for (const Frame::Work &work : frame->due)
        if (work.feature == &feature)
            return &work;
    return nullptr;
}

Result<std::unique_ptr<CudaFrameBatch>> CudaFrameBatch::create(const CudaContextPtr &context)
{
    std::unique_ptr<CudaFrameBatch> batch(new CudaFrameBatch(context));
    VMAF_TRY_ASSIGN(batch->inputs_ready_, make_cuda_event(context));
    VMAF_TRY_ASSIGN(batch->kernels_done_, make_cuda_event(context));
    VMAF_TRY_ASSIGN(batch->beside_done_, make_cuda_event(context));
    VMAF_TRY_ASSIGN(batch->done_, make_cuda_event(context));
    return batch;
}

Status CudaFrameBatch::begin(std::shared_ptr<const CudaSumsLayout> layout)
{
    const std::size_t bytes = layout->frame_bytes() * kMaxBatchFrames;
    if (bytes > capacity_bytes_) {
        VMAF_TRY_ASSIGN(CudaDeviceMemory device, make_cuda_device_memory(context_, bytes));
        VMAF_TRY_ASSIGN(CudaPinnedMemory host, make_cuda_pinned_memory(context_, bytes));
        device_sums_ = std::move(device);
        host_sums_ = std::move(host);
        capacity_bytes_ = bytes;
    }
    layout_ = std::move(layout);
    return {};
}

Status CudaFrameBatch::launch(CUstream in, const Lane &kernels, const Lane &beside, CUstream out)
{
    const CudaDriver &driver = context_->driver();
    const std::size_t bytes = layout_->frame_bytes() * count_;
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver, cuMemsetD8Async(device_sums_.get(), 0, bytes, in));
    CHECK_CUDA_RETURN(driver, cuEventRecord(inputs_ready_.get(), in));
    if (layout_->runs_beside())
        VMAF_TRY(launch_lane(beside, true, beside_done_, out)); // first: its chains are the longest
    VMAF_TRY(launch_lane(kernels, false, kernels_done_, out));
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver, cuMemcpyDtoHAsync(host_sums_.get(), device_sums_.get(), bytes, out));
    CHECK_CUDA_RETURN(driver, cuEventRecord(done_.get(), out));
    return {};
}

// The kernels of the features that run beside the others, or of the others: behind the inputs, before what follows in `out`.
Status CudaFrameBatch::launch_lane(const Lane &lane, bool beside, const CudaEvent &done, CUstream out)
{
    const CudaDriver &driver = context_->driver();
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(lane.stream, inputs_ready_.get(), 0));
    for (const CudaSumsLayout::Part &part : layout_->parts())
        if (part.extractor->runs_beside() == beside)
            VMAF_TRY(launch_part(part, lane));
    CHECK_CUDA_RETURN(driver, cuEventRecord(done.get(), lane.stream));
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(out, done.get(), 0));
    return {};
}

Status CudaFrameBatch::launch_part(const CudaSumsLayout::Part &part, const Lane &lane)
{
    work_.count = 0;
    for (unsigned i = 0; i < count_; ++i) {
        const Frame::Work *share = frames_[i].work_of(*part.feature);
        if (share == nullptr)
            continue;
        const FrameOf<CudaPlane> seen = seen_through(part.feature->window(), frames_[i].planes, share->look_back);
        void *sums = reinterpret_cast<void *>(device_sums_.get() + i * layout_->frame_bytes() + part.offset);
        work_.frames[work_.count++] = {seen, sums};
    }
    return work_.count > 0 ? part.extractor->submit(lane.stream, work_, lane.scratch) : Status();
}

void CudaFrameBatch::hand_back(Status status, std::vector<DevicePipeline::Returned> &returned)
{
    for (unsigned i = 0; i < count_; ++i) {
        CudaStagedFrame &staged = frames_[i];
        const auto *sums = static_cast<const std::byte *>(host_sums_.get()) + i * layout_->frame_bytes();
        for (const CudaSumsLayout::Part &part : layout_->parts())
            if (const Frame::Work *work = staged.work_of(*part.feature); work != nullptr && status.ok())
                std::memcpy(staged.frame->sums.data() + work->sums_offset, sums + part.offset,
                            part.feature->sums_bytes());
        returned.push_back({staged.slot, status});
        staged.drop_uploads();
    }
    count_ = 0;
    status_ = {};
}

} // namespace vmaf
