#include <gtest/gtest.h>

#include <array>
#include <string>

#include "feature/make_cuda.h"
#include "feature/vif/vif.h"
#include "feature/vif/vif_cuda_params.h"
#include "feature/vif/vif_log_table.h"
#include "feature/vif/vif_tensor_tables.h"
#include "feature/vif_check_values.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::HostPlane;
using test::PlaneLayout;
using test::Side;
using test::TestGpu;

FramePlanes luma_pair(const PlaneView &ref, const PlaneView &dis)
{
    FramePlanes planes;
    planes.ref[0] = ref;
    planes.dis[0] = dis;
    return planes;
}

PictureFormat format_of(const FramePlanes &pair)
{
    return {VMAF_PIX_FMT_YUV400P, pair.ref[0].bpc, pair.ref[0].width_px, pair.ref[0].height_px};
}

VifSums cpu_sums(const FramePlanes &pair, const test::Options &options = {})
{
    return test::FeatureRunner<VifSums>(kVif, options).sums(pair, format_of(pair));
}

/// All sums in one line, for comparing and printing.
std::string text(const VifSums &sums)
{
    std::string line;
    for (const VifScaleSums &scale : sums.scale) {
        for (const std::int64_t sum : {scale.log_num, scale.log_den, scale.low_var2, scale.low_count})
            line += std::to_string(sum) + " ";
        line += "; ";
    }
    return line;
}

void expect_cpu_sums(const TestGpu &gpu, const FramePlanes &pair, const test::Options &options = {},
                     const PlaneLayout &layout = {})
{
    const auto extractor = test::make_cuda(gpu, kVifCuda, format_of(pair), options, 1);
    const DevicePair device(gpu, pair, layout);
    const VifSums sums = test::run_batch<VifSums>(gpu, *extractor, {device.frame()})[0];
    EXPECT_EQ(text(sums), text(cpu_sums(pair, options)))
        << pair.ref[0].width_px << "x" << pair.ref[0].height_px << " at " << pair.ref[0].bpc << " bit, "
        << testing::PrintToString(options);
}

FramePlanes clip_pair(const Clip &clip, unsigned frame)
{
    return luma_pair(clip.plane(Side::ref, frame, 0), clip.plane(Side::dis, frame, 0));
}

/// A generated pair.
class Pair {
  public:
    enum class Kind {
        related,    ///< texture, and a copy with other contrast and noise
        faint,      ///< a reference with hardly any variance in some places: low-variance pixels and high gains
        noise,      ///< independent samples
        full_swing, ///< every sample is at one end of its range
        identical,  ///< one texture on both sides
        flat,
    };
    static constexpr std::array kKinds{Kind::related,    Kind::faint,     Kind::noise,
                                       Kind::full_swing, Kind::identical, Kind::flat};

    Pair(unsigned width_px, unsigned height_px, unsigned bpc, Kind kind, unsigned seed)
        : peak_((1U << bpc) - 1), random_(seed), ref_(width_px, height_px, bpc), dis_(width_px, height_px, bpc)
    {
        switch (kind) {
        case Kind::related:
            fill_related(60 + below(100), peak_ / (below(60) + 4) + 1);
            break;
        case Kind::faint:
            fill_faint();
            break;
        case Kind::noise:
            ref_.fill_noise(random_, peak_);
            dis_.fill_noise(random_, peak_);
            break;
        case Kind::full_swing:
            ref_.fill_full_swing(random_, peak_);
            dis_.fill_full_swing(random_, peak_);
            break;
        case Kind::identical:
            fill_related(100, 1);
            break;
        case Kind::flat:
            ref_.fill_flat(below(peak_ + 1));
            dis_.fill_flat(below(peak_ + 1));
        }
    }

    FramePlanes views() const { return luma_pair(ref_.view(), dis_.view()); }

  private:
    unsigned below(unsigned limit) { return static_cast<unsigned>(random_()) % limit; }

    void fill_related(unsigned contrast_percent, unsigned noise)
    {
        const unsigned coarse = below(13) + 2, cells = below(1U << 30);
        const auto texture = [=, this](unsigned x, unsigned y) {
            const unsigned cell = ((x / coarse) * 2654435761U) ^ ((y / coarse) * 40503U) ^ cells;
            return ((cell >> 7) % (peak_ + 1) + (x * 37 + y * 11) * peak_ / 255) / 2 % (peak_ + 1);
        };
        ref_.fill(texture);
        dis_.fill([&](unsigned x, unsigned y) {
            return std::min(peak_, texture(x, y) * contrast_percent / 100 + below(noise));
        });
    }

