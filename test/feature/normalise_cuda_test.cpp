#include "engine/cuda/normaliser.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/round_up.h"
#include "cuda/test_gpu.h"

// kernels/normalise/normalise.cu by itself: it writes every sample to its place, and nothing else.

namespace vmaf::test {
namespace {

/// Samples as a client lends them, and the requested result.
struct Plane {
    unsigned width, height, bpc, shift;
    bool are_pairs;
    std::size_t offset_bytes, stride_padding_bytes; ///< multiples of the sample size
    bool wanted[2] = {true, true};
    unsigned raise = 0; ///< raised to more than 8 bits, from samples of one byte
};

constexpr std::size_t kRowAlignment = 256;
constexpr unsigned char kUntouched = 0xa5;

/// A plane on the device. Its memory ends with its last sample.
class Lent {
  public:
    Lent(const TestGpu &gpu, const Plane &plane, unsigned seed) : gpu_(gpu), plane_(plane)
    {
        const std::size_t row_bytes = plane.width * sample() * (plane.are_pairs ? 2 : 1);
        stride_ = row_bytes + plane.stride_padding_bytes;
        bytes_.resize(plane.offset_bytes + stride_ * (plane.height - 1) + row_bytes);
        std::mt19937 random(seed);
        for (unsigned char &byte : bytes_)
            byte = static_cast<unsigned char>(random());
        from_ = gpu.allocate(bytes_.size());
        require(cuda_status(gpu.driver().cuMemcpyHtoDAsync(from_.get(), bytes_.data(), bytes_.size(), gpu.stream())),
                "cuMemcpyHtoDAsync");
        to_stride_ = round_up(plane.width * scored_sample(), kRowAlignment);
        for (CudaDeviceMemory &to : to_) {
            to = gpu.allocate(to_bytes());
            require(cuda_status(gpu.driver().cuMemsetD8Async(to.get(), kUntouched, to_bytes(), gpu.stream())),
                    "cuMemsetD8Async");
        }
        gpu.synchronize();
    }

    NormaliseJob job() const
    {
        NormaliseJob job{{reinterpret_cast<const unsigned char *>(from_.get()) + plane_.offset_bytes,
                          static_cast<long long>(stride_)},
                         {},
                         static_cast<long long>(to_stride_),
                         static_cast<int>(plane_.width),
                         static_cast<int>(plane_.height),
                         plane_.shift,
                         plane_.are_pairs ? 1U : 0U,
                         plane_.raise,
                         scored_sample() > sample() ? 1U : 0U};
        for (unsigned which = 0; which < (plane_.are_pairs ? 2U : 1U); ++which)
            job.to[which] = plane_.wanted[which] ? reinterpret_cast<unsigned char *>(to_[which].get()) : nullptr;
        return job;
    }

    void check() const
    {
        for (unsigned which = 0; which < 2; ++which) {
            std::vector<unsigned char> got(to_bytes());
            require(
                cuda_status(gpu_.driver().cuMemcpyDtoHAsync(got.data(), to_[which].get(), got.size(), gpu_.stream())),
                "cuMemcpyDtoHAsync");
            gpu_.synchronize();
            ASSERT_EQ(got, expected(which))
                << plane_.width << "x" << plane_.height << ", " << plane_.bpc << " bits, shift " << plane_.shift
                << ", at " << plane_.offset_bytes << " with " << plane_.stride_padding_bytes << " bytes between rows, "
                << (plane_.are_pairs ? "pairs, sample " : "sample ") << which << ", raised by " << plane_.raise;
        }
    }

  private:
    std::size_t sample() const { return plane_.bpc > 8 ? 2 : 1; }
    std::size_t scored_sample() const { return plane_.bpc + plane_.raise > 8 ? 2 : 1; }
    std::size_t to_bytes() const { return to_stride_ * plane_.height; }

    std::vector<unsigned char> expected(unsigned which) const
    {
        std::vector<unsigned char> bytes(to_bytes(), kUntouched);
        const unsigned step = plane_.are_pairs ? 2 : 1;
        if (which >= step || !plane_.wanted[which])
            return bytes;
        for (unsigned y = 0; y < plane_.height; ++y)
            for (unsigned x = 0; x < plane_.width; ++x) {
                const unsigned char *at =
                    bytes_.data() + plane_.offset_bytes + stride_ * y + (std::size_t{x} * step + which) * sample();
                unsigned value = sample() == 2 ? at[0] | at[1] << 8 : at[0];
                value = value >> plane_.shift << plane_.raise;
                unsigned char *to = bytes.data() + to_stride_ * y + x * scored_sample();
                to[0] = static_cast<unsigned char>(value);
                if (scored_sample() == 2)
                    to[1] = static_cast<unsigned char>(value >> 8);
            }
        return bytes;
    }

    const TestGpu &gpu_;
    const Plane plane_;
    std::size_t stride_ = 0, to_stride_ = 0;
    std::vector<unsigned char> bytes_;
    CudaDeviceMemory from_, to_[2];
};

class Normaliser {
  public:
    explicit Normaliser(const TestGpu &gpu) : gpu_(gpu) {}

