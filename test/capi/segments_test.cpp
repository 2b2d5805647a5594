#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "client.h"
#include "libvmaf/libvmaf_ext.h"

// vmaf_append_segment() and vmaf_append_saved_segment(): which segments they refuse, that a refusal
// changes nothing, and the clip's rate (spec device_pictures 6). test/engine/segments_test.cpp
// compares merged scores with the clip's. test/fuzz/saved_segments.cpp tries bytes of any kind.

namespace vmaf::test {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

constexpr const char *kMotion2 = "VMAF_integer_feature_motion2_score";

class AppendSegment : public ::testing::Test {
  protected:
    AppendSegment()
    {
        use_features(whole_);
        use_features(first_);
        use_features(second_);
        use_features(merged_);
        read_clip(whole_, clip_, kFrames);
        EXPECT_EQ(flush(whole_), 0);
        for (unsigned i = 0; i < 3; ++i)
            EXPECT_EQ(read_frame(first_, clip_, i, i), 0);
        EXPECT_EQ(flush(first_), 0);
        for (unsigned i = 1; i < kFrames; ++i)
            EXPECT_EQ(read_frame(second_, clip_, i, i - 1), 0);
        EXPECT_EQ(flush(second_), 0);
    }

    static void use_features(VmafContext *vmaf)
    {
        EXPECT_EQ(use_feature(vmaf, "motion"), 0);
        EXPECT_EQ(use_feature(vmaf, "psnr", {{"enable_apsnr", "true"}}), 0);
    }

    /// Expects that code and one line of the log. Its level is "error", or "warning" for scores
    /// that already exist.
    static void expect_refused(VmafContext *vmaf, VmafContext *segment, unsigned skip, unsigned count,
                               const std::string &says)
    {
        const OpenContext sets_log_level(0, 0, VMAF_LOG_LEVEL_WARNING);
        CaptureStderr();
        EXPECT_EQ(vmaf_append_segment(vmaf, segment, skip, count), -EINVAL) << says;
        const std::string log = GetCapturedStderr();
        EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
        EXPECT_NE(log.find(says), std::string::npos) << log;
    }

    std::string scores(VmafContext *vmaf) const
    {
        const std::string path = temp_path("merged.xml");
        EXPECT_EQ(vmaf_write_output_with_format(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_XML, "%.17g"), 0);
        const std::string text = file_text(path);
        std::remove(path.c_str());
        const std::size_t rate = text.find("  <fyi fps="), behind = text.find('\n', rate);
        return text.substr(0, rate) + text.substr(behind);
    }

    /// Expects that the refused calls before have changed nothing.
    void expect_clip_when_appended()
    {
        EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 2), 0);
        EXPECT_EQ(vmaf_append_segment(merged_, second_, 1, kFrames - 2), 0);
        EXPECT_EQ(flush(merged_), 0);
        EXPECT_EQ(scores(merged_), scores(whole_));
    }

    static std::string save(VmafContext *segment, unsigned skip, unsigned count)
    {
        void *data = nullptr;
        std::size_t bytes = 0;
        EXPECT_EQ(vmaf_segment_save(segment, skip, count, &data, &bytes), 0);
        const std::string saved(static_cast<const char *>(data), bytes);
        vmaf_segment_free(data);
        return saved;
    }
    int append(const std::string &saved)
    {
        unsigned count = 7;
        const int error = vmaf_append_saved_segment(merged_, saved.data(), saved.size(), &count);
        EXPECT_EQ(count == 0, error != 0);
        return error;
    }
    /// Expects a refusal with one line of the log.
    void expect_refused(const std::string &saved, const std::string &says)
    {
        const OpenContext sets_log_level(0, 0, VMAF_LOG_LEVEL_WARNING);
        CaptureStderr();
        EXPECT_EQ(append(saved), -EINVAL) << says;
        const std::string log = GetCapturedStderr();
        EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
        EXPECT_NE(log.find(says), std::string::npos) << log;
    }

    static constexpr unsigned kFrames = 5;
    const Clip &clip_ = Clip::get("tiles_176x144_8");
    OpenContext whole_, first_, second_, merged_;
};

TEST_F(AppendSegment, GivesTheScoreFileOfTheClip)
{
    expect_clip_when_appended();
    EXPECT_NE(scores(merged_).find("apsnr_y="), std::string::npos);
    double score = 0;
    EXPECT_EQ(vmaf_feature_score_pooled(merged_, kMotion2, VMAF_POOL_METHOD_MEAN, &score, 0, kFrames - 1), 0);
    EXPECT_EQ(vmaf_feature_score_at_index(merged_, kMotion2, &score, kFrames), -EINVAL) << "behind the last";
}

