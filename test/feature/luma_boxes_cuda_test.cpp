#include "engine/cuda/luma_boxes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "cuda/test_gpu.h"

// kernels/luma_boxes/luma_boxes.cu behind CudaLumaBoxes. Its sums of boxes equal those of a loop
// over the host's samples.

namespace vmaf::test {
namespace {

/// A plane as a client lends it, of luma or of chroma pairs.
struct Luma {
    unsigned width, height, bpc;
    unsigned shift = 0;
    std::size_t offset_samples = 0, padding_samples = 0;
    bool is_white = false; ///< each sample is the largest one; otherwise they are random
    unsigned scaled_width = 0, scaled_height = 0;
    unsigned raise = 0; ///< shift from `bpc` to the scored depth
    unsigned step = 1, first = 0;
};

/// A picture of this kind in device memory, which ends with its last sample.
class LentPicture {
  public:
    LentPicture(const TestGpu &gpu, const Luma &luma, unsigned seed) : luma_(luma)
    {
        const std::size_t stride = row_samples() * sample();
        bytes_.resize(luma.offset_samples * sample() + stride * (luma.height - 1) +
                      std::size_t{luma.width} * luma.step * sample());
        std::mt19937 random(seed);
        for (std::byte &byte : bytes_)
            byte = luma.is_white ? std::byte{0xff} : static_cast<std::byte>(random());
        if (!luma.is_white && luma.shift == 0 && sample() == 2)
            clear_bits_above_depth();
        memory_ = gpu.allocate(bytes_.size());
        require(cuda_status(gpu.driver().cuMemcpyHtoDAsync(memory_.get(), bytes_.data(), bytes_.size(), gpu.stream())),
                "cuMemcpyHtoDAsync");
        gpu.synchronize();
        ForeignPlanes planes;
        planes.device_context = gpu.context()->get();
        planes.stream = gpu.stream();
        planes.plane[0] = source_at(reinterpret_cast<const std::byte *>(memory_.get()));
        if (luma.scaled_width > 0)
            planes.plane[0].scaling = scalings_.between({luma.width, luma.height}, {scored().width, scored().height});
        picture_ = std::make_unique<ForeignPicture>(scored(), planes);
    }

    ForeignPicture &picture() { return *picture_; }
    PictureFormat scored() const
    {
        return {VMAF_PIX_FMT_YUV400P, luma_.bpc + luma_.raise,
                luma_.scaled_width > 0 ? luma_.scaled_width : luma_.width,
                luma_.scaled_height > 0 ? luma_.scaled_height : luma_.height};
    }

    std::vector<std::uint32_t> expected(const LumaGrid &grid) const
    {
        const PictureFormat format = scored();
        const std::vector<unsigned> samples = luma_.scaled_width > 0 ? scaled_samples() : plain_samples();
        std::vector<std::uint32_t> sums;
        for (unsigned row = 0; row < grid.rows; ++row)
            for (unsigned column = 0; column < grid.columns; ++column) {
                const auto begin = [](unsigned index, unsigned count, unsigned size) {
                    return static_cast<unsigned>(std::uint64_t{index} * size / count);
                };
                std::uint64_t sum = 0;
                for (unsigned y = begin(row, grid.rows, format.height); y < begin(row + 1, grid.rows, format.height);
                     y += grid.line_step)
                    for (unsigned x = begin(column, grid.columns, format.width);
                         x < begin(column + 1, grid.columns, format.width); ++x)
                        sum += samples[std::size_t{y} * format.width + x];
                EXPECT_LE(sum, std::numeric_limits<std::uint32_t>::max());
                sums.push_back(static_cast<std::uint32_t>(sum));
            }
        return sums;
    }

