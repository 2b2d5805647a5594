// vmaf_read_pictures(): ownership, geometry, order, errors, flush, subsampling (spec abi 3.3, 4.1
// to 4.5, 9).

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "client.h"

namespace vmaf::test {
namespace {

constexpr const char *kSad = "VMAF_integer_feature_motion_sad_score";
constexpr const char *kMotion2 = "VMAF_integer_feature_motion2_score";
constexpr const char *kMotion3 = "VMAF_integer_feature_motion3_score";

TEST(ReadContract, SuccessTakesBothPicturesAndZeroesTheStructs)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        VmafPicture ref = blank_picture(16, 16), dis = blank_picture(16, 16);
        EXPECT_EQ(vmaf_read_pictures(vmaf, &ref, &dis, 0), 0) << "no feature is registered: nothing to score";
        EXPECT_TRUE(struct_is_zeroed(ref));
        EXPECT_TRUE(struct_is_zeroed(dis));
    }
}

TEST(ReadContract, NullArgumentsLeaveThePicturesUntouched)
{
    OpenContext vmaf;
    VmafPicture pic = blank_picture(16, 16), empty{};
    const VmafPicture before = pic;
    EXPECT_EQ(vmaf_read_pictures(nullptr, &pic, &pic, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(nullptr, nullptr, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, &pic, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, nullptr, &pic, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, &pic, &empty, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, &empty, &pic, 0), -EINVAL);
    EXPECT_EQ(std::memcmp(&pic, &before, sizeof pic), 0);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(ReadContract, OnePictureAsBothIsRefused)
{
    OpenContext vmaf;
    VmafPicture pic = blank_picture(16, 16), copy = pic;
    EXPECT_EQ(vmaf_read_pictures(vmaf, &pic, &copy, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, &pic, &pic, 0), -EINVAL);
    EXPECT_EQ(vmaf_picture_unref(&pic), 0);
}

TEST(ReadContract, RefAndDisMustMatch)
{
    OpenContext vmaf;
    const auto mismatch = [&](const VmafPicture &dis) { return read(vmaf, blank_picture(32, 32), dis, 0); };
    EXPECT_EQ(mismatch(blank_picture(34, 32)), -EINVAL);
    EXPECT_EQ(mismatch(blank_picture(32, 34)), -EINVAL);
    EXPECT_EQ(mismatch(blank_picture(32, 32, 8, VMAF_PIX_FMT_YUV444P)), -EINVAL);
    EXPECT_EQ(mismatch(blank_picture(32, 32, 10)), -EINVAL);
    EXPECT_EQ(mismatch(blank_picture(32, 32)), 0);
}

TEST(ReadContract, TheFirstPairFixesTheFormat)
{
    OpenContext vmaf;
    const auto pair = [&](unsigned w, unsigned h, unsigned bpc, VmafPixelFormat pix_fmt) {
        return read(vmaf, blank_picture(w, h, bpc, pix_fmt), blank_picture(w, h, bpc, pix_fmt), 1);
    };
    ASSERT_EQ(read_blank(vmaf, 32, 32, 0), 0);
    EXPECT_EQ(pair(34, 32, 8, VMAF_PIX_FMT_YUV420P), -EINVAL);
    EXPECT_EQ(pair(32, 34, 8, VMAF_PIX_FMT_YUV420P), -EINVAL);
    EXPECT_EQ(pair(32, 32, 8, VMAF_PIX_FMT_YUV422P), -EINVAL);
    EXPECT_EQ(pair(32, 32, 10, VMAF_PIX_FMT_YUV420P), -EINVAL);
    EXPECT_EQ(pair(32, 32, 8, VMAF_PIX_FMT_YUV420P), 0);
}

TEST(ReadContract, ARepeatedIndexIsRefusedAndTheFirstScoresStay)
{
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "vif"), 0);
    ASSERT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
    const double first = score_of(vmaf, kVifScale0, 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 0), -EINVAL);
    EXPECT_EQ(score_of(vmaf, kVifScale0, 0), first);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 1), 0) << "the session goes on";
}