TEST_F(AppendSegment, HasScoresBeforeTheFlush)
{
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 2), 0);
    EXPECT_EQ(score_of(merged_, kMotion2, 1), score_of(whole_, kMotion2, 1));
    EXPECT_FALSE(has_score(merged_, kMotion2, 2)) << "overlap";
}

TEST_F(AppendSegment, LeavesTheSegmentAsItIsAndNeedsItNoLonger)
{
    const std::string before = scores(first_);
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 2), 0);
    EXPECT_EQ(scores(first_), before);
    EXPECT_EQ(first_.close(), 0);
    EXPECT_EQ(vmaf_append_segment(merged_, second_, 1, kFrames - 2), 0);
    EXPECT_EQ(second_.close(), 0);
    EXPECT_EQ(flush(merged_), 0);
    EXPECT_EQ(scores(merged_), scores(whole_));
}

TEST_F(AppendSegment, RefusesNull)
{
    EXPECT_EQ(vmaf_append_segment(nullptr, first_, 0, 2), -EINVAL);
    EXPECT_EQ(vmaf_append_segment(merged_, nullptr, 0, 2), -EINVAL);
}

TEST_F(AppendSegment, RefusesAContextItself)
{
    expect_refused(merged_, merged_, 0, 1, "itself");
    expect_refused(first_, first_, 0, 1, "itself");
}

TEST_F(AppendSegment, RefusesRangesThatWereNotRead)
{
    expect_refused(merged_, first_, 0, 0, "0 frames from frame 0 on are asked for, and its context has read 3");
    expect_refused(merged_, first_, 0, 4, "4 frames from frame 0 on");
    expect_refused(merged_, first_, 4, 1, "1 frames from frame 4 on");
    expect_refused(merged_, first_, 1, ~0U, "4294967295 frames from frame 1 on");
    expect_clip_when_appended();
}

TEST_F(AppendSegment, RefusesTooSmallAnOverlap)
{
    expect_refused(merged_, second_, 1, 3, "1 frames were read before it, 1 are needed and the clip has 0");
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 3), 0);
    expect_refused(merged_, second_, 0, 4, "0 frames were read before it, 1 are needed and the clip has 3");
    expect_refused(merged_, second_, 2, 2, "0 frames were read behind the one before it, 1 are needed");
}

TEST_F(AppendSegment, RefusesContextsThatAreNotReady)
{
    OpenContext unflushed;
    use_features(unflushed);
    read_clip(unflushed, clip_, 2);
    expect_refused(merged_, unflushed, 0, 1, "not flushed");
    expect_refused(unflushed, first_, 0, 1, "has read pictures");
    expect_refused(whole_, first_, 0, 1, "flushed");
    expect_clip_when_appended();
    expect_refused(merged_, second_, 3, 1, "flushed");
}

TEST_F(AppendSegment, RefusesOtherFeaturesOptionsAndFormats)
{
    const auto expect_other = [&](VmafContext *other, const char *says) {
        for (unsigned i = 0; i < 3; ++i)
            EXPECT_EQ(read_frame(other, clip_, i, i), 0);
        EXPECT_EQ(flush(other), 0);
        expect_refused(merged_, other, 0, 2, says);
    };
    OpenContext fewer, more, turned, with_option, subsampled(0, 2);
    EXPECT_EQ(use_feature(fewer, "motion"), 0);
    expect_other(fewer, "other features");
    use_features(more);
    EXPECT_EQ(use_feature(more, "vif"), 0);
    expect_other(more, "other features");
    EXPECT_EQ(use_feature(turned, "psnr", {{"enable_apsnr", "true"}}), 0);
    EXPECT_EQ(use_feature(turned, "motion"), 0);
    expect_other(turned, "other features");
    EXPECT_EQ(use_feature(with_option, "motion"), 0);
    EXPECT_EQ(use_feature(with_option, "psnr"), 0);
    expect_other(with_option, "other features");
    use_features(subsampled);
    expect_other(subsampled, "n_subsample");
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 2), 0);
    OpenContext larger;
    use_features(larger);
    for (unsigned i = 0; i < 3; ++i)
        EXPECT_EQ(read_blank(larger, 192, 144, i), 0);
    EXPECT_EQ(flush(larger), 0);
    expect_refused(merged_, larger, 1, 1, "format");
}

