// vmaf_picture_wrap() and vmaf_frames_held(): arguments, errors, and the fields of a picture (spec
// device_pictures 2). engine/foreign_pictures_test.cpp tests the scores of wrapped pictures and
// when they are released.

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "client.h"
#include "foreign_client.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::test {
namespace {

/// A foreign picture with memory for its planes; counts releases.
struct Foreign : VmafForeignPicture {
    Foreign(VmafPixelFormat format, unsigned depth, unsigned width, unsigned height,
            VmafPlaneLayout planes = VMAF_PLANE_LAYOUT_PLANAR, unsigned low_bits = 0)
        : VmafForeignPicture{}, samples(3 * 2 * std::size_t{width} * height + 64)
    {
        struct_size = sizeof(VmafForeignPicture);
        pix_fmt = format;
        bpc = depth;
        shift = low_bits;
        w = width;
        h = height;
        layout = planes;
        for (unsigned plane = 0; plane < 3; ++plane) {
            data[plane] = samples.data() + plane * std::size_t{width} * height;
            stride[plane] = static_cast<std::ptrdiff_t>(width) * (depth > 8 ? 2 : 1);
        }
        release = [](void *count) { ++*static_cast<unsigned *>(count); };
        opaque = &releases;
    }
    Foreign(const Foreign &) = delete;
    Foreign &operator=(const Foreign &) = delete;

    std::vector<std::uint16_t> samples;
    unsigned releases = 0;
};

Foreign p010()
{
    return Foreign(VMAF_PIX_FMT_YUV420P, 10, 32, 16, VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6);
}
Foreign nv12()
{
    return Foreign(VMAF_PIX_FMT_YUV420P, 8, 32, 16, VMAF_PLANE_LAYOUT_SEMI_PLANAR);
}
Foreign planar(unsigned bpc = 8)
{
    return Foreign(VMAF_PIX_FMT_YUV420P, bpc, 32, 16);
}

class WrapContract : public testing::Test {
  protected:
    /// A refused picture leaves nothing behind: the library keeps neither its memory nor the
    /// struct.
    void expect_refused(const Foreign &foreign, int error = -EINVAL)
    {
        VmafPicture pic;
        std::memset(&pic, 0x5a, sizeof pic);
        VmafPicture before = pic;
        EXPECT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), error);
        EXPECT_EQ(std::memcmp(&pic, &before, sizeof pic), 0);
        EXPECT_EQ(foreign.releases, 0U);
    }
    void expect_taken(const Foreign &foreign)
    {
        VmafPicture pic{};
        ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), 0);
        EXPECT_EQ(foreign.releases, 0U);
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
        EXPECT_EQ(foreign.releases, 1U);
        EXPECT_EQ(vmaf_picture_unref(&pic), -EINVAL);
        EXPECT_EQ(foreign.releases, 1U);
    }

    OpenContext vmaf_;
};

TEST_F(WrapContract, NullArgumentsAreRefused)
{
    const Foreign foreign = planar();
    VmafPicture pic{};
    EXPECT_EQ(vmaf_picture_wrap(nullptr, &pic, &foreign), -EINVAL);
    EXPECT_EQ(vmaf_picture_wrap(vmaf_, nullptr, &foreign), -EINVAL);
    EXPECT_EQ(vmaf_picture_wrap(vmaf_, &pic, nullptr), -EINVAL);
    EXPECT_EQ(pic.ref, nullptr);
    EXPECT_EQ(foreign.releases, 0U);
}