TEST(ReadContract, AnIndexInFlightIsRefusedLikeAScoredOne)
{
    OpenContext vmaf(1);
    ASSERT_EQ(use_feature(vmaf, "vif"), 0);
    constexpr unsigned kWidth = 1920, kHeight = 1080; // takes longer than the next call
    const VmafPicture ref = blank_picture(kWidth, kHeight), dis = blank_picture(kWidth, kHeight);
    ASSERT_EQ(read_blank(vmaf, kWidth, kHeight, 0), 0);
    EXPECT_EQ(read(vmaf, ref, dis, 0), -EINVAL);
    EXPECT_EQ(flush(vmaf), 0) << "no frame is lost";
}

TEST(ReadContract, IndicesMayComeInAnyOrderAndWithGaps)
{
    OpenContext vif;
    ASSERT_EQ(use_feature(vif, "vif"), 0);
    EXPECT_EQ(read_frame(vif, small_clip(), 0, 7), 0);
    EXPECT_EQ(read_frame(vif, small_clip(), 1, 3), 0);
    EXPECT_TRUE(has_score(vif, kVifScale0, 7));
    EXPECT_TRUE(has_score(vif, kVifScale0, 3));
    EXPECT_FALSE(has_score(vif, kVifScale0, 0));

    OpenContext motion;
    ASSERT_EQ(use_feature(motion, "motion"), 0);
    unsigned frame = 0;
    for (const unsigned index : {0u, 2u, 1u})
        EXPECT_EQ(read_frame(motion, small_clip(), frame++, index), 0) << index;
    EXPECT_EQ(flush(motion), 0);
}

TEST(ReadContract, MotionGoesByCallOrder)
{
    OpenContext dense, gaps;
    const unsigned indices[] = {0, 1, 2, 5, 6};
    for (VmafContext *vmaf : {static_cast<VmafContext *>(dense), static_cast<VmafContext *>(gaps)}) {
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    }
    for (unsigned i = 0; i < 5; ++i) {
        ASSERT_EQ(read_frame(dense, small_clip(), i, i), 0);
        ASSERT_EQ(read_frame(gaps, small_clip(), i, indices[i]), 0);
    }
    EXPECT_EQ(flush(dense), 0);
    EXPECT_EQ(flush(gaps), 0);
    for (unsigned i = 0; i < 5; ++i) {
        EXPECT_EQ(score_of(gaps, kSad, indices[i]), score_of(dense, kSad, i));
        for (const char *name : {kMotion2, kMotion3})
            EXPECT_EQ(has_score(gaps, name, indices[i]), i < 3) << name << indices[i];
    }
    // The run without gaps from 0 ends at index 2, so index 2 has no successor.
    EXPECT_EQ(score_of(gaps, kMotion2, 1), std::min(score_of(dense, kSad, 1), score_of(dense, kSad, 2)));
    EXPECT_EQ(score_of(gaps, kMotion2, 2), score_of(dense, kSad, 2));
}

TEST(ReadContract, MotionNeedsAPreviousFrameFromIndexOneOn)
{
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "motion"), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 5), -EINVAL);
    EXPECT_FALSE(has_score(vmaf, kSad, 5));
    EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 6), 0) << "spec motion 4: later frames work";
    EXPECT_TRUE(has_score(vmaf, kSad, 6));
}

TEST(ReadContract, MotionWithFiveFramesNeedsThemFromIndexTwoOn)
{
    for (const unsigned first : {1u, 2u}) {
        OpenContext vmaf;
        ASSERT_EQ(use_feature(vmaf, "motion", {{"motion_five_frame_window", "true"}}), 0);
        EXPECT_EQ(read_frame(vmaf, small_clip(), 0, first), first == 1 ? 0 : -EINVAL);
    }
}

TEST(ReadContract, ARefusedFirstPairFixesNoFormat)
{
    OpenContext vmaf, clean;
    ASSERT_EQ(use_feature(vmaf, "motion"), 0);
    ASSERT_EQ(use_feature(clean, "motion"), 0);
    EXPECT_EQ(read_blank(vmaf, 64, 64, 5), -EINVAL) << "nothing to be compared with";
    for (VmafContext *context : {static_cast<VmafContext *>(vmaf), static_cast<VmafContext *>(clean)}) {
        EXPECT_EQ(read_frame(context, small_clip(), 0, 5), -EINVAL) << "nor is a pair of another size";
        ASSERT_EQ(read_frame(context, small_clip(), 1, 6), 0);
    }
    EXPECT_EQ(score_of(vmaf, kSad, 6), score_of(clean, kSad, 6));
}