  private:
    std::size_t sample() const { return luma_.bpc > 8 ? 2 : 1; }
    std::size_t row_samples() const { return std::size_t{luma_.width} * luma_.step + luma_.padding_samples; }
    SampleSource source_at(const std::byte *memory) const
    {
        SampleSource source;
        source.data = memory + luma_.offset_samples * sample();
        source.stride_bytes = static_cast<std::ptrdiff_t>(row_samples() * sample());
        source.step = luma_.step;
        source.first = luma_.first;
        source.shift = luma_.shift;
        source.raise = luma_.raise;
        return source;
    }
    void clear_bits_above_depth()
    {
        for (std::size_t at = 1; at < bytes_.size(); at += 2)
            bytes_[at] &= static_cast<std::byte>((1U << (luma_.bpc - 8)) - 1);
    }
    std::vector<unsigned> plain_samples() const
    {
        const SampleSource source = source_at(bytes_.data());
        std::vector<unsigned> samples;
        for (unsigned y = 0; y < luma_.height; ++y)
            for (unsigned x = 0; x < luma_.width; ++x) {
                std::uint16_t value = 0;
                std::memcpy(&value,
                            source.data + source.stride_bytes * std::ptrdiff_t{y} +
                                (x * luma_.step + luma_.first) * sample(),
                            sample());
                samples.push_back(static_cast<unsigned>(value) >> luma_.shift << luma_.raise);
            }
        return samples;
    }
    std::vector<unsigned> scaled_samples() const
    {
        const PictureFormat format = scored();
        std::vector<std::uint16_t> words(std::size_t{format.width} * format.height);
        SampleSource source = source_at(bytes_.data());
        source.scaling = picture_->source(0).scaling;
        copy_samples(source, {reinterpret_cast<const std::byte *>(words.data()),
                              static_cast<std::ptrdiff_t>(format.width * format.sample_bytes()), format.width,
                              format.height, format.bpc});
        std::vector<unsigned> samples;
        for (std::size_t i = 0; i < words.size(); ++i)
            samples.push_back(format.sample_bytes() == 2 ? words[i]
                                                         : reinterpret_cast<const std::uint8_t *>(words.data())[i]);
        return samples;
    }

    const Luma luma_;
    std::vector<std::byte> bytes_;
    CudaDeviceMemory memory_;
    PlaneScalings scalings_;
    std::unique_ptr<ForeignPicture> picture_;
};

std::vector<std::uint32_t> sums_in(CudaLumaBoxes &boxes, unsigned slot)
{
    std::vector<std::uint32_t> sums(boxes.boxes());
    require(boxes.read(slot, sums.data()), "read");
    return sums;
}

void expect_sums(const TestGpu &gpu, const LumaGrid &grid, const std::vector<Luma> &pictures)
{
    const std::unique_ptr<CudaLumaBoxes> boxes = require(CudaLumaBoxes::create(gpu.context(), grid, 1), "create");
    for (const Luma &luma : pictures) {
        LentPicture lent(gpu, luma, luma.width * 31 + luma.height);
        ASSERT_TRUE(boxes->fits(lent.scored(), 0));
        require(boxes->add(lent.picture(), lent.scored(), 0, 0), "add");
        ASSERT_EQ(sums_in(*boxes, 0), lent.expected(grid))
            << luma.width << "x" << luma.height << ", " << luma.bpc << " bits, shift " << luma.shift << ", scaled to "
            << luma.scaled_width << "x" << luma.scaled_height << ", raised by " << luma.raise << ", sample "
            << luma.first << " of " << luma.step << ", " << grid.columns << "x" << grid.rows
            << " boxes, every line number " << grid.line_step;
    }
}

TEST(LumaBoxesCuda, AreSummedAtEverySizeAndDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const LumaGrid &grid : {LumaGrid{1, 1, 1}, LumaGrid{1, 1, 3}, LumaGrid{7, 5, 2}, LumaGrid{80, 45, 1}})
        for (const auto &[width, height] : {std::pair(1U, 1U), {2U, 3U}, {17U, 9U}, {31U, 33U}, {193U, 107U}})
            expect_sums(*gpu, grid,
                        {{width, height, 8},
                         {width, height, 9, 7, 3, 5},
                         {width, height, 10},
                         {width, height, 10, 6, 1, 0},
                         {width, height, 12, 4, 0, 1},
                         {width, height, 16}});
}

TEST(LumaBoxesCuda, AreSummedOfOneOfTwoThatLieInPairs)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned first : {0U, 1U})
        for (const auto &[width, height] : {std::pair(1U, 1U), {17U, 9U}, {193U, 107U}}) {
            std::vector<Luma> planes{
                {width, height, 8, 0, 1, 3}, {width, height, 10, 6}, {width, height, 10, 6, 0, 1, false, 50, 61}};
            for (Luma &plane : planes) {
                plane.step = 2;
                plane.first = first;
            }
            expect_sums(*gpu, {7, 5, 2}, planes);
        }
}

// If the left and the top are cropped, the first sample may be anywhere.
TEST(LumaBoxesCuda, AreSummedWhereverThePlaneBegins)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const std::size_t offset : {0U, 1U, 2U, 7U, 32U})
        for (const std::size_t padding : {0U, 1U, 3U, 64U})
            expect_sums(*gpu, {9, 4, 2}, {{77, 35, 8, 0, offset, padding}, {77, 35, 10, 6, offset, padding}});
}

