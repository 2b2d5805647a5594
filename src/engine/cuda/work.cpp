#include "engine/cuda/work.h"

#include <algorithm>

#include "engine/session_feature.h"

namespace vmaf {
namespace {

CudaExtractor &extractor_of(const SumsLayout::Part &part)
{
    return *static_cast<CudaBackendOfFeature *>(part.backend)->extractor;
}

} // namespace

Result<std::unique_ptr<CudaWork>> CudaWork::create(const CudaContextPtr &context, const CudaStreams &streams)
{
    std::unique_ptr<CudaWork> work(new CudaWork(context, streams));
    for (CudaEvent *event : {&work->inputs_ready_, &work->kernels_done_, &work->beside_done_, &work->done_}) {
        VMAF_TRY_ASSIGN(*event, make_cuda_event(context));
    }
    return work;
}

Status CudaWork::reserve(const SumsLayout &layout)
{
    for (const SumsLayout::Part &part : layout.parts())
        for (CudaFrame &frame : batch_.frames)
            frame.earlier.reserve(part.feature->window().look_back());
    const std::size_t bytes = layout.frame_bytes() * kMaxBatchFrames;
    if (bytes <= capacity_bytes_)
        return {};
    VMAF_TRY_ASSIGN(CudaDeviceMemory device, make_cuda_device_memory(context_, bytes));
    VMAF_TRY_ASSIGN(CudaPinnedMemory host, make_cuda_pinned_memory(context_, bytes));
    device_sums_ = std::move(device);
    host_sums_ = std::move(host);
    capacity_bytes_ = bytes;
    return {};
}

Status CudaWork::launch(const SumsLayout &layout, std::span<const StagedFrame> frames)
{
    const CudaDriver &driver = context_->driver();
    CUstream_st *const in = streams_.transfers_in.get(), *const out = streams_.results_out.get();
    const std::size_t bytes = layout.frame_bytes() * frames.size();
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver, cuMemsetD8Async(device_sums_.get(), 0, bytes, in));
    CHECK_CUDA_RETURN(driver, cuEventRecord(inputs_ready_.get(), in));
    if (std::any_of(layout.parts().begin(), layout.parts().end(),
                    [](const SumsLayout::Part &part) { return extractor_of(part).runs_beside(); }))
        VMAF_TRY(launch_kernels(layout, frames, true)); // first: its chains are the longest
    VMAF_TRY(launch_kernels(layout, frames, false));
    if (bytes > 0)
        CHECK_CUDA_RETURN(driver, cuMemcpyDtoHAsync(host_sums_.get(), device_sums_.get(), bytes, out));
    CHECK_CUDA_RETURN(driver, cuEventRecord(done_.get(), out));
    return {};
}

// The kernels of the features that run beside the others, or of the others: behind the inputs,
// before what follows in `results_out`.
Status CudaWork::launch_kernels(const SumsLayout &layout, std::span<const StagedFrame> frames, bool beside)
{
    const CudaDriver &driver = context_->driver();
    const CudaStreams::Kernels &lane = beside ? streams_.beside : streams_.kernels;
    const CudaEvent &done = beside ? beside_done_ : kernels_done_;
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(lane.stream.get(), inputs_ready_.get(), 0));
    for (const SumsLayout::Part &part : layout.parts())
        if (extractor_of(part).runs_beside() == beside)
            VMAF_TRY(launch_part(layout, part, frames, lane));
    CHECK_CUDA_RETURN(driver, cuEventRecord(done.get(), lane.stream.get()));
    CHECK_CUDA_RETURN(driver, cuStreamWaitEvent(streams_.results_out.get(), done.get(), 0));
    return {};
}

Status CudaWork::launch_part(const SumsLayout &layout, const SumsLayout::Part &part,
                             std::span<const StagedFrame> frames, const CudaStreams::Kernels &lane)
{
    batch_.count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame::Work *share = frames[i].work_of(*part.feature);
        if (share == nullptr)
            continue;
        CudaFrame &frame = batch_.frames[batch_.count++];
        see_through<CudaPlane>(part.feature->window(), frames[i].planes, share->look_back, frame);
        frame.sums = reinterpret_cast<void *>(device_sums_.get() + i * layout.frame_bytes() + part.offset);
    }
    if (batch_.count == 0)
        return {};
    return extractor_of(part).submit(lane.stream.get(), batch_, reinterpret_cast<unsigned char *>(lane.scratch.get()));
}

Status CudaWork::wait()
{
    CHECK_CUDA_RETURN(context_->driver(), cuEventSynchronize(done_.get()));
    return {};
}

} // namespace vmaf
