#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "base/plane_view.h"
#include "cuda/test_gpu.h"
#include "feature/feature.h"

/// Planes of clips and of noise, on the host and copied to the device.
namespace vmaf::test {

/// Layout of a plane's rows in memory. The default is that of pools.
struct PlaneLayout {
    std::size_t row_alignment_bytes = 512;
    std::size_t offset_bytes = 0;

    std::size_t stride(std::size_t row_bytes) const
    {
        return (row_bytes + row_alignment_bytes - 1) / row_alignment_bytes * row_alignment_bytes;
    }
};

/// Rows that start at sample alignment and no more.
constexpr PlaneLayout unaligned_layout(unsigned bpc)
{
    const std::size_t sample_bytes = bpc > 8 ? 2 : 1;
    return {sample_bytes, sample_bytes};
}

/// A copy of a plane in device memory. Only the samples are written, so initcheck sees reads of any
/// other byte.
class DevicePlane {
  public:
    DevicePlane(const TestGpu &gpu, const PlaneView &from, const PlaneLayout &layout = {})
    {
        if (from.data == nullptr || from.width_px == 0 || from.height_px == 0)
            return;
        const std::size_t row_bytes = std::size_t{from.width_px} * (from.bpc > 8 ? 2 : 1);
        const std::size_t stride = layout.stride(row_bytes);
        memory_ = gpu.allocate(layout.offset_bytes + stride * from.height_px);
        view_ = {reinterpret_cast<const unsigned char *>(memory_.get()) + layout.offset_bytes,
                 static_cast<long long>(stride)};
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = from.data;
        copy.srcPitch = static_cast<std::size_t>(from.stride_bytes);
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = memory_.get() + layout.offset_bytes;
        copy.dstPitch = stride;
        copy.WidthInBytes = row_bytes;
        copy.Height = from.height_px;
        require(cuda_status(gpu.driver().cuMemcpy2DAsync(&copy, gpu.stream())), "cuMemcpy2DAsync");
        gpu.synchronize();
    }

    CudaPlane view() const { return view_; }

  private:
    CudaDeviceMemory memory_;
    CudaPlane view_{};
};

/// Copies of a picture pair in device memory.
class DevicePair {
  public:
    DevicePair(const TestGpu &gpu, const FramePlanes &pair, const PlaneLayout &layout = {})
    {
        for (unsigned plane = 0; plane < 3; ++plane) {
            planes_.emplace_back(gpu, pair.ref[plane], layout);
            frame_.ref[plane] = planes_.back().view();
            planes_.emplace_back(gpu, pair.dis[plane], layout);
            frame_.dis[plane] = planes_.back().view();
        }
    }

    const CudaFrame &frame() const { return frame_; }

  private:
    std::vector<DevicePlane> planes_;
    CudaFrame frame_{};
};

/// A plane in host memory that a test fills.
class HostPlane {
  public:
    HostPlane(unsigned width_px, unsigned height_px, unsigned bpc)
        : width_px_(width_px), height_px_(height_px), bpc_(bpc), samples_(std::size_t{width_px} * height_px)
    {
    }

    /// Keeps 8 bits of `sample(x, y)` at 8 bits, and 16 above.
    template <class F> HostPlane &fill(F &&sample)
    {
        for (unsigned y = 0; y < height_px_; ++y)
            for (unsigned x = 0; x < width_px_; ++x)
                samples_[std::size_t{y} * width_px_ + x] = static_cast<std::uint16_t>(sample(x, y));
        bytes_.assign(samples_.begin(), samples_.end());
        return *this;
    }
    HostPlane &fill_flat(unsigned value)
    {
        return fill([=](unsigned, unsigned) { return value; });
    }
    /// Uniform in 0..max_sample.
    HostPlane &fill_noise(std::mt19937 &random, unsigned max_sample)
    {
        return fill([&](unsigned, unsigned) { return random() % (max_sample + 1); });
    }
    /// 0 or max_sample.
    HostPlane &fill_full_swing(std::mt19937 &random, unsigned max_sample)
    {
        return fill([&](unsigned, unsigned) { return (random() >> 16) % 2 * max_sample; });
    }

    PlaneView view() const
    {
        if (bpc_ == 8)
            return {reinterpret_cast<const std::byte *>(bytes_.data()), width_px_, width_px_, height_px_, bpc_};
        return {reinterpret_cast<const std::byte *>(samples_.data()), 2 * std::ptrdiff_t{width_px_}, width_px_,
                height_px_, bpc_};
    }

  private:
    unsigned width_px_, height_px_, bpc_;
    std::vector<std::uint16_t> samples_;
    std::vector<std::uint8_t> bytes_;
};

} // namespace vmaf::test
