// Pictures and the pool of host pictures (spec abi 3.2, 9).

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <future>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "bad_enums.h"
#include "client.h"

namespace vmaf::test {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kHuge = 1u << 20;

struct LayoutRow {
    VmafPixelFormat pix_fmt;
    unsigned bpc, width, height;
    unsigned w[3], h[3];
    std::ptrdiff_t stride[3], offset[3]; ///< offset 0 of a chroma plane means that there is no plane
};

// Rows of the table in spec abi 3.2.
constexpr LayoutRow kLayouts[] = {
    {VMAF_PIX_FMT_YUV420P, 8, 17, 15, {17, 8, 8}, {15, 7, 7}, {32, 32, 32}, {0, 480, 704}},
    {VMAF_PIX_FMT_YUV422P, 8, 17, 15, {17, 8, 8}, {15, 15, 15}, {32, 32, 32}, {0, 480, 960}},
    {VMAF_PIX_FMT_YUV400P, 8, 17, 15, {17, 0, 0}, {15, 0, 0}, {32, 0, 0}, {0, 0, 0}},
    {VMAF_PIX_FMT_YUV420P, 10, 177, 145, {177, 88, 88}, {145, 72, 72}, {384, 192, 192}, {0, 55680, 69504}},
    {VMAF_PIX_FMT_YUV422P, 16, 33, 3, {33, 16, 16}, {3, 3, 3}, {128, 64, 64}, {0, 384, 576}},
    {VMAF_PIX_FMT_YUV444P, 9, 32, 2, {32, 32, 32}, {2, 2, 2}, {64, 64, 64}, {0, 128, 256}},
    {VMAF_PIX_FMT_YUV420P, 8, 1, 1, {1, 0, 0}, {1, 0, 0}, {32, 0, 0}, {0, 32, 32}},
};

void expect_layout(const VmafPicture &pic, const LayoutRow &row)
{
    SCOPED_TRACE(::testing::Message() << row.pix_fmt << ' ' << row.bpc << ' ' << row.width << 'x' << row.height);
    EXPECT_EQ(pic.pix_fmt, row.pix_fmt);
    EXPECT_EQ(pic.bpc, row.bpc);
    EXPECT_NE(pic.ref, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pic.data[0]) % 32, 0u);
    for (int p = 0; p < 3; ++p) {
        EXPECT_EQ(pic.w[p], row.w[p]) << p;
        EXPECT_EQ(pic.h[p], row.h[p]) << p;
        EXPECT_EQ(pic.stride[p], row.stride[p]) << p;
        if (p > 0 && row.offset[p] == 0)
            EXPECT_EQ(pic.data[p], nullptr) << p;
        else
            EXPECT_EQ(static_cast<char *>(pic.data[p]) - static_cast<char *>(pic.data[0]), row.offset[p]) << p;
    }
}

bool all_zero(const VmafPicture &pic)
{
    for (int p = 0; p < 3; ++p) {
        const auto *bytes = static_cast<const unsigned char *>(pic.data[p]);
        for (std::ptrdiff_t i = 0; i < pic.stride[p] * static_cast<std::ptrdiff_t>(pic.h[p]); ++i)
            if (bytes[i] != 0)
                return false;
    }
    return true;
}

VmafPictureConfiguration pool_of(unsigned width, unsigned height, unsigned count)
{
    return {{width, height, 8, VMAF_PIX_FMT_YUV420P}, count};
}

TEST(PictureContract, AllocationHasTheSpecifiedLayout)
{
    for (const LayoutRow &row : kLayouts) {
        VmafPicture pic = blank_picture(row.width, row.height, row.bpc, row.pix_fmt);
        expect_layout(pic, row);
        EXPECT_TRUE(all_zero(pic));
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    }
}

TEST(PictureContract, BadArgumentsAreRefused)
{
    VmafPicture pic{};
    EXPECT_EQ(vmaf_picture_alloc(nullptr, VMAF_PIX_FMT_YUV420P, 8, 16, 16), -EINVAL);
    EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_UNKNOWN, 8, 16, 16), -EINVAL);
    EXPECT_EQ(alloc_with_format(&pic, 5, 8, 16, 16), -EINVAL);
    EXPECT_EQ(alloc_with_format(&pic, -1, 8, 16, 16), -EINVAL);
    for (const unsigned bpc : {0u, 7u, 17u})
        EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_YUV420P, bpc, 16, 16), -EINVAL) << bpc;
}

TEST(PictureContract, EveryDepthAndEmptySizesAreAccepted)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        VmafPicture pic = blank_picture(16, 16, bpc);
        EXPECT_EQ(vmaf_picture_unref(&pic), 0) << bpc;
    }
    for (const auto &[w, h] : {std::pair{0u, 0u}, {16u, 0u}, {0u, 16u}, {1u, 1u}}) {
        VmafPicture pic = blank_picture(w, h);
        EXPECT_EQ(vmaf_picture_unref(&pic), 0) << w << 'x' << h;
    }
}

TEST(PictureContract, SizesBeyondMemoryAreOutOfMemory)
{
    VmafPicture pic{};
    EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_YUV420P, 8, kHuge, kHuge), -ENOMEM);
    EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_YUV420P, 8, UINT32_MAX, 16), -ENOMEM);
    EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_YUV444P, 16, UINT32_MAX, UINT32_MAX), -ENOMEM);
    // 2^64 bytes for one, 1.6 MB for the other
    EXPECT_EQ(vmaf_picture_alloc(&pic, VMAF_PIX_FMT_YUV400P, 16, 0xfffe9600, 0x8000b501), -ENOMEM);
}

