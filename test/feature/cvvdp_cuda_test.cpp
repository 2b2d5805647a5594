#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>

#include "cuda/device_pictures.h"
#include "feature/cuda_backends.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_cuda_params.h"
#include "feature/cvvdp_pictures.h"
#include "support/clips.h"

namespace vmaf::test {
namespace {

/// A registration and its scores.
struct Registration {
    PictureFormat format;
    Options options;

    OptionValues values() const { return parse_options(kCvvdp, options).value(); }
    unsigned look_back() const { return kCvvdp.create(values())->window(format).look_back(); }
};

/// A clip on a device and in the host's memory, with the earlier pairs that frames look back at.
class DeviceClip {
  public:
    /// @param frame returns the planes of a pair.
    template <class Frame>
    DeviceClip(const TestGpu &gpu, const Registration &registration, unsigned frames, const Frame &frame,
               const PlaneLayout &layout = {})
    {
        const unsigned look_back = registration.look_back();
        for (unsigned i = 0; i < frames; ++i) {
            host_.push_back(frame(i));
            pairs_.emplace_back(gpu, host_.back(), layout);
            device_.push_back(pairs_.back().frame());
            FramePlanes &host = host_.back();
            host.earlier = {};
            for (unsigned age = 1; age <= std::min(i, look_back); ++age) {
                host.earlier[age - 1] = host_[i - age];
                device_.back().earlier[age - 1] = device_[i - age];
            }
        }
    }

    const std::vector<FramePlanes> &host() const { return host_; }
    const std::vector<CudaFrame> &device() const { return device_; }

  private:
    std::vector<FramePlanes> host_;
    std::deque<DevicePair> pairs_;
    std::vector<CudaFrame> device_;
};

std::unique_ptr<CudaExtractor> make_extractor(const TestGpu &gpu, const Registration &registration, unsigned max_batch)
{
    return require(kCvvdpCuda.make({gpu.context(), registration.format, registration.values(), max_batch}),
                   "kCvvdpCuda.make");
}

double score_of(const CvvdpSums &sums, const Registration &registration)
{
    std::array<double, 1> score{};
    static_cast<const Feature &>(*kCvvdp.create(registration.values())).finish(&sums, registration.format, score);
    return score[0];
}

void expect_cpu_scores(const TestGpu &gpu, const Registration &registration, const DeviceClip &clip, unsigned batch)
{
    const auto extractor = make_extractor(gpu, registration, batch);
    const FeatureRunner<CvvdpSums> cpu(kCvvdp, registration.options);
    for (std::size_t first = 0; first < clip.device().size(); first += batch) {
        const std::size_t count = std::min<std::size_t>(batch, clip.device().size() - first);
        const auto start = clip.device().begin() + static_cast<std::ptrdiff_t>(first);
        const auto sums = run_batch<CvvdpSums>(gpu, *extractor, {start, start + static_cast<std::ptrdiff_t>(count)});
        for (std::size_t i = 0; i < count; ++i) {
            const double expected = score_of(cpu.sums(clip.host()[first + i], registration.format), registration);
            EXPECT_NEAR(score_of(sums[i], registration), expected, kCvvdp.gpu_tolerance)
                << registration.format.width << "x" << registration.format.height << " at " << registration.format.bpc
                << " bit, format " << registration.format.pix_fmt << ", frame " << first + i;
        }
    }
}

void expect_cpu_scores(const TestGpu &gpu, const Registration &registration, unsigned frames, unsigned batch,
                       const PlaneLayout &layout = {})
{
    const CvvdpClip clip(registration.format, frames, registration.format.width * 131 + registration.format.height);
    expect_cpu_scores(gpu, registration,
                      DeviceClip(
                          gpu, registration, frames, [&](unsigned i) { return clip.frame(i); }, layout),
                      batch);
}

TEST(CvvdpCuda, AgreesWithTheCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const ClipSpec &spec : clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        const Registration registration{clip.format(), {}};
        expect_cpu_scores(
            *gpu, registration,
            DeviceClip(*gpu, registration, std::min(spec.frames, 3U), [&](unsigned i) { return planes_of(clip, i); }),
            2);
    }
}

TEST(CvvdpCuda, AgreesWithTheCpuAtTheSmallestSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const auto &[width, height] : std::vector<std::pair<unsigned, unsigned>>{
             {8, 8}, {8, 9}, {9, 8}, {11, 14}, {13, 10}, {16, 15}, {17, 12}, {12, 33}, {27, 31}})
        expect_cpu_scores(*gpu, {{VMAF_PIX_FMT_YUV420P, 8, width, height}, {}}, 2, 2);
}

TEST(CvvdpCuda, AgreesWithTheCpuAroundTheSizesOfStripsAndTiles)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kColumns = kCvvdpStripColumns, kRows = kCvvdpStripRows;
    for (const auto &[width, height] : std::vector<std::pair<unsigned, unsigned>>{{kColumns - 1, 8},
                                                                                  {kColumns, 9},
                                                                                  {kColumns + 1, 8},
                                                                                  {kColumns + kCvvdpBlurReach, 10},
                                                                                  {2 * kColumns + 5, 8},
                                                                                  {8, kRows - 1},
                                                                                  {9, kRows},
                                                                                  {8, kRows + 1},
                                                                                  {10, kRows + kCvvdpBlurReach + 1},
                                                                                  {63, 18}})
        expect_cpu_scores(*gpu, {{VMAF_PIX_FMT_YUV420P, 8, width, height}, {}}, 1, 1);
}

