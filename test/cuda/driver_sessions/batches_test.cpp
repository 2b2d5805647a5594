#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

// Batches of frames (spec cuda 6): which frames go together, in which order work runs, and who
// waits for whom.

namespace vmaf::test {
namespace {

using Frames = std::vector<unsigned>;

constexpr const char *kKernel = "vmaf_psnr_sse_8bit";
/// Largest number of frames in flight in a session without threads: one in a slot of its own, and
/// three batches.
constexpr unsigned kSlots = 25;

Frames frames(unsigned first, unsigned end)
{
    Frames list(end - first);
    std::iota(list.begin(), list.end(), first);
    return list;
}

class Batches : public DriverSessions {
  protected:
    /// A session with psnr, whose kernels tell frames apart.
    Context open(Feeding feeding = Feeding::plain_host, unsigned n_threads = 0) const
    {
        VmafConfiguration config{};
        config.n_threads = n_threads;
        Context context = open_on_device(clip_, feeding, config);
        EXPECT_EQ(use_feature(context.get(), "psnr", {{"enable_mse", "true"}}), 0);
        return context;
    }

    int feed(const Context &context, unsigned first, unsigned end, Feeding feeding = Feeding::plain_host) const
    {
        return feed_numbered(*client_, context.get(), clip_, feeding, first, end);
    }

    static void expect_scores(const Context &context, unsigned first, unsigned end)
    {
        const std::vector<double> mse = scores_of(context.get(), "mse_y", first, end);
        for (unsigned frame = first; frame < end; ++frame)
            EXPECT_EQ(mse[frame - first], NumberedSums::mse(frame, 0)) << frame;
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_F(Batches, AFrameGoesOutAtOnceWhileTheSessionHasNoneInFlight)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    for (unsigned frame = 0; frame < 5; ++frame) {
        ASSERT_EQ(feed(context, frame, frame + 1), 0);
        ASSERT_EQ(numbered.batches().size(), frame + 1U);
        EXPECT_EQ(numbered.batches().back(), Frames{frame});
    }
}

TEST_F(Batches, FramesGatherWhileTheDeviceIsBusyAndGoOutByEight)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed(context, 0, 21), 0);
    EXPECT_EQ(numbered.batches().size(), 0U) << "no read waits";
    ASSERT_EQ(flush(context.get()), 0);
    EXPECT_EQ(numbered.batches(), (std::vector<Frames>{{0}, frames(1, 9), frames(9, 17), frames(17, 21)}));
    expect_scores(context, 0, 21);
}

// A feature that looks far back keeps pictures for long. The pool then gets more pictures, even if
// it was made before the feature was used.
TEST_F(Batches, AreFullWhereAFeatureLooksBackFar)
{
    const auto batches = [&](bool looks_back) {
        const NumberedSums numbered(*driver_);
        const Context context = open(Feeding::device);
        EXPECT_TRUE(!looks_back || use_feature(context.get(), "cvvdp", {{"fps", "60"}}) == 0);
        EXPECT_EQ(feed(context, 0, 1, Feeding::device), 0);
        set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
        EXPECT_EQ(feed(context, 1, 60, Feeding::device), 0);
        EXPECT_EQ(flush(context.get()), 0);
        set_time(VMAF_DOUBLE_AT_ONCE);
        return numbered.batches();
    };
    // If the driver waits for other reasons, such as memory, a few frames are sent alone.
    EXPECT_LE(batches(true).size(), batches(false).size());
}

// The device is idle all the time.
TEST_F(Batches, FramesGatherWhileAnotherSessionScoresInTheContext)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    ASSERT_EQ(feed(context, 0, 1), 0);
    {
        const Context other = open();
        ASSERT_EQ(feed(context, 1, 2), 0);
        EXPECT_EQ(numbered.batches().back(), Frames{1}) << "the other session has no frame yet";
        ASSERT_EQ(feed(other, 0, 1), 0);
        ASSERT_EQ(feed(context, 2, 12), 0);
        EXPECT_EQ(numbered.batches(), (std::vector<Frames>{{0}, {1}, frames(2, 10)})) << "two frames gather";
    }
    EXPECT_EQ(numbered.batches().back(), Frames{0}) << "the end of a session sends what it gathered";
    ASSERT_EQ(feed(context, 12, 13), 0);
    EXPECT_EQ(numbered.batches().back(), frames(10, 13)) << "the other session is no more";
    expect_scores(context, 0, 13);
}

