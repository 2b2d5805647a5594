extern "C" {
#include <libswscale/swscale.h>
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "support/scaling.h"
#include "support/session.h"

// Measures how far scaling (spec device_pictures 3) is from libswscale's bicubic with
// SWS_ACCURATE_RND | SWS_BITEXACT. Checks the chapter's figures. The two round weights and
// intermediate values differently.

namespace vmaf::test {
namespace {

/// A plane with its own memory.
struct Plane {
    unsigned width, height, bpc;
    std::vector<std::uint16_t> samples = std::vector<std::uint16_t>(std::size_t{width} * height);

    std::size_t row_bytes() const { return width * sample_bytes(bpc); }
    const std::uint8_t *bytes() const { return reinterpret_cast<const std::uint8_t *>(samples.data()); }
    std::uint8_t *bytes() { return reinterpret_cast<std::uint8_t *>(samples.data()); }
    PlaneView view() const
    {
        return {reinterpret_cast<const std::byte *>(samples.data()), static_cast<std::ptrdiff_t>(row_bytes()), width,
                height, bpc};
    }
    unsigned at(unsigned x, unsigned y) const
    {
        return bpc > 8 ? view().row<std::uint16_t>(y)[x] : view().row<std::uint8_t>(y)[x];
    }
};

Plane copy_of(const PlaneView &view)
{
    Plane plane{view.width_px, view.height_px, view.bpc};
    for (unsigned y = 0; y < view.height_px; ++y)
        std::copy_n(view.row<std::uint8_t>(y), plane.row_bytes(), plane.bytes() + plane.row_bytes() * y);
    return plane;
}

Plane scaled_by_swscale(Plane from, unsigned width, unsigned height)
{
    const AVPixelFormat format = from.bpc == 8    ? AV_PIX_FMT_GRAY8
                                 : from.bpc == 10 ? AV_PIX_FMT_GRAY10
                                 : from.bpc == 12 ? AV_PIX_FMT_GRAY12
                                                  : AV_PIX_FMT_GRAY16;
    const std::unique_ptr<SwsContext, void (*)(SwsContext *)> scaler(
        sws_getContext(static_cast<int>(from.width), static_cast<int>(from.height), format, static_cast<int>(width),
                       static_cast<int>(height), format, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr,
                       nullptr, nullptr),
        sws_freeContext);
    if (!scaler)
        std::abort();
    Plane to{width, height, from.bpc};
    const std::uint8_t *const from_planes[4] = {from.bytes()};
    std::uint8_t *const to_planes[4] = {to.bytes()};
    const int from_strides[4] = {static_cast<int>(from.row_bytes())},
              to_strides[4] = {static_cast<int>(to.row_bytes())};
    EXPECT_EQ(
        sws_scale(scaler.get(), from_planes, from_strides, 0, static_cast<int>(from.height), to_planes, to_strides),
        static_cast<int>(height));
    return to;
}

struct Difference {
    double share_of_samples = 0; ///< number of different samples
    unsigned largest = 0;
};

Difference difference(const PlaneView &from, unsigned width, unsigned height)
{
    const Plane other = scaled_by_swscale(copy_of(from), width, height);
    const std::vector<unsigned> own = scaled_plane(from, width, height);
    Difference found;
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            const unsigned a = own[std::size_t{y} * width + x], b = other.at(x, y);
            found.share_of_samples += a != b ? 1.0 / width / height : 0;
            found.largest = std::max(found.largest, a > b ? a - b : b - a);
        }
    return found;
}

struct Limit {
    const char *clip;
    double share_of_samples;
    unsigned largest;
};

// The last clips are noise over the whole range, where swscale clips between the passes, and 16
// bits, for which it has less precision there.
TEST(SwscaleDifference, IsSmallAtEveryDepthAndRatio)
{
    for (const Limit &limit : {Limit{"tiles_640x360_8", 0.03, 1},
                               {"bands_960x540_10", 0.03, 1},
                               {"tiles_399x341_12", 0.25, 8},
                               {"noise_176x144_8", 0.12, 24},
                               {"tiles_256x192_16", 0.8, 100}}) {
        const PlaneView from = Clip::get(limit.clip).plane(Side::ref, 0, 0);
        Difference all;
        for (const auto &[num, den] : {std::pair{2U, 1U}, {3U, 2U}, {4U, 3U}, {2U, 3U}, {1U, 2U}, {1U, 3U}}) {
            const Difference found = difference(from, from.width_px * num / den, from.height_px * num / den);
            all.share_of_samples = std::max(all.share_of_samples, found.share_of_samples);
            all.largest = std::max(all.largest, found.largest);
        }
        std::printf("%s: at most %.1f %% of the samples differ, by %u at most\n", limit.clip,
                    100 * all.share_of_samples, all.largest);
        EXPECT_LT(all.share_of_samples, limit.share_of_samples) << limit.clip;
        EXPECT_LE(all.largest, limit.largest) << limit.clip;
    }
}

/// The pooled score of a clip against its reference, which was halved and scaled up again.
template <class ScaleUp> double vmaf_of(const Clip &clip, ScaleUp &&scale_up)
{
    const ClipSpec &spec = clip.spec();
    const Context context = open_context(0);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    EXPECT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
    for (unsigned frame = 0; frame < spec.frames; ++frame) {
        VmafPicture ref{}, dis{};
        EXPECT_EQ(make_picture(ref, clip, Side::ref, frame), 0);
        EXPECT_EQ(make_picture(dis, clip, Side::ref, frame), 0);
        const PlaneView whole = clip.plane(Side::ref, frame, 0);
        Plane half{spec.width / 2, spec.height / 2, spec.bits};
        const std::vector<unsigned> halved = scaled_plane(whole, half.width, half.height);
        std::copy(halved.begin(), halved.end(), half.bytes());
        const std::vector<unsigned> luma = scale_up(half, spec.width, spec.height);
        for (unsigned y = 0; y < spec.height; ++y)
            std::copy_n(luma.data() + std::size_t{y} * spec.width, spec.width,
                        static_cast<std::uint8_t *>(dis.data[0]) + dis.stride[0] * y);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    double score = -1;
    EXPECT_EQ(vmaf_score_pooled(context.get(), model.get(), VMAF_POOL_METHOD_MEAN, &score, 0, spec.frames - 1), 0);
    return score;
}

TEST(SwscaleDifference, HardlyChangesVmaf)
{
    for (const char *name : {"tiles_640x360_8", "bands_640x360_8"}) {
        const Clip &clip = Clip::get(name);
        const double own = vmaf_of(clip, [](const Plane &half, unsigned width, unsigned height) {
            return scaled_plane(half.view(), width, height);
        });
        const double other = vmaf_of(clip, [](const Plane &half, unsigned width, unsigned height) {
            const Plane scaled = scaled_by_swscale(half, width, height);
            return std::vector<unsigned>(scaled.bytes(), scaled.bytes() + std::size_t{width} * height);
        });
        std::printf("%s: VMAF %.6f, by swscale's samples %.6f\n", name, own, other);
        EXPECT_NEAR(own, other, 0.02);
    }
}

} // namespace
} // namespace vmaf::test
