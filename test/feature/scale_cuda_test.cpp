#include "engine/cuda/scaler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "base/round_up.h"
#include "cuda/test_gpu.h"
#include "engine/foreign_picture.h"

// kernels/scale/scale.cu by itself: it writes the CPU's samples, and nothing else.

namespace vmaf::test {
namespace {

/// A plane as a client lends it, and the requested size.
struct Plane {
    PlaneSize from, to;
    unsigned bpc = 8, shift = 0, step = 1, first = 0;
    std::size_t padding_samples = 0; ///< space before the first row, and between two rows
    unsigned raise = 0;              ///< shift from `bpc` to the scored depth
};

constexpr std::size_t kRowAlignment = 256;
constexpr unsigned char kUntouched = 0xa5;

/// A plane on the device. Its memory ends with its last sample.
class Lent {
  public:
    Lent(const TestGpu &gpu, const Plane &plane, unsigned seed) : gpu_(gpu), plane_(plane)
    {
        const std::size_t row_bytes = std::size_t{plane.from.width_px} * plane.step * sample();
        source_.stride_bytes = static_cast<std::ptrdiff_t>(row_bytes + padding());
        source_.step = plane.step;
        source_.first = plane.first;
        source_.shift = plane.shift;
        source_.raise = plane.raise;
        source_.scaling = std::make_shared<const PlaneScaling>(
            PlaneScaling{make_scale_filter(plane.from.width_px, plane.to.width_px),
                         make_scale_filter(plane.from.height_px, plane.to.height_px)});
        bytes_.resize(padding() + (row_bytes + padding()) * (plane.from.height_px - 1) + row_bytes);
        std::mt19937 random(seed);
        for (std::byte &byte : bytes_) // much black and white, so that results leave the range
            byte = seed % 2 == 0 ? static_cast<std::byte>(random()) : static_cast<std::byte>(random() % 2 * 0xff);
        const std::uint16_t unused = static_cast<std::uint16_t>(0xffffU << (plane.bpc + plane.shift));
        for (std::size_t at = 0; sample() == 2 && at < bytes_.size(); at += 2) { // no sample is above the depth
            bytes_[at] &= static_cast<std::byte>(~unused & 0xff);
            bytes_[at + 1] &= static_cast<std::byte>(~unused >> 8);
        }
        source_.data = bytes_.data() + padding();
        from_ = gpu.allocate(bytes_.size());
        require(cuda_status(gpu.driver().cuMemcpyHtoDAsync(from_.get(), bytes_.data(), bytes_.size(), gpu.stream())),
                "cuMemcpyHtoDAsync");
        between_ = gpu.allocate(std::size_t{plane.to.width_px} * plane.from.height_px * sizeof(std::int32_t));
        to_stride_ = round_up(plane.to.width_px * sample_bytes(scored_bpc()), kRowAlignment);
        to_ = gpu.allocate(to_bytes());
        require(cuda_status(gpu.driver().cuMemsetD8Async(to_.get(), kUntouched, to_bytes(), gpu.stream())),
                "cuMemsetD8Async");
        gpu.synchronize();
    }

    const PlaneScaling &scaling() const { return *source_.scaling; }
    ScaleJob job() const
    {
        ScaleJob job{};
        job.from = {reinterpret_cast<const unsigned char *>(from_.get()) + padding(), source_.stride_bytes};
        job.between = reinterpret_cast<std::int32_t *>(between_.get());
        job.to = {reinterpret_cast<const unsigned char *>(to_.get()), static_cast<long long>(to_stride_)};
        job.step = plane_.step;
        job.first = plane_.first;
        job.shift = plane_.shift;
        job.raise = plane_.raise;
        job.is_widened = sample_bytes(scored_bpc()) > sample() ? 1 : 0;
        job.max_sample = (1U << scored_bpc()) - 1;
        return job;
    }

    void check() const
    {
        std::vector<unsigned char> got(to_bytes());
        require(cuda_status(gpu_.driver().cuMemcpyDtoHAsync(got.data(), to_.get(), got.size(), gpu_.stream())),
                "cuMemcpyDtoHAsync");
        gpu_.synchronize();
        ASSERT_EQ(got, expected()) << plane_.from.width_px << "x" << plane_.from.height_px << " to "
                                   << plane_.to.width_px << "x" << plane_.to.height_px << ", " << plane_.bpc
                                   << " bits, shift " << plane_.shift << ", sample " << plane_.first << " of "
                                   << plane_.step << ", raised by " << plane_.raise;
    }

  private:
    std::size_t sample() const { return sample_bytes(plane_.bpc); }
    unsigned scored_bpc() const { return plane_.bpc + plane_.raise; }
    std::size_t padding() const { return plane_.padding_samples * sample(); }
    std::size_t to_bytes() const { return to_stride_ * plane_.to.height_px; }