TEST_F(Batches, AScoreIsHadWhileAnotherSessionScoresInTheContext)
{
    const NumberedSums numbered(*driver_);
    const Context other = open(), context = open();
    ASSERT_EQ(feed(other, 0, 1), 0);
    ASSERT_EQ(feed(context, 0, 3), 0);
    EXPECT_EQ(numbered.batches().size(), 1U) << "three frames gather";
    expect_scores(context, 1, 2);
    EXPECT_EQ(numbered.batches().back(), frames(0, 3)) << "asking for a score sends what was gathered";
}

TEST_F(Batches, LargePicturesGoOutByFewer)
{
    const NumberedSums numbered(*driver_);
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 3840, 2160};
    const Context context = open_on_device(format, Feeding::device);
    ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    for (unsigned frame = 0; frame < 8; ++frame) {
        VmafPicture ref{}, dis{};
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &ref), 0);
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &dis), 0);
        number_picture(*client_, ref, frame, Feeding::device);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    ASSERT_EQ(flush(context.get()), 0);
    EXPECT_EQ(numbered.batches(), (std::vector<Frames>{{0}, frames(1, 4), frames(4, 7), {7}}));
}

TEST_F(Batches, AreUploadedThenClearedThenComputedThenDownloaded)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    ASSERT_EQ(use_feature(context.get(), "motion"), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed(context, 0, 20), 0);
    ASSERT_EQ(flush(context.get()), 0);
    const std::vector<Frames> batches = numbered.batches();
    ASSERT_EQ(batches.size(), 4U);
    // All work of one kind runs in one stream, so item number b of each kind belongs to batch b.
    const std::vector<RanWork> uploads = work_named(*driver_, "cuMemcpy2DAsync_v2");
    const std::vector<RanWork> fills = work_named(*driver_, "cuMemsetD8Async");
    const std::vector<RanWork> psnr = work_named(*driver_, kKernel),
                               motion = work_named(*driver_, "vmaf_motion_sad_8bit");
    const std::vector<RanWork> downloads = work_named(*driver_, "cuMemcpyDtoHAsync_v2");
    constexpr std::size_t kPlanes = 6; // planes in a pair
    ASSERT_EQ(uploads.size(), 20 * kPlanes);
    for (const auto *works : {&fills, &psnr, &motion, &downloads})
        ASSERT_EQ(works->size(), batches.size());
    for (std::size_t b = 0; b < batches.size(); ++b) {
        EXPECT_EQ(fills[b].bytes, downloads[b].bytes) << "of the sums";
        for (const RanWork &kernel : {psnr[b], motion[b]}) {
            for (std::size_t i = 0; i < kPlanes * (batches[b].back() + 1); ++i)
                EXPECT_TRUE(driver_->ordered(uploads[i].number, kernel.number)) << "upload " << i << ", batch " << b;
            EXPECT_TRUE(driver_->ordered(fills[b].number, kernel.number)) << b;
            EXPECT_TRUE(driver_->ordered(kernel.number, downloads[b].number)) << b;
        }
        EXPECT_EQ(psnr[b].stream, motion[b].stream) << "features run one after the other";
        EXPECT_NE(psnr[b].stream, uploads[0].stream);
        EXPECT_NE(psnr[b].stream, downloads[b].stream);
        if (b > 0) {
            EXPECT_FALSE(driver_->ordered(psnr[b - 1].number, uploads[kPlanes * batches[b].front()].number))
                << "transfers of a batch go beside the kernels of the one before";
        }
    }
}

TEST_F(Batches, OfDevicePicturesAreDownloadedForTheCpuBesideTheKernels)
{
    const NumberedSums numbered(*driver_);
    const Context context = open_on_device(clip_, Feeding::device, on_cpu_unless_demanded());
    ASSERT_EQ(use_feature(context.get(), "psnr_cuda", {{"enable_mse", "true"}}), 0);
    ASSERT_EQ(use_feature(context.get(), "float_psnr"), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed(context, 0, 10, Feeding::device), 0);
    const std::vector<RanWork> early = work_named(*driver_, "cuMemcpy2DAsync_v2");
    EXPECT_EQ(early.size(), 0U) << "no read waits";
    ASSERT_EQ(flush(context.get()), 0);
    const std::vector<RanWork> planes = work_named(*driver_, "cuMemcpy2DAsync_v2"),
                               kernels = work_named(*driver_, kKernel),
                               sums = work_named(*driver_, "cuMemcpyDtoHAsync_v2");
    ASSERT_EQ(planes.size(), 20U);
    ASSERT_EQ(kernels.size(), 3U); // batches {0}, {1..8}, {9}
    ASSERT_EQ(sums.size(), 3U);
    EXPECT_TRUE(driver_->ordered(planes[17].number, sums[1].number)) << "a batch comes back with its planes";
    EXPECT_FALSE(driver_->ordered(kernels[0].number, planes[2].number));
}

