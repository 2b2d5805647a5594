#include "engine/cuda/luma_boxes.h"

#include <cstring>
#include <limits>

#include "base/round_up.h"

extern "C" const unsigned char vmaf_luma_boxes_fatbin[];

namespace vmaf {
namespace {

constexpr std::size_t kRowAlignment = 256;

} // namespace

void CudaLumaBoxes::Slot::wait() noexcept
{
    if (!is_queued)
        return;
    CudaContext &context = *done.context();
    const CudaContextGuard guard(context, CudaContextGuard::Purpose::release);
    CHECK_CUDA_RELEASE(context, cuEventSynchronize(done.get()));
}

Result<std::unique_ptr<CudaLumaBoxes>> CudaLumaBoxes::create(const CudaContextPtr &context, const LumaGrid &grid,
                                                             unsigned slots)
{
    std::unique_ptr<CudaLumaBoxes> boxes(new CudaLumaBoxes(context, grid));
    const CudaContextGuard guard(*context);
    VMAF_TRY(guard.status());
    VMAF_TRY(boxes->make(slots));
    return boxes;
}

Status CudaLumaBoxes::make(unsigned slots)
{
    VMAF_TRY_ASSIGN(module_, make_cuda_module(context_, vmaf_luma_boxes_fatbin));
    VMAF_TRY_ASSIGN(kernel_8bit_, cuda_function(module_, "vmaf_luma_boxes_8bit"));
    VMAF_TRY_ASSIGN(kernel_16bit_, cuda_function(module_, "vmaf_luma_boxes_16bit"));
    VMAF_TRY_ASSIGN(device_sums_, make_cuda_device_memory(context_, slots * slot_bytes()));
    VMAF_TRY_ASSIGN(host_sums_, make_cuda_pinned_memory(context_, slots * slot_bytes()));
    for (unsigned slot = 0; slot < slots; ++slot) {
        VMAF_TRY_ASSIGN(CudaEvent done, make_cuda_event(context_));
        slots_.push_back(std::make_shared<Slot>(std::move(done)));
    }
    return {};
}

CudaLumaBoxes::~CudaLumaBoxes()
{
    for (const std::shared_ptr<Slot> &slot : slots_)
        slot->wait();
}

bool CudaLumaBoxes::fits(const PictureFormat &scored, unsigned plane) const
{
    const auto most = [](std::uint64_t size_px, unsigned boxes) { return (size_px + boxes - 1) / boxes; };
    const std::uint64_t width = most(scored.plane_width(plane), grid_.columns);
    const std::uint64_t lines = most(most(scored.plane_height(plane), grid_.rows), grid_.line_step);
    return width * lines <= std::numeric_limits<std::uint32_t>::max() / ((1U << scored.bpc) - 1);
}

Status CudaLumaBoxes::wait(Slot &slot)
{
    if (slot.is_queued)
        CHECK_CUDA_RETURN(context_->driver(), cuEventSynchronize(slot.done.get()));
    slot.is_queued = false;
    return {};
}

Status CudaLumaBoxes::add(ForeignPicture &picture, const PictureFormat &scored, unsigned plane, unsigned slot)
{
    Slot &filled = *slots_[slot];
    filled.is_filled = false;
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    VMAF_TRY(wait(filled));
    picture.add_use(slots_[slot]);
    const Status status = queue(picture, scored, plane, slot);
    if (!status.ok()) // nothing of it may run once the picture is given back
        CHECK_CUDA_AFTERMATH(context_->driver(), cuStreamSynchronize(static_cast<CUstream>(picture.planes().stream)));
    filled.is_filled = status.ok();
    return status;
}

Status CudaLumaBoxes::queue(const ForeignPicture &picture, const PictureFormat &scored, unsigned plane, unsigned slot)
{
    const CudaDriver &driver = context_->driver();
    auto *const stream = static_cast<CUstream>(picture.planes().stream);
    const SampleSource &source = picture.source(plane);
    const CUdeviceptr sums = device_sums_.get() + slot * slot_bytes();
    LumaBoxesParams params{
        {reinterpret_cast<const unsigned char *>(source.data), static_cast<long long>(source.stride_bytes)},
        scored.plane_width(plane),
        scored.plane_height(plane),
        source.step,
        source.first,
        source.shift,
        source.raise,
        grid_.columns,
        grid_.rows,
        grid_.line_step,
        reinterpret_cast<std::uint32_t *>(sums)};
    std::size_t sample = source.stored_bytes(scored.bpc);
    if (source.scaling) {
        VMAF_TRY_ASSIGN(params.plane, scaled(source, scored.bpc, stream));
        params.step = 1;
        params.first = params.shift = params.raise = 0;
        sample = scored.sample_bytes();
    }
    const auto blocks = static_cast<unsigned>((boxes() + kLumaBoxesBlockWarps - 1) / kLumaBoxesBlockWarps);
    constexpr CudaDim kBlock{32 * kLumaBoxesBlockWarps};
    VMAF_TRY(cuda_launch(*context_, sample > 1 ? kernel_16bit_ : kernel_8bit_, {blocks}, kBlock, 0, stream, params));
    CHECK_CUDA_RETURN(driver, cuMemcpyDtoHAsync(static_cast<std::byte *>(host_sums_.get()) + slot * slot_bytes(), sums,
                                                slot_bytes(), stream));
    CHECK_CUDA_RETURN(driver, cuEventRecord(slots_[slot]->done.get(), stream));
    slots_[slot]->is_queued = true;
    latest_ = slots_[slot].get();
    return {};
}

// Pictures of several streams have the scratch one after the other.
Result<CudaPlane> CudaLumaBoxes::scaled(const SampleSource &source, unsigned bpc, CUstream stream)
{
    const PlaneSize from = source.scaling->from(), to = source.scaling->to();
    const std::size_t stride = round_up(std::size_t{to.width_px} * sample_bytes(bpc), kRowAlignment);
    const std::size_t between_bytes =
        round_up(std::size_t{to.width_px} * from.height_px * sizeof(std::int32_t), kRowAlignment);
    const std::size_t bytes = between_bytes + stride * to.height_px;
    if (latest_ != nullptr)
        CHECK_CUDA_RETURN(context_->driver(), cuStreamWaitEvent(stream, latest_->done.get(), 0));
    if (bytes > scratch_bytes_) {
        VMAF_TRY_ASSIGN(CudaDeviceMemory larger, make_cuda_device_memory(context_, bytes));
        if (latest_ != nullptr)
            VMAF_TRY(wait(*latest_));
        scratch_ = std::move(larger);
        scratch_bytes_ = bytes;
    }
    ScaleJob job{};
    job.from = {reinterpret_cast<const unsigned char *>(source.data), static_cast<long long>(source.stride_bytes)};
    job.between = reinterpret_cast<std::int32_t *>(scratch_.get());
    job.to = {reinterpret_cast<const unsigned char *>(scratch_.get() + between_bytes), static_cast<long long>(stride)};
    job.step = source.step;
    job.first = source.first;
    job.shift = source.shift;
    job.raise = source.raise;
    job.is_widened = source.stored_bytes(bpc) < sample_bytes(bpc) ? 1 : 0;
    job.max_sample = (1U << bpc) - 1;
    scaler_.clear();
    VMAF_TRY(scaler_.add(context_, *source.scaling, job));
    VMAF_TRY(scaler_.launch(context_, bpc, stream));
    return job.to;
}

Status CudaLumaBoxes::read(unsigned slot, std::uint32_t *sums)
{
    const CudaContextGuard guard(*context_);
    VMAF_TRY(guard.status());
    VMAF_TRY(wait(*slots_[slot]));
    std::memcpy(sums, static_cast<const std::byte *>(host_sums_.get()) + slot * slot_bytes(), slot_bytes());
    return {};
}

} // namespace vmaf