TEST_F(WrapContract, TheStructsSizeSaysItsVersion)
{
    Foreign foreign = planar();
    constexpr std::size_t kFirst = offsetof(VmafForeignPicture, scaled_w);
    constexpr std::size_t kSecond = offsetof(VmafForeignPicture, scored_bpc);
    for (const std::size_t size :
         {std::size_t{0}, kFirst - 1, kFirst + 1, offsetof(VmafForeignPicture, scaled_h), kSecond - 1, kSecond + 1,
          offsetof(VmafForeignPicture, reserved), sizeof(VmafForeignPicture) - 1, SIZE_MAX}) {
        foreign.struct_size = size;
        expect_refused(foreign);
    }
    // A later header may have more fields. This version accepts them if they are zero.
    struct Later {
        VmafForeignPicture known;
        std::uint64_t added[2];
    } later{foreign, {0, 0}};
    later.known.struct_size = sizeof later;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &later.known), 0);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    later.added[1] = 1;
    EXPECT_EQ(vmaf_picture_wrap(vmaf_, &pic, &later.known), -EINVAL);
    EXPECT_EQ(foreign.releases, 1U);
}

// The struct of the first header ended before the scaled size. The memory behind it is not the
// library's.
TEST_F(WrapContract, TheFirstHeadersStructIsTaken)
{
    const Foreign foreign = planar();
    constexpr std::size_t kFirst = offsetof(VmafForeignPicture, scaled_w);
    const std::unique_ptr<unsigned char[]> only(new unsigned char[kFirst]); // the library must not read behind it
    std::memcpy(only.get(), static_cast<const VmafForeignPicture *>(&foreign), kFirst);
    reinterpret_cast<VmafForeignPicture *>(only.get())->struct_size = kFirst;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, reinterpret_cast<VmafForeignPicture *>(only.get())), 0);
    EXPECT_EQ(pic.w[0], 32U);
    EXPECT_EQ(pic.data[0], foreign.data[0]);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    Foreign followed = planar();
    followed.struct_size = kFirst;
    followed.scaled_w = 7;
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &followed), 0);
    EXPECT_EQ(pic.w[0], 32U);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

// The struct of the second header ended before the scored depth.
TEST_F(WrapContract, TheSecondHeadersStructIsTaken)
{
    const Foreign foreign = planar();
    constexpr std::size_t kSecond = offsetof(VmafForeignPicture, scored_bpc);
    static_assert(kSecond == 120);
    const std::unique_ptr<unsigned char[]> only(new unsigned char[kSecond]); // the library must not read behind it
    std::memcpy(only.get(), static_cast<const VmafForeignPicture *>(&foreign), kSecond);
    auto *const second = reinterpret_cast<VmafForeignPicture *>(only.get());
    second->struct_size = kSecond;
    second->scaled_w = 45;
    second->scaled_h = 9;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, second), 0);
    EXPECT_EQ(pic.w[0], 45U);
    EXPECT_EQ(pic.bpc, foreign.bpc);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    Foreign followed = planar();
    followed.struct_size = kSecond;
    followed.scored_bpc = 16;
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &followed), 0);
    EXPECT_EQ(pic.bpc, followed.bpc);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST_F(WrapContract, RaisedPicturesHaveTheDepthThatIsScored)
{
    for (const auto &[bpc, scored_bpc] : {std::pair{8U, 10U}, {8U, 16U}, {10U, 12U}, {12U, 16U}}) {
        Foreign foreign = planar(bpc);
        foreign.scored_bpc = scored_bpc;
        VmafPicture pic{};
        ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), 0);
        EXPECT_EQ(pic.bpc, scored_bpc);
        EXPECT_EQ(pic.w[0], 32U);
        EXPECT_EQ(pic.data[0], nullptr);
        EXPECT_EQ(pic.stride[0], 0);
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    }
    Foreign same = planar(10);
    same.scored_bpc = 10;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &same), 0);
    EXPECT_EQ(pic.data[0], same.data[0]);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    for (const auto &[bpc, scored_bpc] : {std::pair{8U, 7U}, {10U, 8U}, {10U, 9U}, {8U, 17U}, {16U, 17U}, {8U, ~0U}}) {
        Foreign foreign = planar(bpc);
        foreign.scored_bpc = scored_bpc;
        expect_refused(foreign);
    }
    Foreign reserved = planar();
    reserved.reserved = 1;
    expect_refused(reserved);
}