TEST_F(Batches, AReadWithAllSlotsInFlightWaitsForTheOldestBatchAlone)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    ASSERT_EQ(feed(context, 0, 1), 0);
    ASSERT_EQ(score_error(context.get(), "mse_y", 0), 0);
    set_time(VMAF_DOUBLE_HELD);
    ASSERT_EQ(feed(context, 1, 2), 0);
    const unsigned long first_batch = driver_->pending(); // frame 1 was sent alone
    ASSERT_EQ(feed(context, 2, 1 + kSlots), 0);
    std::atomic<bool> returned{false};
    int error = -1;
    std::thread reader([&] {
        error = feed(context, 1 + kSlots, 2 + kSlots);
        returned = true;
    });
    EXPECT_EQ(driver_->await_blocked(1), 1U);
    EXPECT_FALSE(returned);
    EXPECT_EQ(driver_->release_steps(first_batch), first_batch);
    reader.join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(numbered.batches().size(), 2U) << "frames 0 and 1";
    EXPECT_GT(driver_->pending(), 0U);
    set_time(VMAF_DOUBLE_AT_ONCE);
    ASSERT_EQ(flush(context.get()), 0);
    expect_scores(context, 0, 2 + kSlots);
}

TEST_F(Batches, NotReadyLeavesFramesInFlight)
{
    const NumberedSums numbered(*driver_);
    const Context context = open();
    constexpr unsigned long kQueries = 3;
    set_time(VMAF_DOUBLE_AFTER_QUERIES, kQueries);
    ASSERT_EQ(feed(context, 0, 1), 0); // once when it is queued, then once before and once after each later read
    EXPECT_EQ(numbered.batches().size(), 0U);
    ASSERT_EQ(feed(context, 1, 2), 0);
    EXPECT_EQ(numbered.batches().size(), 0U);
    ASSERT_EQ(feed(context, 2, 3), 0);
    EXPECT_EQ(numbered.batches(), (std::vector<Frames>{{0}})) << "the fourth answer";
    ASSERT_EQ(feed(context, 3, 20), 0);
    ASSERT_EQ(flush(context.get()), 0);
    expect_scores(context, 0, 20);
}

class Waiting : public Batches {
  protected:
    /// Frame 0 is scored. Batches {1}, {2..9} and {10..17} are held, and {18, 19} gather.
    void SetUp() override
    {
        Batches::SetUp();
        numbered_ = std::make_unique<NumberedSums>(*driver_);
        context_ = open();
        ASSERT_EQ(use_feature(context_.get(), "motion"), 0);
        ASSERT_EQ(feed(context_, 0, 1), 0);
        ASSERT_EQ(score_error(context_.get(), "mse_y", 0), 0);
        set_time(VMAF_DOUBLE_HELD);
        for (const unsigned end : {2U, 10U, 18U}) {
            ASSERT_EQ(feed(context_, end == 2 ? 1 : end - 8, end), 0);
            pieces_up_to_.push_back(driver_->pending());
        }
        ASSERT_EQ(feed(context_, 18, 20), 0);
    }
    void TearDown() override
    {
        set_time(VMAF_DOUBLE_AT_ONCE); // the end waits for frames in flight
        context_.reset();
        numbered_.reset();
        Batches::TearDown();
    }

    void release_batches(unsigned count)
    {
        driver_->release_steps(pieces_up_to_[count - 1] - released_);
        released_ = pieces_up_to_[count - 1];
    }

    std::size_t launches() const { return numbered_->batches().size() - 1; } ///< since frame 0

    std::unique_ptr<NumberedSums> numbered_;
    Context context_;

  private:
    std::vector<unsigned long> pieces_up_to_; ///< sum of the work that was queued with each batch
    unsigned long released_ = 0;
};

TEST_F(Waiting, AGetterWaitsForTheBatchOfItsFrame)
{
    double score = -1;
    int error = -1;
    std::thread getter([&] { error = vmaf_feature_score_at_index(context_.get(), "mse_y", &score, 4); });
    EXPECT_EQ(driver_->await_blocked(1), 1U);
    release_batches(1);
    EXPECT_EQ(driver_->await_blocked(1), 1U) << "frame 4 is in the next batch";
    release_batches(2);
    getter.join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(score, NumberedSums::mse(4, 0));
    EXPECT_EQ(launches(), 2U) << "the others are still held";
}