    std::vector<unsigned char> expected() const
    {
        ForeignPlanes planes;
        planes.plane[0] = source_;
        ForeignPicture picture({VMAF_PIX_FMT_YUV400P, scored_bpc(), plane_.to.width_px, plane_.to.height_px}, planes);
        NormalisedPlanes memory;
        require(picture.reserve(0, memory), "reserve");
        picture.normalise(0);
        const PlaneView view = picture.normalised(0);
        std::vector<unsigned char> bytes(to_bytes(), kUntouched);
        for (unsigned y = 0; y < view.height_px; ++y)
            std::memcpy(bytes.data() + to_stride_ * y, view.row<unsigned char>(y), view.row_bytes());
        return bytes;
    }

    const TestGpu &gpu_;
    const Plane plane_;
    std::size_t to_stride_ = 0;
    std::vector<std::byte> bytes_;
    SampleSource source_;
    CudaDeviceMemory from_, between_, to_;
};

class Scaler {
  public:
    explicit Scaler(const TestGpu &gpu) : gpu_(gpu) {}
    ~Scaler() { scaler_.close(); }

    void expect_planes(const std::vector<Plane> &planes)
    {
        std::vector<std::unique_ptr<Lent>> lent;
        for (const Plane &plane : planes) {
            lent.push_back(std::make_unique<Lent>(gpu_, plane, plane.from.width_px * 31 + plane.to.height_px));
            require(scaler_.add(gpu_.context(), lent.back()->scaling(), lent.back()->job()), "add");
        }
        require(scaler_.launch(gpu_.context(), planes[0].bpc + planes[0].raise, gpu_.stream()), "launch");
        gpu_.synchronize();
        for (const std::unique_ptr<Lent> &plane : lent)
            plane->check();
    }

  private:
    const TestGpu &gpu_;
    CudaScaler scaler_;
};

TEST(ScaleCuda, GivesTheCpusSamplesAtManySizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Scaler scaler(*gpu);
    constexpr PlaneSize kSizes[] = {{1, 1}, {3, 2}, {31, 9}, {64, 8}, {65, 17}, {257, 5}, {100, 60}};
    for (const unsigned bpc : {8U, 10U})
        for (const PlaneSize &from : kSizes)
            for (const PlaneSize &to : kSizes)
                scaler.expect_planes({{from, to, bpc}});
}

TEST(ScaleCuda, GivesTheCpusSamplesAtEveryDepthAndShift)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Scaler scaler(*gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (unsigned shift = 0; shift <= (bpc > 8 ? 16 - bpc : 0); ++shift)
            scaler.expect_planes({{{40, 23}, {61, 12}, bpc, shift, 1, 0, 1},
                                  {{40, 23}, {61, 12}, bpc, shift, 2, 0, 3},
                                  {{40, 23}, {61, 12}, bpc, shift, 2, 1, 3},
                                  {{41, 24}, {13, 50}, bpc, shift, 1, 0, 0}});
}

// Samples of one byte and of two, raised and unchanged, in one launch.
TEST(ScaleCuda, GivesTheCpusSamplesOfRaisedOnes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Scaler scaler(*gpu);
    for (const unsigned scored : {10U, 12U, 16U})
        scaler.expect_planes({{{40, 23}, {61, 12}, 8, 0, 1, 0, 1, scored - 8},
                              {{40, 23}, {61, 12}, 8, 0, 2, 1, 3, scored - 8},
                              {{41, 24}, {13, 50}, scored},
                              {{41, 24}, {13, 50}, 10, 6, 2, 0, 0, scored - 10},
                              {{41, 24}, {13, 50}, 9, 0, 1, 0, 0, scored - 9}});
}

TEST(ScaleCuda, TakesAsManyPlanesAsAFrameLooksAt)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Scaler scaler(*gpu);
    std::vector<Plane> planes;
    for (unsigned i = 0; i < kMaxNormaliseJobs; ++i)
        planes.push_back({{20 + 37 * i, 1 + i % 5}, {300 - 9 * i, 3 + i}, 10, 6, 1 + i % 2, 0, i});
    for (unsigned repeat = 0; repeat < 2; ++repeat)
        scaler.expect_planes(planes);
}

TEST(ScaleCuda, GivesTheCpusSamplesAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Scaler scaler(*gpu);
    scaler.expect_planes({{{3840, 2160}, {1920, 1080}, 10, 6}, {{1280, 720}, {1920, 1080}, 10}});
    scaler.expect_planes({{{1920, 1080}, {3840, 2160}}, {{960, 540}, {1920, 1080}, 8, 0, 2, 1}});
    scaler.expect_planes({{{16384, 3}, {16, 5000}, 16}, {{3, 5000}, {16384, 5}, 16}});
}

} // namespace
} // namespace vmaf::test