TEST(ScaleContract, APictureOfTheLibraryHasTheDepthThatIsScored)
{
    Foreign foreign = p010();
    for (std::size_t i = 0; i < foreign.samples.size(); ++i)
        foreign.samples[i] = static_cast<std::uint16_t>(i % 1024 << 6 | i % 64);
    foreign.scored_bpc = 12;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_scale(&pic, &foreign), 0);
    EXPECT_EQ(pic.bpc, 12U);
    for (unsigned y = 0; y < pic.h[0]; ++y)
        for (unsigned x = 0; x < pic.w[0]; ++x) {
            std::uint16_t sample = 0;
            std::memcpy(&sample, static_cast<char *>(pic.data[0]) + pic.stride[0] * y + x * 2, 2);
            ASSERT_EQ(sample, (y * 32 + x) % 1024 * 4) << x << ", " << y;
        }
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST_F(WrapContract, ScaledPicturesHaveTheSizeThatIsScored)
{
    for (const VmafPlaneLayout layout : {VMAF_PLANE_LAYOUT_PLANAR, VMAF_PLANE_LAYOUT_SEMI_PLANAR}) {
        Foreign foreign(VMAF_PIX_FMT_YUV420P, 8, 32, 16, layout);
        foreign.scaled_w = 45;
        foreign.scaled_h = 9;
        VmafPicture pic{};
        ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), 0);
        EXPECT_EQ(pic.pix_fmt, VMAF_PIX_FMT_YUV420P);
        EXPECT_EQ(pic.bpc, 8U);
        for (unsigned plane = 0; plane < 3; ++plane) {
            EXPECT_EQ(pic.w[plane], plane == 0 ? 45U : 22U);
            EXPECT_EQ(pic.h[plane], plane == 0 ? 9U : 4U);
            EXPECT_EQ(pic.data[plane], nullptr);
            EXPECT_EQ(pic.stride[plane], 0);
        }
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
        EXPECT_EQ(foreign.releases, 1U);
    }
}

TEST_F(WrapContract, PicturesOfTheSizeThatIsScoredAreNotScaled)
{
    Foreign foreign = planar();
    foreign.scaled_w = 32;
    foreign.scaled_h = 16;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), 0);
    EXPECT_EQ(pic.data[2], foreign.data[2]);
    EXPECT_EQ(pic.stride[2], foreign.stride[2]);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST_F(WrapContract, ScaledSizesAreChecked)
{
    struct Case {
        unsigned w, h, scaled_w, scaled_h;
        bool is_taken;
        VmafPixelFormat pix_fmt = VMAF_PIX_FMT_YUV400P;
    };
    for (const Case &tested : {
             Case{32, 16, 0, 16, false},
             {32, 16, 32, 0, false},
             {1024, 2, 1, 2, true},
             {1025, 2, 1, 2, false},
             {2, 1024, 2, 1, true},
             {2, 1025, 2, 1, false},
             {2, 2, 1U << 20, 2, true},
             {2, 2, (1U << 20) + 1, 2, false},
             {2, 2, 2, (1U << 20) + 1, false},
             {2, 2, UINT_MAX, UINT_MAX, false},
             {(1U << 20) + 1, 1, 1U << 20, 1, false},
             {0, 16, 8, 8, false},
             {16, 0, 8, 8, false},
             {1, 1, 8, 8, false, VMAF_PIX_FMT_YUV420P},
             {1, 8, 1, 16, true, VMAF_PIX_FMT_YUV420P},
             {8, 8, 1, 1, true, VMAF_PIX_FMT_YUV420P},
             {3071, 2, 3, 2, false, VMAF_PIX_FMT_YUV420P},
             {3071, 2, 3, 2, true},
         }) {
        Foreign foreign(tested.pix_fmt, 8, tested.w, tested.h);
        foreign.scaled_w = tested.scaled_w;
        foreign.scaled_h = tested.scaled_h;
        SCOPED_TRACE(testing::Message() << tested.w << "x" << tested.h << " to " << tested.scaled_w << "x"
                                        << tested.scaled_h);
        if (tested.is_taken)
            expect_taken(foreign);
        else
            expect_refused(foreign);
    }
}

