#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "cuda/device_pictures.h"
#include "feature/cuda_backends.h"
#include "feature/feature_runner.h"
#include "support/clips.h"

/// Helpers for tests of the float features' CUDA backends. Both backends compute the sums of a
/// frame, which must be equal to the last bit.
namespace vmaf::test {

enum class Content {
    noise, ///< two pictures that have nothing in common
    video, ///< waves and noise; the distorted picture is coarser and darker
    flat,
    same, ///< as in video, without distortion
};
inline constexpr std::array kContents{Content::noise, Content::video, Content::flat, Content::same};

/// A pair and the reference picture of the frame before, on the host.
class FloatFrame {
  public:
    FloatFrame(const PictureFormat &format, Content content, unsigned seed, unsigned max_sample)
        : random_(seed), max_sample_(max_sample)
    {
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            planes_.ref[plane] = add(format, plane, content, false);
            planes_.dis[plane] = add(format, plane, content, true);
            planes_.earlier[0].ref[plane] = add(format, plane, content, content != Content::same);
        }
        planes_.frame_index = 1 + seed % 3;
    }
    FloatFrame(const PictureFormat &format, Content content, unsigned seed)
        : FloatFrame(format, content, seed, (1U << format.bpc) - 1)
    {
    }

    const FramePlanes &planes() const { return planes_; }

  private:
    PlaneView add(const PictureFormat &format, unsigned plane, Content content, bool distorted)
    {
        storage_.push_back(
            std::make_unique<HostPlane>(format.plane_width(plane), format.plane_height(plane), format.bpc));
        HostPlane &added = *storage_.back();
        const auto most = static_cast<double>(max_sample_);
        if (content == Content::noise)
            added.fill_noise(random_, max_sample_);
        else if (content == Content::flat)
            added.fill_flat(max_sample_ / (distorted ? 3 : 2));
        else
            added.fill([&](unsigned x, unsigned y) {
                const double waves = std::sin(x * 0.31 + y * 0.11) + std::sin(x * 0.05 - y * 0.23 + plane);
                const double grain = static_cast<double>(random_() % 1000) / 1000;
                const double value = most * (0.5 + 0.2 * waves + 0.03 * grain);
                return distorted && content != Content::same ? std::floor(value * 24 / most) * most / 26 : value;
            });
        return added.view();
    }

    std::mt19937 random_;
    unsigned max_sample_;
    std::vector<std::unique_ptr<HostPlane>> storage_;
    FramePlanes planes_;
};

/// Copies of the planes in device memory.
class DeviceFrame {
  public:
    DeviceFrame(const TestGpu &gpu, const FramePlanes &planes, const PlaneLayout &layout = {})
    {
        for (unsigned plane = 0; plane < 3; ++plane) {
            frame_.ref[plane] = add(gpu, planes.ref[plane], layout);
            frame_.dis[plane] = add(gpu, planes.dis[plane], layout);
            frame_.earlier[0].ref[plane] = add(gpu, planes.earlier[0].ref[plane], layout);
        }
        frame_.frame_index = planes.frame_index;
    }

    const CudaFrame &frame() const { return frame_; }

  private:
    CudaPlane add(const TestGpu &gpu, const PlaneView &view, const PlaneLayout &layout)
    {
        storage_.emplace_back(gpu, view, layout);
        return storage_.back().view();
    }

    std::vector<DevicePlane> storage_;
    CudaFrame frame_{};
};