TEST(PictureContract, UnrefZeroesTheStructAndASecondOneIsHarmless)
{
    VmafPicture pic = blank_picture(16, 16);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    EXPECT_TRUE(struct_is_zeroed(pic));
    EXPECT_EQ(vmaf_picture_unref(&pic), -EINVAL);
    EXPECT_EQ(vmaf_picture_unref(nullptr), -EINVAL);
}

TEST(PictureContract, ReleaseDoesNotTrustThePlanePointers)
{
    VmafPicture pic = blank_picture(16, 16);
    for (void *&plane : pic.data)
        plane = nullptr;
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(PoolContract, BadArgumentsAreRefused)
{
    OpenContext vmaf;
    EXPECT_EQ(vmaf_preallocate_pictures(nullptr, pool_of(16, 16, 2)), -EINVAL);
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(0, 16, 2)), -EINVAL);
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 0, 2)), -EINVAL);
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 0)), -EINVAL);
    EXPECT_EQ(preallocate_with_format(vmaf, 0, 8, 16, 16, 2), -EINVAL);
    EXPECT_EQ(preallocate_with_format(vmaf, 5, 8, 16, 16, 2), -EINVAL);
    EXPECT_EQ(preallocate_with_format(vmaf, 1, 7, 16, 16, 2), -EINVAL);
    EXPECT_EQ(preallocate_with_format(vmaf, 1, 20, 16, 16, 2), -EINVAL);
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(kHuge, kHuge, 2)), -ENOMEM);
}

TEST(PoolContract, FetchNeedsAPoolAndAPicture)
{
    OpenContext vmaf;
    VmafPicture pic{};
    EXPECT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), -EINVAL);
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 1)), 0);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(vmaf, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(nullptr, &pic), -EINVAL);
}

TEST(PoolContract, PicturesAreLaidOutAsAllocatedOnesAndStartZeroed)
{
    for (const LayoutRow &row : kLayouts) {
        OpenContext vmaf;
        ASSERT_EQ(vmaf_preallocate_pictures(vmaf, {{row.width, row.height, row.bpc, row.pix_fmt}, 1}), 0);
        VmafPicture pic{};
        ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0);
        expect_layout(pic, row);
        EXPECT_TRUE(all_zero(pic));
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
        EXPECT_TRUE(struct_is_zeroed(pic));
    }
}

TEST(PoolContract, FetchBlocksUntilAPictureComesBack)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 2)), 0);
    VmafPicture held[2]{}, late{};
    ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &held[0]), 0);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &held[1]), 0);
    auto fetch = std::async(std::launch::async, [&] { return vmaf_fetch_preallocated_picture(vmaf, &late); });
    EXPECT_EQ(fetch.wait_for(100ms), std::future_status::timeout);
    EXPECT_EQ(vmaf_picture_unref(&held[0]), 0);
    EXPECT_EQ(fetch.get(), 0);
    EXPECT_EQ(vmaf_picture_unref(&late), 0);
    EXPECT_EQ(vmaf_picture_unref(&held[1]), 0);
}

TEST(PoolContract, TwoPicturesAreEnoughForAnyNumberOfFrames)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads), plain(n_threads);
        ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(176, 144, 2)), 0);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        ASSERT_EQ(use_feature(plain, "motion"), 0);
        for (unsigned i = 0; i < 10; ++i) {
            VmafPicture ref{}, dis{};
            ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &ref), 0);
            ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &dis), 0);
            fill_picture(ref, clip, Side::ref, i % 5);
            fill_picture(dis, clip, Side::dis, i % 5);
            ASSERT_EQ(read(vmaf, ref, dis, i), 0) << i;
            ASSERT_EQ(read_frame(plain, clip, i % 5, i), 0) << i;
        }
        EXPECT_EQ(flush(vmaf), 0);
        EXPECT_EQ(flush(plain), 0);
        for (unsigned i = 0; i < 10; ++i)
            EXPECT_EQ(score_of(vmaf, "VMAF_integer_feature_motion2_score", i),
                      score_of(plain, "VMAF_integer_feature_motion2_score", i));
    }
}

TEST(PoolContract, ARefusedPoolPictureStaysTheClients)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 1)), 0);
    VmafPicture pic{};
    ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0);
    EXPECT_EQ(vmaf_read_pictures(vmaf, &pic, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    EXPECT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0) << "it came back to the pool";
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(PoolContract, SecondPreallocationReplacesThePool)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 1)), 0);
    VmafPicture old{}, fresh{};
    ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &old), 0);
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(32, 48, 1)), 0);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &fresh), 0);
    EXPECT_EQ(fresh.w[0], 32u);
    EXPECT_EQ(fresh.h[0], 48u);
    std::memset(old.data[0], 1, 16);
    EXPECT_EQ(vmaf_picture_unref(&old), 0);
    EXPECT_EQ(vmaf_picture_unref(&fresh), 0);
}

TEST(PoolContract, PicturesThatOnlyTogetherExceedTheMemoryAreRefused)
{
    const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    constexpr unsigned kWidth = 32768;
    OpenContext vmaf;
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(kWidth, static_cast<unsigned>(memory / kWidth / 4), 5)), -ENOMEM);
}

TEST(PoolContract, AFailedPreallocationKeepsThePool)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 1)), 0);
    EXPECT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 0)), -EINVAL);
    VmafPicture pic{};
    EXPECT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(PoolContract, ContextClosesWhileAPictureIsHeld)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(vmaf_preallocate_pictures(vmaf, pool_of(16, 16, 2)), 0);
        VmafPicture pic{};
        ASSERT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0);
        EXPECT_EQ(vmaf.close(), 0);
        std::memset(pic.data[0], 1, 16);
        EXPECT_EQ(vmaf_picture_unref(&pic), 0);
    }
}

} // namespace
} // namespace vmaf::test