// engine/plane_scaling_test.cpp compares the samples themselves.
TEST(ScaleContract, APictureOfTheLibraryHasTheSamplesThatAreScored)
{
    Foreign foreign = p010();
    for (std::size_t i = 0; i < foreign.samples.size(); ++i)
        foreign.samples[i] = static_cast<std::uint16_t>((100 + 200 * (i % 2)) << 6 | i % 64); // pairs of 100 and 300
    foreign.scaled_w = 40;
    foreign.scaled_h = 20;
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_scale(&pic, &foreign), 0);
    EXPECT_EQ(pic.pix_fmt, VMAF_PIX_FMT_YUV420P);
    EXPECT_EQ(pic.bpc, 10U);
    EXPECT_EQ(pic.w[0], 40U);
    EXPECT_EQ(pic.h[0], 20U);
    for (unsigned plane = 1; plane < 3; ++plane)
        for (unsigned y = 0; y < 10; ++y)
            for (unsigned x = 0; x < 20; ++x) {
                std::uint16_t sample = 0;
                std::memcpy(&sample, static_cast<char *>(pic.data[plane]) + pic.stride[plane] * y + x * 2, 2);
                ASSERT_EQ(sample, plane == 1 ? 100 : 300);
            }
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    EXPECT_EQ(foreign.releases, 0U) << "nothing was lent";
}

TEST(ScaleContract, PlanesMayKeepTheirSize)
{
    Foreign foreign(VMAF_PIX_FMT_YUV420P, 8, 5, 3);
    for (std::size_t i = 0; i < 30; ++i)
        reinterpret_cast<unsigned char *>(foreign.samples.data())[i] = static_cast<unsigned char>(i);
    VmafPicture pic{};
    ASSERT_EQ(vmaf_picture_scale(&pic, &foreign), 0);
    for (unsigned y = 0; y < 3; ++y)
        EXPECT_EQ(std::memcmp(static_cast<char *>(pic.data[0]) + pic.stride[0] * y,
                              static_cast<char *>(foreign.data[0]) + std::size_t{5} * y, 5),
                  0);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    Foreign one_sample(VMAF_PIX_FMT_YUV420P, 8, 1, 1);
    ASSERT_EQ(vmaf_picture_scale(&pic, &one_sample), 0);
    EXPECT_EQ(pic.w[1], 0U);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(ScaleContract, ArgumentsAreThoseOfVmafPictureWrap)
{
    Foreign foreign = p010();
    VmafPicture pic{};
    EXPECT_EQ(vmaf_picture_scale(nullptr, &foreign), -EINVAL);
    EXPECT_EQ(vmaf_picture_scale(&pic, nullptr), -EINVAL);
    foreign.memory = VMAF_MEMORY_CUDA_DEVICE;
    EXPECT_EQ(vmaf_picture_scale(&pic, &foreign), -EINVAL);
    foreign.memory = VMAF_MEMORY_HOST;
    foreign.shift = 7;
    OpenContext logging(0, 0, VMAF_LOG_LEVEL_ERROR);
    testing::internal::CaptureStderr();
    EXPECT_EQ(vmaf_picture_scale(&pic, &foreign), -EINVAL);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "libvmaf ERROR vmaf_picture_scale: samples do not fit above the shift\n");
    OpenContext silent;
    foreign.shift = 6;
    foreign.scaled_w = 10;
    EXPECT_EQ(vmaf_picture_scale(&pic, &foreign), -EINVAL);
    EXPECT_EQ(pic.ref, nullptr);
}

TEST_F(WrapContract, MemoryHoldsTheScaledPicture)
{
    Foreign foreign(VMAF_PIX_FMT_YUV444P, 16, 1024, 1024);
    foreign.scaled_w = foreign.scaled_h = 1U << 20;
    expect_refused(foreign, -ENOMEM);
}