TEST(LumaBoxesCuda, MayBeMoreThanThePictureHas)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_sums(*gpu, {40, 30, 2}, {{17, 9, 8}, {1, 100, 8}, {100, 1, 10, 6}, {40, 30, 8}});
    expect_sums(*gpu, {3, 2, 1000}, {{17, 9, 8}});
}

TEST(LumaBoxesCuda, HoldTheLargestSums)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    Luma white{65537, 1, 16};
    white.is_white = true;
    expect_sums(*gpu, {1, 1, 1}, {white}); // 2^32 - 1
    std::swap(white.width, white.height);
    expect_sums(*gpu, {1, 1, 1}, {white});
    const auto fits = [&](const LumaGrid &grid, unsigned bpc, unsigned width, unsigned height) {
        return require(CudaLumaBoxes::create(gpu->context(), grid, 1), "create")
            ->fits({VMAF_PIX_FMT_YUV400P, bpc, width, height}, 0);
    };
    EXPECT_TRUE(fits({1, 1, 1}, 16, 65537, 1));
    EXPECT_FALSE(fits({1, 1, 1}, 16, 65538, 1));
    EXPECT_TRUE(fits({1, 1, 2}, 16, 65537, 2));
    EXPECT_FALSE(fits({1, 1, 2}, 16, 65537, 3));
    EXPECT_TRUE(fits({1, 1, 1}, 8, 4096, 4096));
    EXPECT_FALSE(fits({1, 1, 1}, 8, 4112, 4112));
    EXPECT_TRUE(fits({80, 45, 45}, 16, 16384, 16384));
}

TEST(LumaBoxesCuda, AreThoseOfTheScaledPicture)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U, 16U}) {
        std::vector<Luma> pictures;
        for (const auto &[width, height] : {std::pair(96U, 54U), {48U, 40U}, {201U, 99U}})
            pictures.push_back({width, height, bpc, bpc == 10 ? 6U : 0U, 1, 3, false, 101, 63});
        pictures.push_back({101, 63, bpc, bpc == 10 ? 6U : 0U});
        expect_sums(*gpu, {12, 8, 2}, pictures);
    }
}

TEST(LumaBoxesCuda, AreThoseOfTheDepthThatIsScored)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    std::vector<Luma> pictures;
    for (const unsigned scaled : {0U, 50U})
        for (const auto &[bpc, shift, raise] : {std::tuple{8U, 0U, 2U}, {8U, 0U, 8U}, {10U, 6U, 2U}, {12U, 0U, 4U}})
            pictures.push_back({64, 48, bpc, shift, 1, 3, false, scaled, scaled, raise});
    expect_sums(*gpu, {12, 8, 2}, pictures);
}

TEST(LumaBoxesCuda, StayInTheirSlots)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kSlots = 5;
    const LumaGrid grid{6, 4, 2};
    const std::unique_ptr<CudaLumaBoxes> boxes = require(CudaLumaBoxes::create(gpu->context(), grid, kSlots), "create");
    std::vector<std::unique_ptr<LentPicture>> lent;
    for (unsigned i = 0; i < kSlots + 2; ++i) {
        lent.push_back(std::make_unique<LentPicture>(
            *gpu, i % 2 == 0 ? Luma{64, 48, 8} : Luma{64, 48, 10, 6, 0, 0, false, 50, 50 + i}, i));
        require(boxes->add(lent.back()->picture(), lent.back()->scored(), 0, i % kSlots), "add");
    }
    for (unsigned i = kSlots + 2; i-- > 2;)
        for (unsigned again = 0; again < 2; ++again)
            EXPECT_EQ(sums_in(*boxes, i % kSlots), lent[i]->expected(grid)) << i;
    EXPECT_FALSE(require(CudaLumaBoxes::create(gpu->context(), grid, 1), "create")->has(0));
}

TEST(LumaBoxesCuda, AreSummedAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_sums(*gpu, {80, 45, 6}, {{3840, 2160, 10, 6, 0, 64}, {3840, 2160, 8, 0, 5, 27}});
    expect_sums(*gpu, {80, 45, 3}, {{1920, 1080, 8}, {3840, 2160, 8, 0, 0, 0, false, 1920, 1080}});
    expect_sums(*gpu, {60, 60, 8}, {{16384, 4096, 8}});
}

} // namespace
} // namespace vmaf::test