TEST(ReadContract, FeaturesThatARefusedPairStartedScoreTheNextOnes)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads), clean(n_threads);
        for (VmafContext *context : {static_cast<VmafContext *>(vmaf), static_cast<VmafContext *>(clean)})
            for (const char *feature : {"psnr", "vif", "motion"})
                ASSERT_EQ(use_feature(context, feature), 0);
        EXPECT_EQ(read_blank(vmaf, 2, 2, 0), -EINVAL) << "motion takes 3x3 and larger";
        for (VmafContext *context : {static_cast<VmafContext *>(vmaf), static_cast<VmafContext *>(clean)})
            ASSERT_EQ(read_frame(context, small_clip(), 0, 0), 0);
        for (const char *name : {"psnr_y", "psnr_cr", kVifScale0})
            EXPECT_EQ(score_of(vmaf, name, 0), score_of(clean, name, 0)) << name;
    }
}

TEST(ReadContract, ARefusedReadNeverBecomesThePreviousFrame)
{
    OpenContext vmaf, clean;
    ASSERT_EQ(use_feature(vmaf, "motion"), 0);
    ASSERT_EQ(use_feature(clean, "motion"), 0);
    ASSERT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
    ASSERT_EQ(read_frame(clean, small_clip(), 0, 0), 0);
    EXPECT_EQ(read_blank(vmaf, 64, 64, 1), -EINVAL);
    EXPECT_EQ(read(vmaf, blank_picture(176, 144), blank_picture(176, 142), 1), -EINVAL);
    ASSERT_EQ(read_frame(vmaf, small_clip(), 1, 1), 0);
    ASSERT_EQ(read_frame(clean, small_clip(), 1, 1), 0);
    EXPECT_EQ(score_of(vmaf, kSad, 1), score_of(clean, kSad, 1));
}

TEST(ReadContract, AFailedStartIsAnErrorAndIsTriedAgain)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        EXPECT_EQ(read_blank(vmaf, 2, 2, 0), -EINVAL) << "motion takes 3x3 and larger";
        EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
        EXPECT_EQ(vmaf.close(), 0);
    }
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "adm"), 0);
    EXPECT_EQ(read_blank(vmaf, 15, 16, 0), -EINVAL) << "adm takes 16x16 and larger";
    EXPECT_EQ(vmaf.close(), 0);
}

TEST(ReadContract, PsnrRefusesDepthsThatItHasNoPeakFor)
{
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    EXPECT_EQ(read(vmaf, blank_picture(16, 16, 9), blank_picture(16, 16, 9), 0), -EINVAL);
}

TEST(ReadContract, AnErrorSkipsTheRemainingFeaturesOfThatFrame)
{
    OpenContext vmaf;
    ASSERT_EQ(vmaf_import_feature_score(vmaf, "psnr_y", 1.5, 0), 0);
    ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    ASSERT_EQ(use_feature(vmaf, "vif"), 0);
    EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), -EINVAL);
    EXPECT_EQ(score_of(vmaf, "psnr_y", 0), 1.5) << "the first value stays";
    EXPECT_FALSE(has_score(vmaf, kVifScale0, 0));
    EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 1), 0);
}

TEST(ReadContract, AnErrorOfQueuedWorkIsReturned)
{
    OpenContext vmaf(2);
    ASSERT_EQ(vmaf_import_feature_score(vmaf, kVifScale0, 0.5, 1), 0);
    ASSERT_EQ(use_feature(vmaf, "vif"), 0);
    std::vector<int> results;
    for (unsigned i = 0; i < 3; ++i)
        results.push_back(read_frame(vmaf, small_clip(), i, i));
    results.push_back(flush(vmaf));
    EXPECT_NE(std::find(results.begin(), results.end(), -EINVAL), results.end());
    for (const int result : results)
        EXPECT_TRUE(result == 0 || result == -EINVAL) << result;
    EXPECT_TRUE(has_score(vmaf, kVifScale0, 0));
    EXPECT_EQ(score_of(vmaf, kVifScale0, 1), 0.5);
    const std::vector<std::string> lines = csv_lines(vmaf);
    ASSERT_GE(lines.size(), 2u) << "what is there can be written";
    EXPECT_EQ(lines[1].rfind("0,0.433968,", 0), 0u) << lines[1];
    EXPECT_EQ(flush(vmaf), -EINVAL) << "the first flush closed reading";
    EXPECT_EQ(read_frame(vmaf, small_clip(), 3, 3), -EINVAL);
}