TEST_F(WrapContract, PlanarPicturesWithoutAShiftSayWhereTheyLie)
{
    for (const unsigned bpc : {8U, 10U, 16U}) {
        const Foreign foreign = planar(bpc);
        VmafPicture pic{};
        ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, &foreign), 0);
        EXPECT_EQ(pic.pix_fmt, VMAF_PIX_FMT_YUV420P);
        EXPECT_EQ(pic.bpc, bpc);
        EXPECT_NE(pic.ref, nullptr);
        for (unsigned plane = 0; plane < 3; ++plane) {
            EXPECT_EQ(pic.data[plane], foreign.data[plane]);
            EXPECT_EQ(pic.stride[plane], foreign.stride[plane]);
            EXPECT_EQ(pic.w[plane], plane == 0 ? 32U : 16U);
            EXPECT_EQ(pic.h[plane], plane == 0 ? 16U : 8U);
        }
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    }
}

TEST_F(WrapContract, OtherPicturesHaveNoPlanarView)
{
    const Foreign semi_planar = nv12(), both = p010(),
                  shifted(VMAF_PIX_FMT_YUV444P, 12, 9, 5, VMAF_PLANE_LAYOUT_PLANAR, 4);
    for (const Foreign *foreign : {&semi_planar, &both, &shifted}) {
        VmafPicture pic{};
        ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pic, foreign), 0);
        EXPECT_EQ(pic.bpc, foreign->bpc);
        EXPECT_EQ(pic.w[0], foreign->w);
        EXPECT_EQ(pic.h[1], foreign->pix_fmt == VMAF_PIX_FMT_YUV444P ? foreign->h : foreign->h / 2);
        for (unsigned plane = 0; plane < 3; ++plane) {
            EXPECT_EQ(pic.data[plane], nullptr);
            EXPECT_EQ(pic.stride[plane], 0);
        }
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
        EXPECT_EQ(foreign->releases, 1U);
    }
}

TEST_F(WrapContract, DepthsAreThoseOfPictures)
{
    for (const unsigned bpc : {0U, 7U, 17U, UINT_MAX})
        expect_refused(Foreign(VMAF_PIX_FMT_YUV420P, bpc, 32, 16));
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        expect_taken(planar(bpc));
}

TEST_F(WrapContract, EnumValuesAreChecked)
{
    VmafPicture pic{};
    for (const int format : {-1, 0, 5, INT_MAX})
        EXPECT_EQ(wrap_with_enums(vmaf_, &pic, format, VMAF_PLANE_LAYOUT_PLANAR, VMAF_MEMORY_HOST), -EINVAL);
    for (const int layout : {-1, 2, INT_MIN})
        EXPECT_EQ(wrap_with_enums(vmaf_, &pic, VMAF_PIX_FMT_YUV420P, layout, VMAF_MEMORY_HOST), -EINVAL);
    for (const int memory : {-1, 2, INT_MAX})
        EXPECT_EQ(wrap_with_enums(vmaf_, &pic, VMAF_PIX_FMT_YUV420P, VMAF_PLANE_LAYOUT_PLANAR, memory), -EINVAL);
    EXPECT_EQ(wrap_with_enums(vmaf_, &pic, VMAF_PIX_FMT_YUV400P, VMAF_PLANE_LAYOUT_SEMI_PLANAR, VMAF_MEMORY_HOST),
              -EINVAL);
    ASSERT_EQ(wrap_with_enums(vmaf_, &pic, VMAF_PIX_FMT_YUV420P, VMAF_PLANE_LAYOUT_SEMI_PLANAR, VMAF_MEMORY_HOST), 0);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST_F(WrapContract, AShiftFillsSixteenBitsAtMost)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (const unsigned shift : {0U, 1U, 6U, 16 - bpc, 17 - bpc, 16U, UINT_MAX, UINT_MAX - bpc + 17}) {
            const Foreign foreign(VMAF_PIX_FMT_YUV420P, bpc, 8, 8, VMAF_PLANE_LAYOUT_SEMI_PLANAR, shift);
            if (shift == 0 || (bpc > 8 && shift <= 16 - bpc))
                expect_taken(foreign);
            else
                expect_refused(foreign);
        }
}