/// A registration of a feature on both backends.
template <class Sums> class FloatCuda {
  public:
    FloatCuda(const TestGpu &gpu, const CudaBackend &backend, const PictureFormat &format, const Options &options = {})
        : gpu_(gpu), format_(format), values_(parse_options(*backend.spec, options).value()),
          cpu_(backend.spec->create(values_)->make_cpu(format, cpu_target(0))),
          cuda_(require(backend.make({gpu.context(), format, values_, kMaxBatchFrames}), "make"))
    {
    }

    Sums cpu(const FramePlanes &planes)
    {
        Sums sums{};
        EXPECT_TRUE(cpu_->extract(planes, &sums).ok());
        return sums;
    }
    std::vector<Sums> cuda(const std::vector<CudaFrame> &frames) { return run_batch<Sums>(gpu_, *cuda_, frames); }

    void expect_equal(const FramePlanes &planes, const PlaneLayout &layout = {})
    {
        const DeviceFrame device(gpu_, planes, layout);
        expect_same(cuda({device.frame()})[0], cpu(planes));
    }

    void expect_same(const Sums &sums, const Sums &expected) const
    {
        EXPECT_EQ(std::memcmp(&sums, &expected, sizeof(Sums)), 0)
            << format_.width << "x" << format_.height << " at " << format_.bpc << " bit, format " << format_.pix_fmt
            << "\ncuda" << text(sums) << "\ncpu " << text(expected);
    }

  private:
    static std::string text(const Sums &sums)
    {
        std::string text;
        for (std::size_t at = 0; at < sizeof(Sums); at += sizeof(float)) {
            float value;
            std::memcpy(&value, reinterpret_cast<const char *>(&sums) + at, sizeof value);
            char number[40];
            std::snprintf(number, sizeof number, " %.9g", static_cast<double>(value));
            text += number;
        }
        return text;
    }

    const TestGpu &gpu_;
    PictureFormat format_;
    OptionValues values_;
    std::unique_ptr<CpuExtractor> cpu_;
    std::unique_ptr<CudaExtractor> cuda_;
};

template <class Sums>
void expect_cpu_sums(const TestGpu &gpu, const CudaBackend &backend, const PictureFormat &format,
                     const Options &options = {}, const PlaneLayout &layout = {}, Content content = Content::video)
{
    FloatCuda<Sums>(gpu, backend, format, options)
        .expect_equal(FloatFrame(format, content, format.width * 131 + format.height).planes(), layout);
}

inline PictureFormat luma_only(unsigned bpc, unsigned width, unsigned height)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, width, height};
}

inline constexpr std::array kFloatDepths{8U, 10U, 12U, 16U};

/// Frames of the clips. The sums of frames with a `frame_index` below 1 are not compared.
template <class Sums> void expect_cpu_sums_on_every_clip(const TestGpu &gpu, const CudaBackend &backend)
{
    for (const ClipSpec &spec : clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        if (!backend.spec->create(parse_options(*backend.spec, {}).value())->check_format(clip.format()).ok())
            continue;
        FloatCuda<Sums> feature(gpu, backend, clip.format());
        for (unsigned i = 1; i < std::min(spec.frames, 3U); ++i) {
            SCOPED_TRACE(spec.name);
            FramePlanes planes = planes_of(clip, i);
            planes.earlier[0] = planes_of(clip, i - 1);
            planes.frame_index = i;
            feature.expect_equal(planes);
        }
    }
}

/// Repeated batches of random frames.
template <class Sums>
void expect_batches_of_any_size(const TestGpu &gpu, const CudaBackend &backend, const PictureFormat &format,
                                unsigned repeats, const Options &options = {})
{
    constexpr unsigned kFrames = 11;
    FloatCuda<Sums> feature(gpu, backend, format, options);
    std::vector<DeviceFrame> frames;
    std::vector<Sums> expected;
    for (unsigned seed = 0; seed < kFrames; ++seed) {
        const FloatFrame frame(format, seed % 2 == 0 ? Content::video : Content::noise, seed);
        frames.emplace_back(gpu, frame.planes());
        expected.push_back(feature.cpu(frame.planes()));
    }
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < repeats && !::testing::Test::HasFailure(); ++repeat)
        for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
            std::vector<CudaFrame> batch;
            std::vector<std::size_t> chosen;
            for (unsigned i = 0; i < count; ++i) {
                chosen.push_back(random() % kFrames);
                batch.push_back(frames[chosen.back()].frame());
            }
            const std::vector<Sums> sums = feature.cuda(batch);
            for (unsigned i = 0; i < count; ++i)
                feature.expect_same(sums[i], expected[chosen[i]]);
        }
}

} // namespace vmaf::test