TEST(ReadContract, ScoresOfAFrameAreReadableAfterItsRead)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "vif"), 0);
        ASSERT_EQ(use_feature(vmaf, "adm"), 0);
        for (unsigned i = 0; i < 4; ++i) {
            ASSERT_EQ(read_frame(vmaf, small_clip(), i, i), 0);
            EXPECT_TRUE(has_score(vmaf, kVifScale0, i)) << n_threads;
            EXPECT_TRUE(has_score(vmaf, "VMAF_integer_feature_adm2_score", i)) << n_threads;
            EXPECT_FALSE(has_score(vmaf, kVifScale0, i + 1)) << "never a wait without work in flight";
        }
    }
}

TEST(ReadContract, MotionIsReadableAsSoonAsTheNextFrameWasRead)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        for (unsigned i = 0; i < 4; ++i) {
            ASSERT_EQ(read_frame(vmaf, small_clip(), i, i), 0);
            EXPECT_FALSE(has_score(vmaf, kMotion2, i)) << n_threads;
            if (i > 0) {
                EXPECT_TRUE(has_score(vmaf, kMotion2, i - 1)) << n_threads;
                EXPECT_TRUE(has_score(vmaf, kMotion3, i - 1)) << n_threads;
            }
        }
        EXPECT_EQ(flush(vmaf), 0);
        EXPECT_TRUE(has_score(vmaf, kMotion2, 3));
    }
}

TEST(ReadContract, ThreadsChangeNeitherScoresNorColumns)
{
    std::vector<std::string> expected;
    for (const unsigned n_threads : {0u, 1u, 2u, 5u}) {
        OpenContext vmaf(n_threads);
        BuiltinModel model("vmaf_v0.6.1");
        ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
        ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
        read_clip(vmaf, small_clip(), 5);
        ASSERT_EQ(flush(vmaf), 0);
        const std::vector<std::string> lines = csv_lines(vmaf);
        if (n_threads == 0)
            expected = lines;
        EXPECT_EQ(lines, expected) << n_threads;
    }
    ASSERT_EQ(expected.size(), 6u);
    EXPECT_EQ(expected[0], "Frame,integer_adm2,integer_aim,integer_adm3,integer_adm_scale0,integer_adm_scale1,"
                           "integer_adm_scale2,integer_adm_scale3,VMAF_integer_feature_motion_sad_score,"
                           "integer_vif_scale0,integer_vif_scale1,integer_vif_scale2,integer_vif_scale3,"
                           "psnr_y,psnr_cb,psnr_cr,integer_motion2,integer_motion3,");
}

TEST(ReadContract, GettersAndImportsRunBesideReads)
{
    constexpr unsigned kFrames = 60;
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(vmaf_preallocate_pictures(vmaf, {{176, 144, 8, VMAF_PIX_FMT_YUV420P}, 4}), 0);
        ASSERT_EQ(use_feature(vmaf, "vif"), 0);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        std::jthread beside([&] {
            for (unsigned i = 0; i < kFrames; ++i) {
                double score = 0;
                VmafPicture pic{};
                vmaf_feature_score_at_index(vmaf, kVifScale0, &score, i);
                vmaf_feature_score_pooled(vmaf, kMotion2, VMAF_POOL_METHOD_MEAN, &score, 0, i);
                EXPECT_EQ(vmaf_import_feature_score(vmaf, "beside", i, i), 0);
                EXPECT_EQ(vmaf_fetch_preallocated_picture(vmaf, &pic), 0);
                EXPECT_EQ(vmaf_picture_unref(&pic), 0);
            }
        });
        for (unsigned i = 0; i < kFrames; ++i)
            ASSERT_EQ(read_frame(vmaf, small_clip(), i % 5, i), 0);
        EXPECT_EQ(flush(vmaf), 0);
        beside.join();
        for (unsigned i = 0; i < kFrames; ++i) {
            EXPECT_TRUE(has_score(vmaf, kVifScale0, i));
            EXPECT_EQ(score_of(vmaf, "beside", i), i);
        }
    }
}