TEST_F(WrapContract, StridesHoldARow)
{
    for (const unsigned bpc : {8U, 12U})
        for (const VmafPlaneLayout layout : {VMAF_PLANE_LAYOUT_PLANAR, VMAF_PLANE_LAYOUT_SEMI_PLANAR}) {
            const bool pairs = layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR;
            const std::ptrdiff_t sample = bpc > 8 ? 2 : 1;
            const std::ptrdiff_t rows[] = {15 * sample, (pairs ? 14 : 7) * sample, 7 * sample};
            for (unsigned plane = 0; plane < (pairs ? 2U : 3U); ++plane)
                for (const std::ptrdiff_t stride : {std::ptrdiff_t{0}, rows[plane] - sample, -rows[plane]}) {
                    Foreign foreign(VMAF_PIX_FMT_YUV420P, bpc, 15, 9, layout);
                    foreign.stride[plane] = stride;
                    expect_refused(foreign);
                }
            Foreign foreign(VMAF_PIX_FMT_YUV420P, bpc, 15, 9, layout);
            std::copy(std::begin(rows), std::end(rows), foreign.stride);
            expect_taken(foreign);
        }
}

TEST_F(WrapContract, SamplesOfTwoBytesLieAtEvenAddresses)
{
    for (unsigned plane = 0; plane < 2; ++plane) {
        Foreign at_odd_address = p010(), with_odd_stride = p010();
        at_odd_address.data[plane] = static_cast<char *>(at_odd_address.data[plane]) + 1;
        with_odd_stride.stride[plane] += 1;
        expect_refused(at_odd_address);
        expect_refused(with_odd_stride);
        Foreign bytes = nv12();
        bytes.data[plane] = static_cast<char *>(bytes.data[plane]) + 1;
        bytes.stride[plane] += 1;
        expect_taken(bytes);
    }
}

TEST_F(WrapContract, PlanesHaveData)
{
    for (unsigned plane = 0; plane < 3; ++plane) {
        Foreign foreign = planar();
        foreign.data[plane] = nullptr;
        expect_refused(foreign);
    }
    Foreign semi_planar = nv12();
    semi_planar.data[2] = nullptr; // the picture has no such plane
    semi_planar.stride[2] = 0;
    expect_taken(semi_planar);
    semi_planar.data[1] = nullptr;
    semi_planar.releases = 0;
    expect_refused(semi_planar);
    Foreign luma(VMAF_PIX_FMT_YUV400P, 8, 32, 16);
    luma.data[1] = luma.data[2] = nullptr;
    luma.stride[1] = luma.stride[2] = -1;
    expect_taken(luma);
}

TEST_F(WrapContract, PlanesWithoutSamplesAreNotLookedAt)
{
    for (const VmafPlaneLayout layout : {VMAF_PLANE_LAYOUT_PLANAR, VMAF_PLANE_LAYOUT_SEMI_PLANAR}) {
        Foreign one_sample(VMAF_PIX_FMT_YUV420P, 10, 1, 1, layout);
        one_sample.data[1] = one_sample.data[2] = nullptr;
        one_sample.stride[1] = one_sample.stride[2] = 0;
        expect_taken(one_sample);
        Foreign none(VMAF_PIX_FMT_YUV444P, 10, 0, 4, layout);
        none.data[0] = none.data[1] = none.data[2] = nullptr;
        expect_taken(none);
    }
}