TEST_F(AppendSegment, TakesEqualOptionsHoweverTheyAreSaid)
{
    OpenContext merged;
    EXPECT_EQ(use_feature(merged, "motion", {{"motion_blend_factor", "1.0"}}), 0);
    EXPECT_EQ(use_feature(merged, "psnr", {{"enable_apsnr", "true"}, {"enable_chroma", "true"}}), 0);
    EXPECT_EQ(vmaf_append_segment(merged, first_, 0, 2), 0);
}

TEST_F(AppendSegment, RefusesHoles)
{
    OpenContext holes;
    use_features(holes);
    for (const unsigned i : {0U, 1U, 3U, 4U})
        EXPECT_EQ(read_frame(holes, clip_, i, i), 0);
    EXPECT_EQ(flush(holes), 0);
    expect_refused(merged_, holes, 0, 3, "motion: frame 2 of the segment has not all its scores");
    expect_refused(merged_, holes, 0, 2, "motion: frame 2 of the segment has not all its scores");
    EXPECT_EQ(vmaf_append_segment(merged_, holes, 0, 1), 0) << "what stands before the hole";
}

TEST_F(AppendSegment, OverwritesNoScore)
{
    EXPECT_EQ(vmaf_import_feature_score(merged_, "psnr_y", 1, 1), 0);
    expect_refused(merged_, first_, 0, 2, "psnr: the scores of frame 1 exist");
    EXPECT_FALSE(has_score(merged_, kMotion2, 0));
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 1), 0);
}

using AppendSavedSegment = AppendSegment;

TEST_F(AppendSavedSegment, GivesTheScoreFileOfTheClip)
{
    EXPECT_EQ(append(save(first_, 0, 2)), 0);
    EXPECT_EQ(vmaf_append_segment(merged_, second_, 1, 1), 0) << "both kinds of segments may follow each other";
    EXPECT_EQ(append(save(second_, 2, kFrames - 3)), 0);
    EXPECT_EQ(flush(merged_), 0);
    EXPECT_EQ(scores(merged_), scores(whole_));
}

TEST_F(AppendSavedSegment, RefusesNull)
{
    void *data = this;
    std::size_t bytes = 7;
    EXPECT_EQ(vmaf_segment_save(nullptr, 0, 2, &data, &bytes), -EINVAL);
    EXPECT_EQ(data, nullptr);
    EXPECT_EQ(bytes, 0U);
    EXPECT_EQ(vmaf_segment_save(first_, 0, 2, nullptr, &bytes), -EINVAL);
    EXPECT_EQ(vmaf_segment_save(first_, 0, 2, &data, nullptr), -EINVAL);
    const std::string saved = save(first_, 0, 2);
    EXPECT_EQ(vmaf_append_saved_segment(nullptr, saved.data(), saved.size(), nullptr), -EINVAL);
    EXPECT_EQ(vmaf_append_saved_segment(merged_, nullptr, saved.size(), nullptr), -EINVAL);
    vmaf_segment_free(nullptr);
}

TEST_F(AppendSavedSegment, SavesNothingOfWhatIsNotThere)
{
    void *data = nullptr;
    std::size_t bytes = 0;
    EXPECT_EQ(vmaf_segment_save(first_, 1, 3, &data, &bytes), -EINVAL);
    EXPECT_EQ(vmaf_segment_save(first_, 0, 0, &data, &bytes), -EINVAL);
    EXPECT_EQ(vmaf_segment_save(merged_, 0, 1, &data, &bytes), -EINVAL) << "not flushed";
    EXPECT_EQ(data, nullptr);
}

TEST_F(AppendSavedSegment, RefusesOneThatDoesNotFit)
{
    expect_refused(save(second_, 1, 3), "1 frames were read before it, 1 are needed and the clip has 0");
    OpenContext other;
    EXPECT_EQ(use_feature(other, "motion"), 0);
    EXPECT_EQ(use_feature(other, "psnr"), 0);
    read_clip(other, clip_, 2);
    EXPECT_EQ(flush(other), 0);
    expect_refused(save(other, 0, 2), "other features, options or n_subsample");
    expect_clip_when_appended();
}