    void fill_faint()
    {
        const unsigned step = std::max(1U, peak_ / 128), level = below(peak_ / 2), gain = below(40) + 1;
        const auto faint = [](unsigned x, unsigned y) { return x * y % 3 + (x * 7 + y * 3) % 5 * (y % 16 / 8); };
        ref_.fill([&](unsigned x, unsigned y) { return level + step * faint(x, y); });
        dis_.fill([&](unsigned x, unsigned y) { return std::min(peak_, level + step * gain * faint(x, y)); });
    }

    unsigned peak_;
    std::mt19937 random_;
    HostPlane ref_, dis_;
};

Pair::Kind kind_number(unsigned i)
{
    return Pair::kKinds[i % Pair::kKinds.size()];
}

TEST(VifTensorTables, HoldTheLogarithm)
{
    const auto tables = make_vif_tensor_tables();
    std::int64_t sum = 0; // sum of T, spec vif 3.4
    for (unsigned m = 32768; m < 65536; ++m) {
        const unsigned t = 30720 + tables->log[m - 32768] + (m - 32768) / 16;
        const unsigned entry = vif_log_table()[(m - 32768) / 8];
        ASSERT_EQ(t, 30720 + (entry + m % 8) / 8) << m;
        sum += t;
    }
    EXPECT_EQ(sum, 1044032097);
}

// Each column of a matrix pair filters an impulse. The results are the coefficients of spec vif
// 3.1.
TEST(VifTensorTables, HoldTheFilters)
{
    for (unsigned output = 0; output < 16; ++output) {
        unsigned sum = 0, swapped_sum = 0;
        for (unsigned input = 0; input < 32; ++input) {
            const unsigned coefficient =
                vif_tensor_entry(kVifTensorLow, input, output) + 256U * vif_tensor_entry(kVifTensorHigh, input, output);
            const unsigned distance = input > output + 8 ? input - output - 8 : output + 8 - input;
            EXPECT_EQ(coefficient, distance > 8 ? 0 : kVifFilter[0][distance]);
            sum += coefficient;
            swapped_sum += vif_tensor_entry(kVifTensorLowSwapped, (input + 16) % 32, output) +
                           256U * vif_tensor_entry(kVifTensorHighSwapped, (input + 16) % 32, output);
        }
        EXPECT_EQ(sum, 65536U);
        EXPECT_EQ(swapped_sum, 65536U);
    }
    for (unsigned output = 0; output < 8; ++output)
        for (unsigned input = 0; input < 32; ++input) {
            const unsigned distance = input > 2 * output + 8 ? input - 2 * output - 8 : 2 * output + 8 - input;
            for (const unsigned swap : {0U, 16U}) {
                const VifTensorMatrix matrix = swap == 0 ? kVifTensorNext : kVifTensorNextSwapped;
                EXPECT_EQ(vif_tensor_entry(matrix, input ^ swap, output) +
                              256U * vif_tensor_entry(matrix, input ^ swap, output + 8),
                          distance > 4 ? 0 : kVifFilter[1][distance]);
            }
        }
}

TEST(VifCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs())
        for (unsigned i = 0; i < std::min(spec.frames, 2U); ++i) {
            SCOPED_TRACE(spec.name);
            const Clip &clip = Clip::get(spec.name);
            expect_cpu_sums(*gpu, clip_pair(clip, i));
        }
}

TEST(VifCuda, MatchesTheChaptersSums)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const auto &[name, sums] : test::kVifCheckValues) {
        const FramePlanes pair = clip_pair(Clip::get(name), 0);
        const auto extractor = test::make_cuda(*gpu, kVifCuda, format_of(pair), {}, 1);
        const DevicePair device(*gpu, pair);
        EXPECT_EQ(text(test::run_batch<VifSums>(*gpu, *extractor, {device.frame()})[0]), text(sums)) << name;
    }
}

TEST(VifCuda, EqualsCpuWithEveryOption)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *gain_limit : {"1", "1.23457", "3.5", "20.25", "100"})
        for (const char *skip_scale0 : {"false", "true"}) {
            const test::Options options{{"vif_enhn_gain_limit", gain_limit}, {"vif_skip_scale0", skip_scale0}};
            for (const char *name : {"tiles_177x145_8", "tiles_352x288_10", "noise_176x144_8", "same_352x288_8"})
                expect_cpu_sums(*gpu, clip_pair(Clip::get(name), 0), options);
            for (unsigned i = 0; i < 12; ++i)
                expect_cpu_sums(*gpu, Pair(131, 67, i < 6 ? 8 : 12, kind_number(i), i).views(), options);
        }
}

// Sizes from 8 on, with the special rules below 16 (spec vif 4).
TEST(VifCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned height = 8; height <= 33; ++height)
        for (unsigned width = 8; width <= 33; width += height < 17 ? 1 : 5)
            expect_cpu_sums(
                *gpu,
                Pair(width, height, width % 2 == 0 ? 8 : 10, kind_number(width + height), width * height).views());
}

