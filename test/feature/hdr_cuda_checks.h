#pragma once

#include <initializer_list>

#include "feature/float_cuda_checks.h"
#include "feature/hdr_oracle.h"
#include "feature/ssim_sums_check.h"

/// Helpers for tests of the CUDA backends of spec hdr 3 and 4. Values of pixels are equal to the
/// last bit on every device. Their sums, in binary64, are added in another order.
namespace vmaf::test {

/// For structures whose members are all doubles. The CPU adds each row by itself, except SSIM's
/// sums.
template <class Sums> void expect_nearly_same(const Sums &sums, const Sums &expected, const PictureFormat &format)
{
    SCOPED_TRACE(testing::Message() << format.width << "x" << format.height << " at " << format.bpc << " bit, format "
                                    << format.pix_fmt);
    if constexpr (std::is_same_v<Sums, SsimSums>) {
        expect_near(sums, expected, static_cast<double>(format.width) * format.height);
        return;
    }
    std::array<double, sizeof(Sums) / sizeof(double)> a, b;
    std::memcpy(a.data(), &sums, sizeof sums);
    std::memcpy(b.data(), &expected, sizeof expected);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-13 * std::abs(b[i])) << i;
}

/// A CUDA backend and the CPU's.
template <class Sums> class HdrCuda {
  public:
    HdrCuda(const TestGpu &gpu, const CudaBackend &backend) : gpu_(gpu), backend_(backend) {}

    void expect_cpu_sums(const PictureFormat &format, const Options &options = {}, const PlaneLayout &layout = {},
                         std::initializer_list<Content> contents = {Content::video}) const
    {
        FloatCuda<Sums> feature(gpu_, backend_, format, options);
        for (const Content content : contents) {
            const FloatFrame frame(format, content, format.width * 131 + format.height);
            const DeviceFrame device(gpu_, frame.planes(), layout);
            expect_nearly_same(feature.cuda({device.frame()})[0], feature.cpu(frame.planes()), format);
        }
    }

    void expect_cpu_sums_of_every_content() const
    {
        expect_cpu_sums({VMAF_PIX_FMT_YUV420P, 8, 61, 21}, {}, {},
                        {Content::video, Content::noise, Content::flat, Content::same});
    }

    void expect_cpu_sums_of_every_signal() const
    {
        for (const char *transfer : {"sdr", "srgb", "bt1886", "pq", "hlg", "linear"})
            for (const char *primaries : {"bt709", "bt2020", "p3"})
                expect_cpu_sums({VMAF_PIX_FMT_YUV444P, 10, 37, 13}, hdr_oracle::options_of({4, transfer, primaries}));
        for (int matrix = 0; matrix < 6; ++matrix)
            expect_cpu_sums({VMAF_PIX_FMT_YUV444P, 10, 37, 13}, hdr_oracle::options_of({matrix, "pq", "bt2020"}));
    }

    void expect_cpu_sums_of_every_format_and_depth() const
    {
        const Options pq = hdr_oracle::options_of({4, "pq", "bt2020"});
        for (const VmafPixelFormat pix_fmt :
             {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
            for (const unsigned bpc : {8U, 10U, 12U, 16U})
                for (const PlaneLayout &layout : {PlaneLayout{}, unaligned_layout(bpc)})
                    expect_cpu_sums({pix_fmt, bpc, 45, 11}, pq, layout);
    }

    /// Compares the GPU's sums of random frames with the CPU's, in batches of several lengths.
    void expect_cpu_sums_of_batches(const PictureFormat &format, const Options &options) const
    {
        constexpr unsigned kFrames = kMaxBatchFrames;
        FloatCuda<Sums> feature(gpu_, backend_, format, options);
        std::vector<DeviceFrame> devices;
        std::vector<CudaFrame> frames;
        std::vector<Sums> expected;
        for (unsigned seed = 0; seed < kFrames; ++seed) {
            const FloatFrame frame(format, seed % 2 == 0 ? Content::video : Content::noise, seed);
            devices.emplace_back(gpu_, frame.planes());
            frames.push_back(devices.back().frame());
            expected.push_back(feature.cpu(frame.planes()));
        }
        for (const unsigned count : {1U, 3U, kFrames}) {
            const std::vector<Sums> sums = feature.cuda({frames.end() - count, frames.end()});
            for (unsigned i = 0; i < count; ++i)
                expect_nearly_same(sums[i], expected[kFrames - count + i], format);
        }
    }

    void expect_cpu_sums_of_every_clip() const
    {
        for (const ClipSpec &spec : clip_specs()) {
            SCOPED_TRACE(spec.name);
            const Clip &clip = Clip::get(spec.name);
            FloatCuda<Sums> feature(gpu_, backend_, clip.format());
            const FramePlanes planes = planes_of(clip, 0);
            const DeviceFrame device(gpu_, planes);
            expect_nearly_same(feature.cuda({device.frame()})[0], feature.cpu(planes), clip.format());
        }
    }

  private:
    const TestGpu &gpu_;
    const CudaBackend &backend_;
};

} // namespace vmaf::test