TEST(CvvdpCuda, AgreesWithTheCpuInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned i = 0;
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        for (const unsigned bpc : {8U, 10U, 12U, 16U}) {
            const PlaneLayout layout = i % 2 == 0 ? PlaneLayout{} : PlaneLayout{2, 2};
            expect_cpu_scores(*gpu, {{pix_fmt, bpc, 21 + i, 17}, {{"yuv_matrix", std::to_string(i % 6)}}}, 2, 2,
                              layout);
            ++i;
        }
}

TEST(CvvdpCuda, AgreesWithTheCpuForEveryDisplay)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const Options &options :
         std::vector<Options>{{{"display", "standard_fhd"}},
                              {{"display", "standard_hdr_pq"}},
                              {{"display", "standard_hdr_hlg"}},
                              {{"display", "iphone_14_pro_hdr"}, {"transfer", "pq"}},
                              {{"transfer", "bt1886"}, {"primaries", "p3"}},
                              {{"primaries", "bt2020"}},
                              {{"display", "standard_hdr_linear"}},
                              {{"display", "standard_hdr_pq"}, {"ppd", "150"}, {"yuv_matrix", "5"}},
                              {{"ppd", "1"}},
                              {{"ppd", "200"}, {"fps", "1"}}})
        for (const PictureFormat &format :
             {PictureFormat{VMAF_PIX_FMT_YUV420P, 10, 40, 36}, PictureFormat{VMAF_PIX_FMT_YUV444P, 8, 33, 26},
              PictureFormat{VMAF_PIX_FMT_YUV400P, 10, 34, 21}})
            expect_cpu_scores(*gpu, {format, options}, 2, 2);
}

TEST(CvvdpCuda, AgreesWithTheCpuBehindTheFirstFrames)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_scores(*gpu, {{VMAF_PIX_FMT_YUV420P, 8, 12, 10}, {{"fps", "8"}}}, 7, 3);
    // More earlier pairs than one launch can take.
    static_assert(kCvvdpMaxTaps - 1 > 2 * (kCvvdpLaunchSources - kMaxBatchFrames));
    expect_cpu_scores(*gpu, {{VMAF_PIX_FMT_YUV420P, 8, 9, 8}, {{"fps", "240"}}}, 63, kMaxBatchFrames);
}

// Sums are equal to the last bit.
void expect_equal_sums_in_every_batch(const TestGpu &gpu, const char *fps, unsigned count)
{
    const Registration registration{{VMAF_PIX_FMT_YUV420P, 8, 30, 21}, {{"fps", fps}}};
    const CvvdpClip frames(registration.format, count, 3);
    const DeviceClip clip(gpu, registration, count, [&](unsigned i) { return frames.frame(i); });
    const auto extractor = make_extractor(gpu, registration, kMaxBatchFrames);
    const auto run = [&](std::vector<CudaFrame> batch) { return run_batch<CvvdpSums>(gpu, *extractor, batch); };
    const unsigned first = count - 4;
    const auto together = run({clip.device().begin() + first, clip.device().end()});
    for (unsigned i = 0; i < 4; ++i) {
        const auto alone = run({clip.device()[first + i]});
        EXPECT_EQ(std::memcmp(&alone[0], &together[i], sizeof(CvvdpSums)), 0) << i;
    }
    // Frames that do not follow each other.
    const auto apart = run({clip.device()[first + 3], clip.device()[first], clip.device()[first + 2]});
    for (const auto &[place, frame] : {std::pair{0U, 3U}, {1U, 0U}, {2U, 2U}})
        EXPECT_EQ(std::memcmp(&apart[place], &together[frame], sizeof(CvvdpSums)), 0) << frame;
}

TEST(CvvdpCuda, DoesNotDependOnTheBatch)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_equal_sums_in_every_batch(*gpu, "8", 8); // each of them sees two pairs
    expect_equal_sums_in_every_batch(*gpu, "240", 30);
}

TEST(CvvdpCuda, OfEqualPicturesIsTen)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *display : {"standard_4k", "standard_hdr_pq"}) {
        const Registration registration{{VMAF_PIX_FMT_YUV422P, 8, 33, 26}, {{"display", display}}};
        const CvvdpClip frames(registration.format, 3, 4);
        const DeviceClip clip(*gpu, registration, 3, [&](unsigned i) {
            FramePlanes planes = frames.frame(i);
            std::copy_n(planes.ref, 3, planes.dis);
            return planes;
        });
        const auto sums = run_batch<CvvdpSums>(*gpu, *make_extractor(*gpu, registration, 3), clip.device());
        for (const CvvdpSums &frame : sums)
            for (const auto &band : frame.squares)
                for (const double sum : band)
                    EXPECT_EQ(sum, 0);
    }
}

} // namespace
} // namespace vmaf::test