TEST_F(AppendSavedSegment, RefusesDamagedBytes)
{
    const std::string saved = save(first_, 0, 2);
    for (std::size_t i = 0; i < saved.size(); ++i) {
        std::string damaged = saved;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
        expect_refused(damaged, "segment: ");
        expect_refused(saved.substr(0, i), "segment: ");
    }
    expect_refused(saved + '\0', "damaged or cut off");
    expect_refused("no segment at all", "not from vmaf_segment_save()");
    expect_clip_when_appended();
}

/// Makes the checksum fit again: the last eight bytes are the FNV-1a of all others.
std::string with_checksum(std::string saved)
{
    std::uint64_t sum = 0xCBF29CE484222325;
    for (std::size_t i = 0; i + sizeof sum < saved.size(); ++i)
        sum = (sum ^ static_cast<unsigned char>(saved[i])) * 0x100000001B3;
    std::memcpy(saved.data() + saved.size() - sizeof sum, &sum, sizeof sum);
    return saved;
}

TEST_F(AppendSavedSegment, RefusesAnotherVersionOfTheLibrary)
{
    std::string saved = save(first_, 0, 2);
    const std::size_t version = saved.find(vmaf_version());
    ASSERT_NE(version, std::string::npos);
    saved[version] = '4';
    expect_refused(with_checksum(saved), "library 4" + std::string(vmaf_version()).substr(1) + " saved it");
    saved = save(first_, 0, 2);
    saved[8] = 2; // the offset after the format's mark
    expect_refused(with_checksum(saved), "another version of the format");
    expect_clip_when_appended();
}

TEST_F(AppendSavedSegment, RefusesWrongNumbersUnderARightChecksum)
{
    const std::string saved = save(first_, 0, 2);
    const std::size_t numbers = saved.find(vmaf_version()) + std::strlen(vmaf_version());
    enum Number { pix_fmt, bpc, width, height, subsample, read, skip, count };
    const auto with = [&](Number which, std::uint32_t value) {
        std::string changed = saved;
        std::memcpy(changed.data() + numbers + 4 * which, &value, sizeof value);
        return with_checksum(changed);
    };
    const std::pair<Number, std::uint32_t> wrong[] = {
        {pix_fmt, 0}, {pix_fmt, 5}, {bpc, 7},       {bpc, 17}, {width, 0},  {width, 65536}, {height, 0}, {height, ~0U},
        {read, 1},    {read, 0},    {subsample, 0}, {skip, 2}, {skip, ~0U}, {count, 0},     {count, 4},  {count, ~0U},
    };
    for (const auto &[which, value] : wrong)
        expect_refused(with(which, value), "damaged or cut off");
    expect_refused(with(subsample, 2), "n_subsample");
    expect_refused(with(count, 1), "has scores of more or fewer than 1 frames");
    expect_refused(with(count, 3), "has scores of more or fewer than 3 frames");
    expect_refused(with(width, 1), "smallest size");
    const std::size_t time = numbers + 4 * 8;
    for (const std::int64_t first_ns : {std::int64_t{-1}, INT64_MAX}) {
        std::string changed = saved;
        ASSERT_EQ(changed[time], 1);
        std::memcpy(changed.data() + time + 1, &first_ns, sizeof first_ns);
        expect_refused(with_checksum(changed), "damaged or cut off");
    }
    expect_clip_when_appended();
}

/// Seconds, computed from the rate in a score file.
double seconds_of(VmafContext *vmaf, unsigned frames)
{
    const std::string path = temp_path("rate.json");
    EXPECT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_JSON), 0);
    const std::string text = file_text(path);
    std::remove(path.c_str());
    return frames / std::stod(text.substr(text.find("\"fps\":") + 6));
}

// The order in which the segments were read does not matter.
TEST(MergedRate, IsOfTheTimeFromTheFirstStartToTheLastEnd)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kBetween{200};
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const bool in_order : {true, false}) {
        OpenContext parts[2];
        for (OpenContext &part : parts)
            EXPECT_EQ(use_feature(part, "psnr"), 0);
        const Clock::time_point begin = Clock::now();
        for (unsigned i = 0; i < 2; ++i) {
            VmafContext *const part = parts[in_order ? i : 1 - i];
            read_clip(part, clip, 2);
            EXPECT_EQ(flush(part), 0);
            if (i == 0)
                std::this_thread::sleep_for(kBetween);
        }
        const double most = std::chrono::duration<double>(Clock::now() - begin).count();
        OpenContext appended, loaded;
        EXPECT_EQ(use_feature(appended, "psnr"), 0);
        EXPECT_EQ(use_feature(loaded, "psnr"), 0);
        for (VmafContext *part : parts) {
            EXPECT_EQ(vmaf_append_segment(appended, part, 0, 2), 0);
            void *data = nullptr;
            std::size_t bytes = 0;
            EXPECT_EQ(vmaf_segment_save(part, 0, 2, &data, &bytes), 0);
            EXPECT_EQ(vmaf_append_saved_segment(loaded, data, bytes, nullptr), 0);
            vmaf_segment_free(data);
        }
        for (VmafContext *merged : {static_cast<VmafContext *>(appended), static_cast<VmafContext *>(loaded)}) {
            EXPECT_EQ(flush(merged), 0);
            // The rate has two decimals, and the wall clock may be adjusted a little.
            EXPECT_GE(seconds_of(merged, 4), 0.99 * std::chrono::duration<double>(kBetween).count()) << in_order;
            EXPECT_LE(seconds_of(merged, 4), 1.01 * most) << in_order;
        }
    }
}