    void expect_planes(const std::vector<Plane> &planes)
    {
        std::vector<std::unique_ptr<Lent>> lent;
        for (const Plane &plane : planes) {
            lent.push_back(std::make_unique<Lent>(gpu_, plane, plane.width * 31 + plane.height));
            normaliser_.add(lent.back()->job());
        }
        require(normaliser_.launch(gpu_.context(), planes[0].bpc + planes[0].raise, gpu_.stream()), "launch");
        gpu_.synchronize();
        for (const std::unique_ptr<Lent> &plane : lent)
            plane->check();
    }

  private:
    const TestGpu &gpu_;
    CudaNormaliser normaliser_;
};

TEST(NormaliseCuda, WritesEverySampleAtEverySmallWidth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    for (unsigned width = 1; width <= 41; ++width) {
        normaliser.expect_planes({{width, 3, 8, 0, true, 0, 0}, {width, 2, 8, 0, true, 16, 32}});
        normaliser.expect_planes({{width, 3, 10, 6, false, 0, 0}, {width, 2, 10, 6, true, 32, 16}});
    }
}

TEST(NormaliseCuda, WritesEverySampleAroundAWarpsPiece)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    for (const unsigned bpc : {8U, 12U})
        for (const bool are_pairs : {false, true})
            for (const int change : {-9, -1, 0, 1, 8}) {
                const unsigned samples = kNormaliseWarpBytes / (bpc > 8 ? 2 : 1) / (are_pairs ? 2 : 1);
                const unsigned width = static_cast<unsigned>(static_cast<int>(samples) + change);
                normaliser.expect_planes({{width, 17, bpc, bpc > 8 ? 4U : 0U, are_pairs, 0, 0},
                                          {2 * width, 2, bpc, bpc > 8 ? 4U : 0U, are_pairs, 0, 16}});
            }
}

TEST(NormaliseCuda, WritesEverySampleAtEveryDepthShiftAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (unsigned shift = 0; shift <= (bpc > 8 ? 16 - bpc : 0); ++shift)
            for (const std::size_t alignment : {1U, 2U, 4U, 8U, 16U}) {
                if (bpc > 8 && alignment == 1)
                    continue;
                normaliser.expect_planes({{77, 5, bpc, shift, false, alignment, alignment},
                                          {77, 5, bpc, shift, true, alignment, 0},
                                          {38, 5, bpc, shift, true, 0, alignment}});
            }
}

// Samples of one byte and of two, raised and unchanged, in one launch.
TEST(NormaliseCuda, RaisesSamplesToTheDepthThatIsScored)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    const auto raised = [](unsigned width, unsigned height, unsigned bpc, unsigned shift, bool are_pairs,
                           std::size_t offset, unsigned raise) {
        Plane plane{width, height, bpc, shift, are_pairs, offset, offset};
        plane.raise = raise;
        return plane;
    };
    for (unsigned width = 1; width <= 41; ++width)
        normaliser.expect_planes({raised(width, 3, 8, 0, false, 0, 2), raised(width, 3, 8, 0, true, 0, 2),
                                  raised(width, 3, 10, 0, false, 0, 0), raised(width, 2, 8, 0, false, 3, 2),
                                  raised(width, 2, 8, 0, true, 1, 2)});
    for (const unsigned raise : {1U, 5U, 8U})
        for (const int change : {-9, -1, 0, 1, 8}) {
            const unsigned width = static_cast<unsigned>(kNormaliseWarpBytes + change);
            normaliser.expect_planes({raised(width, 5, 8, 0, false, 16, raise),
                                      raised(width / 2, 5, 8, 0, true, 16, raise),
                                      raised(width, 2, 8, 0, false, 7, raise)});
        }
    for (const auto &[bpc, shift, raise] : {std::tuple{10U, 6U, 2U}, {10U, 0U, 6U}, {12U, 4U, 4U}, {9U, 0U, 1U}})
        normaliser.expect_planes(
            {raised(77, 5, bpc, shift, false, 0, raise), raised(77, 5, bpc, shift, true, 2, raise)});
    for (const bool first : {false, true}) {
        Plane plane = raised(133, 7, 8, 0, true, 0, 2);
        plane.wanted[0] = first;
        plane.wanted[1] = !first;
        normaliser.expect_planes({plane});
    }
}

TEST(NormaliseCuda, WritesOnlyWhatIsWanted)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    for (const unsigned bpc : {8U, 10U})
        normaliser.expect_planes({{133, 7, bpc, 0, true, 0, 0, {true, false}},
                                  {133, 7, bpc, 0, true, 0, 0, {false, true}},
                                  {4, 300, bpc, 0, true, 0, 0}});
}

TEST(NormaliseCuda, TakesAsManyPlanesAsAFrameLooksAt)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    std::vector<Plane> planes;
    for (unsigned i = 0; i < kMaxNormaliseJobs; ++i)
        planes.push_back({20 + 7 * i, 1 + i % 5, 10, 6, i % 2 == 0, 0, 0});
    for (unsigned repeat = 0; repeat < 2; ++repeat)
        normaliser.expect_planes(planes);
}

TEST(NormaliseCuda, WritesEverySampleAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Normaliser normaliser(*gpu);
    normaliser.expect_planes({{3840, 2160, 10, 6, false, 0, 0}, {1920, 1080, 10, 6, true, 0, 0}});
    normaliser.expect_planes({{65535, 3, 16, 0, true, 0, 0}, {3, 65535, 16, 0, true, 0, 0}});
}

} // namespace
} // namespace vmaf::test