TEST_F(WrapContract, PlanesEndWithinTheAddresses)
{
    Foreign far_apart = planar(), wide = planar();
    far_apart.stride[0] = PTRDIFF_MAX / 2;
    expect_refused(far_apart);
    wide.w = UINT_MAX;
    wide.stride[0] = wide.stride[1] = wide.stride[2] = PTRDIFF_MAX;
    expect_refused(wide);
    wide.h = UINT_MAX;
    expect_refused(wide);
}

TEST_F(WrapContract, DeviceMemoryNeedsAState)
{
    Foreign foreign = p010();
    foreign.memory = VMAF_MEMORY_CUDA_DEVICE;
    expect_refused(foreign, -ENOSYS);
    foreign.shift = 7; // an error of the picture itself is reported first
    expect_refused(foreign, -EINVAL);
}

TEST_F(WrapContract, ARefusalIsOneLineInTheLog)
{
    OpenContext logging(0, 0, VMAF_LOG_LEVEL_ERROR);
    Foreign foreign = p010();
    foreign.shift = 7;
    VmafPicture pic{};
    testing::internal::CaptureStderr();
    EXPECT_EQ(vmaf_picture_wrap(logging, &pic, &foreign), -EINVAL);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "libvmaf ERROR vmaf_picture_wrap: samples do not fit above the shift\n");
    OpenContext silent;
}

// The library owns the picture's fields. It must not read a plane whose address was cleared.
TEST_F(WrapContract, APlanarPictureWhoseStructLostAPlaneIsNotRead)
{
    const Foreign ref = planar(), dis = planar();
    VmafPicture pics[2] = {};
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pics[0], &ref), 0);
    ASSERT_EQ(vmaf_picture_wrap(vmaf_, &pics[1], &dis), 0);
    void *const data = pics[1].data[1];
    pics[1].data[1] = nullptr;
    EXPECT_EQ(vmaf_read_pictures(vmaf_, &pics[0], &pics[1], 0), -EINVAL);
    pics[1].data[1] = data;
    EXPECT_EQ(vmaf_read_pictures(vmaf_, &pics[0], &pics[1], 0), 0);
    EXPECT_EQ(vmaf_.close(), 0);
    EXPECT_EQ(ref.releases + dis.releases, 2U);
}

TEST(FramesHeldContract, NullArgumentsAreRefused)
{
    OpenContext vmaf;
    unsigned count = 7;
    EXPECT_EQ(vmaf_frames_held(nullptr, &count, &count), -EINVAL);
    EXPECT_EQ(vmaf_frames_held(vmaf, nullptr, &count), -EINVAL);
    EXPECT_EQ(vmaf_frames_held(vmaf, &count, nullptr), -EINVAL);
    EXPECT_EQ(count, 7U);
}

TEST(FramesHeldContract, CountsWhatIsRegisteredSoFar)
{
    OpenContext vmaf(2);
    unsigned ref = 0, dis = 0;
    ASSERT_EQ(vmaf_frames_held(vmaf, &ref, &dis), 0);
    EXPECT_EQ(ref, 5U) << "four in flight and the next one";
    EXPECT_EQ(dis, 5U);
    ASSERT_EQ(use_feature(vmaf, "motion"), 0);
    ASSERT_EQ(vmaf_frames_held(vmaf, &ref, &dis), 0);
    EXPECT_EQ(ref, 7U) << "each of two workers may need one before its own";
    EXPECT_EQ(dis, 5U) << "motion reads references alone";
    ASSERT_EQ(use_feature(vmaf, "motion", {{"motion_five_frame_window", "true"}}), 0);
    ASSERT_EQ(vmaf_frames_held(vmaf, &ref, &dis), 0);
    EXPECT_EQ(ref, 9U);
    EXPECT_EQ(dis, 5U);
}

TEST(ForeignContract, IsForClientsInCToo)
{
    unsigned releases = 0;
    const double psnr = psnr_of_nv12_in_c(36, 22, 4, &releases);
    EXPECT_NEAR(psnr, 20 * std::log10(255.0 / 4), 1e-9);
    EXPECT_EQ(releases, 2U);
}

} // namespace
} // namespace vmaf::test