TEST_F(AppendSegment, EndsReading)
{
    EXPECT_EQ(vmaf_append_segment(merged_, first_, 0, 2), 0);
    const OpenContext sets_log_level(0, 0, VMAF_LOG_LEVEL_WARNING);
    CaptureStderr();
    EXPECT_EQ(read_frame(merged_, clip_, 2, 2), -EINVAL);
    EXPECT_NE(GetCapturedStderr().find("reads no pictures"), std::string::npos);
}

TEST_F(AppendSegment, OfASubsampledClipBeginsWhereItScores)
{
    OpenContext first(0, 2), second(0, 2), merged(0, 2);
    for (VmafContext *vmaf :
         {static_cast<VmafContext *>(first), static_cast<VmafContext *>(second), static_cast<VmafContext *>(merged)})
        EXPECT_EQ(use_feature(vmaf, "vif"), 0);
    read_clip(first, clip_, 3);
    EXPECT_EQ(flush(first), 0);
    EXPECT_EQ(vmaf_append_segment(merged, first, 0, 3), 0);
    read_clip(second, clip_, 4);
    EXPECT_EQ(flush(second), 0);
    expect_refused(merged, second, 0, 2, "subsampling");
    EXPECT_EQ(vmaf_append_segment(merged, second, 1, 2), 0);
    EXPECT_FALSE(has_score(merged, "VMAF_integer_feature_vif_scale0_score", 3));
    EXPECT_TRUE(has_score(merged, "VMAF_integer_feature_vif_scale0_score", 4));
}

TEST_F(AppendSegment, SampledFramesHaveTheScoresOfTheWholeClip)
{
    const OpenContext windows;
    use_features(windows);
    const unsigned last = kFrames - 1, read[] = {0, 1, last - 2, last - 1, last};
    for (unsigned i = 0; i < std::size(read); ++i)
        EXPECT_EQ(read_frame(windows, clip_, read[i], i), 0);
    EXPECT_EQ(flush(windows), 0);
    EXPECT_EQ(vmaf_append_sampled_frame(merged_, windows, 0), 0);
    EXPECT_EQ(vmaf_append_sampled_frame(merged_, windows, 3), 0);
    EXPECT_EQ(vmaf_append_sampled_frame(merged_, merged_, 0), -EINVAL);
    EXPECT_EQ(vmaf_append_sampled_frame(merged_, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_append_sampled_frame(merged_, windows, 5), -EINVAL) << "it has read five frames";
    EXPECT_EQ(flush(merged_), 0);
    for (const char *feature : {kMotion2, "psnr_y"}) {
        EXPECT_EQ(score_of(merged_, feature, 0), score_of(whole_, feature, 0)) << feature;
        EXPECT_EQ(score_of(merged_, feature, 1), score_of(whole_, feature, last - 1)) << feature;
        EXPECT_FALSE(has_score(merged_, feature, 2)) << feature;
    }
}

TEST_F(AppendSegment, WithoutFeaturesCountsFrames)
{
    OpenContext first, second, merged;
    read_clip(first, clip_, 2);
    read_clip(second, clip_, 3);
    EXPECT_EQ(flush(first), 0);
    EXPECT_EQ(flush(second), 0);
    EXPECT_EQ(vmaf_append_segment(merged, first, 0, 2), 0);
    EXPECT_EQ(vmaf_append_segment(merged, second, 0, 3), 0);
    EXPECT_EQ(flush(merged), 0);
    EXPECT_NE(scores(merged).find("qualityWidth=\"176\""), std::string::npos);
}

} // namespace
} // namespace vmaf::test