TEST(ReadContract, ScoresReadEarlyLeaveTheColumnsWhereTheyAre)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "motion"), 0);
        ASSERT_EQ(use_feature(vmaf, "psnr", {{"enable_chroma", "false"}}), 0);
        for (unsigned i = 0; i < 3; ++i) {
            ASSERT_EQ(read_frame(vmaf, small_clip(), i, i), 0);
            if (i > 0) {
                EXPECT_TRUE(has_score(vmaf, kMotion2, i - 1));
            }
        }
        ASSERT_EQ(flush(vmaf), 0);
        const std::vector<std::string> columns{kSad, "psnr_y", "integer_motion2", "integer_motion3"};
        EXPECT_EQ(csv_columns(vmaf), columns) << n_threads;
    }
}

TEST(FlushContract, NothingCanBeReadAfterIt)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads);
        ASSERT_EQ(use_feature(vmaf, "vif"), 0);
        ASSERT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0);
        EXPECT_EQ(flush(vmaf), 0);
        EXPECT_EQ(flush(vmaf), -EINVAL);
        EXPECT_EQ(read_frame(vmaf, small_clip(), 1, 1), -EINVAL);
        EXPECT_TRUE(has_score(vmaf, kVifScale0, 0));
        EXPECT_EQ(vmaf_import_feature_score(vmaf, "late", 1, 0), 0);
        EXPECT_EQ(csv_lines(vmaf).size(), 2u);
    }
}

TEST(FlushContract, WithoutFramesItNeedsNoFeature)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext empty(n_threads);
        EXPECT_EQ(flush(empty), 0);
        EXPECT_EQ(flush(empty), -EINVAL) << "it counts as flushed";
        for (const char *feature : {"vif", "psnr", "motion"}) {
            OpenContext vmaf(n_threads);
            ASSERT_EQ(use_feature(vmaf, feature), 0);
            EXPECT_EQ(flush(vmaf), -EINVAL) << feature << n_threads;
            EXPECT_EQ(read_frame(vmaf, small_clip(), 0, 0), 0) << "it does not count as flushed";
            EXPECT_EQ(flush(vmaf), 0);
        }
    }
}

TEST(SubsampleContract, OnlyMotionAndPsnrSeeEveryFrame)
{
    for (const unsigned n_threads : {0u, 2u}) {
        OpenContext vmaf(n_threads, 2), every_frame(n_threads);
        for (const char *feature : {"vif", "adm", "motion", "psnr"}) {
            ASSERT_EQ(use_feature(vmaf, feature), 0);
            ASSERT_EQ(use_feature(every_frame, feature), 0);
        }
        read_clip(vmaf, small_clip(), 5);
        read_clip(every_frame, small_clip(), 5);
        EXPECT_EQ(flush(vmaf), 0);
        EXPECT_EQ(flush(every_frame), 0);
        for (unsigned i = 0; i < 5; ++i) {
            EXPECT_EQ(has_score(vmaf, kVifScale0, i), i % 2 == 0) << i;
            EXPECT_EQ(has_score(vmaf, "VMAF_integer_feature_adm2_score", i), i % 2 == 0) << i;
            for (const char *name : {"psnr_y", kSad, kMotion2, kMotion3})
                EXPECT_EQ(score_of(vmaf, name, i), score_of(every_frame, name, i));
        }
        EXPECT_EQ(csv_lines(vmaf).size(), 1u + 3u) << "outputs skip the other indices";
    }
}

TEST(SubsampleContract, AggregatesCoverAllFrames)
{
    std::string aggregates[2];
    for (const unsigned n_subsample : {1u, 2u}) {
        OpenContext vmaf(0, n_subsample);
        ASSERT_EQ(use_feature(vmaf, "psnr", {{"enable_apsnr", "true"}}), 0);
        read_clip(vmaf, small_clip(), 5);
        ASSERT_EQ(flush(vmaf), 0);
        const std::string path = temp_path("scores.xml");
        ASSERT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_XML), 0);
        const std::string text = file_text(path);
        const std::size_t start = text.find("<aggregate_metrics apsnr_y=");
        ASSERT_NE(start, text.npos) << text;
        aggregates[n_subsample - 1] = text.substr(start);
        std::remove(path.c_str());
    }
    EXPECT_EQ(aggregates[0], aggregates[1]);
}

} // namespace
} // namespace vmaf::test