TEST_F(Waiting, AGetterOfADelayedScoreWaitsForTheFrameAfterToo)
{
    double score = -1;
    int error = -1;
    std::thread getter(
        [&] { error = vmaf_feature_score_at_index(context_.get(), "VMAF_integer_feature_motion2_score", &score, 9); });
    release_batches(2);
    EXPECT_EQ(driver_->await_blocked(1), 1U) << "frame 10 decides, too";
    release_batches(3);
    getter.join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(score, NumberedSums::sad(9)) << "the smaller one of frames 9 and 10";
    EXPECT_EQ(launches(), 3U);
}

TEST_F(Waiting, AGetterOfAScoreThatIsThereDoesNotWait)
{
    EXPECT_EQ(scores_of(context_.get(), "mse_y", 0, 1)[0], NumberedSums::mse(0, 0));
    EXPECT_EQ(launches(), 0U);
}

TEST_F(Waiting, AGetterOfAFrameThatWasNeverReadDoesNotWait)
{
    EXPECT_EQ(score_error(context_.get(), "mse_y", 20), -EINVAL);
    EXPECT_EQ(score_error(context_.get(), "VMAF_integer_feature_motion2_score", 20), -EINVAL);
    EXPECT_EQ(launches(), 0U);
}

TEST_F(Waiting, AGetterSendsWhatGathers)
{
    int error = -1;
    std::thread getter([&] { error = score_error(context_.get(), "mse_y", 19); });
    EXPECT_EQ(driver_->await_blocked(1), 1U) << "for the oldest batch";
    driver_->release_work();
    getter.join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(numbered_->batches().back(), frames(18, 20));
}

TEST_F(Waiting, ThreadsWaitForTheirOwnFramesAndHelpEachOther)
{
    std::vector<std::thread> getters;
    std::vector<int> errors(4, -1);
    for (std::size_t i = 0; i < errors.size(); ++i)
        getters.emplace_back(
            [&, i] { errors[i] = score_error(context_.get(), "mse_y", static_cast<unsigned>(5 * i + 1)); });
    EXPECT_EQ(driver_->await_blocked(1), 1U) << "one in the driver, the others behind it";
    driver_->release_work();
    for (std::thread &getter : getters)
        getter.join();
    EXPECT_EQ(errors, std::vector<int>(4, 0));
}

/// The call to test. When it returns, the partial batch must have been sent and every score found.
struct Ender {
    const char *name;
    std::function<int(Context &)> call;
};

class PartialBatch : public Batches, public testing::WithParamInterface<Ender> {};

TEST_P(PartialBatch, GoesOut)
{
    const NumberedSums numbered(*driver_);
    for (const unsigned n_threads : {0U, 2U}) {
        Context context = open(Feeding::plain_host, n_threads);
        set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
        const std::size_t before = numbered.batches().size();
        ASSERT_EQ(feed(context, 0, 5), 0); // 0 is on the device, the others gather
        EXPECT_EQ(numbered.batches().size(), before);
        EXPECT_EQ(GetParam().call(context), 0);
        ASSERT_EQ(numbered.batches().size(), before + 2);
        EXPECT_EQ(numbered.batches().back(), frames(1, 5));
    }
}

double g_ignored;

INSTANTIATE_TEST_SUITE_P(
    At, PartialBatch,
    testing::Values(
        Ender{"flush", [](Context &context) { return flush(context.get()); }},
        Ender{"write_output",
              [](Context &context) { return vmaf_write_output(context.get(), "/dev/null", VMAF_OUTPUT_FORMAT_XML); }},
        Ender{"close", [](Context &context) { return vmaf_close(context.release()); }},
        Ender{"getter", [](Context &context) { return score_error(context.get(), "mse_y", 3); }},
        Ender{"pooled_getter",
              [](Context &context) {
                  return vmaf_feature_score_pooled(context.get(), "mse_y", VMAF_POOL_METHOD_MEAN, &g_ignored, 0, 4);
              }},
        Ender{"late_feature",
              [](Context &context) {
                  const int error = use_feature(context.get(), "vif");
                  return error != 0 ? error : vmaf::test::feed(context.get(), Clip::get("tiles_176x144_8"), 0, 5);
              }}),
    [](const testing::TestParamInfo<Ender> &tested) { return tested.param.name; });

} // namespace
} // namespace vmaf::test