TEST(VifCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    std::vector<unsigned> widths;
    for (const unsigned tile : {vif_tile_columns(0), 2 * vif_tile_columns(0), 2 * vif_tile_columns(1)})
        for (const unsigned width : {tile - 1, tile, tile + 1, tile + vif_halo_px(0)})
            widths.push_back(width);
    unsigned seed = 0;
    for (const unsigned width : widths)
        for (const unsigned height :
             {2 * kVifTileRows - 1, 2 * kVifTileRows, 2 * kVifTileRows + 1, 4 * kVifTileRows + 1})
            for (const unsigned bpc : {8U, 12U}) {
                ++seed;
                expect_cpu_sums(*gpu, Pair(width, height, bpc, kind_number(seed), seed).views());
            }
}

// The kernel on tensor cores: chunks of 32 columns and 16 rows, with an equal share of them for
// each warp.
TEST(VifCuda, EqualsCpuAroundTheChunkSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned seed = 0;
    for (const unsigned columns : {kVifTensorColumns, 2 * kVifTensorColumns, 7 * kVifTensorColumns})
        for (const unsigned width : {columns - 9, columns - 1, columns, columns + 1, columns + 8})
            for (const unsigned rows : {kVifTensorRows, 2 * kVifTensorRows, 9 * kVifTensorRows})
                for (const unsigned height : {rows - 8, rows - 1, rows, rows + 1}) {
                    ++seed;
                    const unsigned bpc = seed % 2 == 0 ? 8 : 9 + seed / 2 % 4;
                    expect_cpu_sums(*gpu, Pair(width, height, bpc, kind_number(seed), seed).views());
                }
}

TEST(VifCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U})
        for (const unsigned narrow : {9U, 17U}) {
            expect_cpu_sums(*gpu, Pair(4096, narrow, bpc, Pair::Kind::related, bpc).views());
            expect_cpu_sums(*gpu, Pair(narrow, 4096, bpc, Pair::Kind::related, bpc).views());
        }
}

TEST(VifCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (unsigned i = 0; i < Pair::kKinds.size(); ++i) {
            const Pair pair(301, 67, bpc, kind_number(i), bpc);
            expect_cpu_sums(*gpu, pair.views(), {}, i % 2 == 0 ? PlaneLayout{} : test::unaligned_layout(bpc));
        }
}

// Scores of samples above the depth have no meaning, but the next frame's scores are right.
TEST(VifCuda, SurvivesSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {9U, 10U, 15U}) {
        std::mt19937 random(bpc);
        HostPlane ref(253, 37, bpc), dis(253, 37, bpc);
        ref.fill_noise(random, 0xffff);
        dis.fill_full_swing(random, 0xffff);
        const Pair valid(253, 37, bpc, Pair::Kind::related, bpc);
        const auto extractor = test::make_cuda(*gpu, kVifCuda, format_of(valid.views()), {}, 2);
        const DevicePair wild_pair(*gpu, luma_pair(ref.view(), dis.view())), valid_pair(*gpu, valid.views());
        const std::string expected = text(cpu_sums(valid.views()));
        EXPECT_EQ(text(test::run_batch<VifSums>(*gpu, *extractor, {wild_pair.frame(), valid_pair.frame()})[1]),
                  expected);
        EXPECT_EQ(text(test::run_batch<VifSums>(*gpu, *extractor, {valid_pair.frame()})[0]), expected);
    }
}

TEST(VifCuda, BatchesOfAnySizeStayEqualFiftyTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kPairs = 11;
    for (const unsigned bpc : {8U, 10U}) {
        std::vector<DevicePair> pairs;
        std::vector<std::string> expected;
        for (unsigned seed = 0; seed < kPairs; ++seed) {
            const Pair pair(643, 361, bpc, kind_number(seed), seed);
            pairs.emplace_back(*gpu, pair.views());
            expected.push_back(text(cpu_sums(pair.views())));
        }
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 643, 361};
        const auto extractor = test::make_cuda(*gpu, kVifCuda, format);
        std::mt19937 random(1);
        for (unsigned repeat = 0; repeat < 50; ++repeat)
            for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
                std::vector<CudaFrame> frames;
                std::vector<std::string> wanted, got;
                for (unsigned i = 0; i < count; ++i) {
                    const std::size_t pair = random() % kPairs;
                    frames.push_back(pairs[pair].frame());
                    wanted.push_back(expected[pair]);
                }
                for (const VifSums &sums : test::run_batch<VifSums>(*gpu, *extractor, frames))
                    got.push_back(text(sums));
                ASSERT_EQ(got, wanted) << "repeat " << repeat;
            }
    }
}

} // namespace
} // namespace vmaf
