#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

#include <set>
#include <thread>

// Limits of a CUDA pool (spec cuda 5): the client has at most 16 pictures, and the engine holds
// further ones.

namespace vmaf::test {
namespace {

constexpr unsigned kClientLimit = 16;

class Fetch : public DriverSessions, public testing::WithParamInterface<Feeding> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        numbered_ = std::make_unique<NumberedSums>(*driver_);
        context_ = open_on_device(clip_, GetParam(), logging_at(VMAF_LOG_LEVEL_ERROR));
        ASSERT_TRUE(context_);
        ASSERT_EQ(use_feature(context_.get(), "psnr", {{"enable_mse", "true"}}), 0);
    }
    void TearDown() override
    {
        set_time(VMAF_DOUBLE_AT_ONCE); // the end waits for frames in flight
        context_.reset();
        DriverSessions::TearDown();
        numbered_.reset();
    }

    int fetch(VmafPicture &picture) const { return vmaf_cuda_fetch_preallocated_picture(context_.get(), &picture); }

    /// Feeds until a fetch would have to wait, while all frames are held.
    unsigned fill_pool() const
    {
        set_time(VMAF_DOUBLE_HELD);
        const DefaultStreamRuns runs(*driver_);
        unsigned frame = 0;
        // 18 frames need the pictures of four batches and a few more. The pool makes no more
        // pictures as long as one can return.
        for (; frame < 18; ++frame)
            EXPECT_EQ(feed_numbered(*client_, context_.get(), clip_, GetParam(), frame, frame + 1), 0);
        return frame;
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
    std::unique_ptr<NumberedSums> numbered_;
    Context context_;
};

TEST_P(Fetch, GivesSixteenPicturesOfTheirOwnAndThenEagain)
{
    std::vector<VmafPicture> held(kClientLimit);
    std::set<void *> data;
    for (VmafPicture &picture : held) {
        ASSERT_EQ(fetch(picture), 0);
        data.insert(picture.data[0]);
    }
    EXPECT_EQ(data.size(), kClientLimit);
    VmafPicture more{};
    const std::vector<std::string> errors = lines_at("ERROR", log_of([&] { EXPECT_EQ(fetch(more), -EAGAIN); }));
    EXPECT_EQ(errors.size(), 1U);
    EXPECT_EQ(vmaf_picture_unref(&held[3]), 0);
    EXPECT_EQ(fetch(held[3]), 0) << "one came back";
    EXPECT_EQ(vmaf_read_pictures(context_.get(), &held[0], &held[1], 0), 0);
    EXPECT_EQ(fetch(held[0]), 0) << "the library took two";
    EXPECT_EQ(fetch(held[1]), 0);
    EXPECT_EQ(fetch(more), -EAGAIN);
    for (VmafPicture &picture : held)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST_P(Fetch, WithSixteenHeldIsEagainWhateverIsInFlight)
{
    ASSERT_EQ(client_->feed(context_.get(), clip_, 0, 0, GetParam()), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    for (unsigned frame = 1; frame < 6; ++frame)
        ASSERT_EQ(client_->feed(context_.get(), clip_, frame % 5, frame, GetParam()), 0);
    std::vector<VmafPicture> held(kClientLimit);
    for (VmafPicture &picture : held)
        ASSERT_EQ(fetch(picture), 0);
    VmafPicture more{};
    EXPECT_EQ(fetch(more), -EAGAIN);
    for (VmafPicture &picture : held)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(flush(context_.get()), 0);
}

TEST_P(Fetch, WaitsForThePicturesOfTheOldestBatchAndSendsWhatGathers)
{
    const unsigned frames = fill_pool(); // {0}, {1..8}, {9..16}, and 17 gathers
    VmafPicture last{};
    {
        const DefaultStreamRuns runs(*driver_);
        ASSERT_EQ(fetch(last), 0);
    }
    EXPECT_EQ(numbered_->batches().size(), 0U);
    VmafPicture waited{};
    int error = -1;
    std::thread fetcher([&] { error = fetch(waited); });
    EXPECT_EQ(driver_->await_blocked(1), 1U);
    const unsigned long queued = driver_->pending();
    // All work on frame 0 must come before all other work.
    while (numbered_->batches().empty())
        ASSERT_GT(driver_->release_steps(1), 0U);
    while (driver_->await_blocked(0) == 1)
        driver_->release_steps(1);
    fetcher.join();
    EXPECT_EQ(error, 0);
    EXPECT_EQ(numbered_->batches(), (std::vector<std::vector<unsigned>>{{0}})) << "nobody waited for the others";
    EXPECT_LT(driver_->pending(), queued);
    EXPECT_EQ(vmaf_picture_unref(&last), 0);
    EXPECT_EQ(vmaf_picture_unref(&waited), 0);
    driver_->release_work();
    EXPECT_EQ(numbered_->batches().back(), std::vector<unsigned>{frames - 1}) << "it was sent by the fetch";
    set_time(VMAF_DOUBLE_AT_ONCE);
    EXPECT_EQ(flush(context_.get()), 0);
}

// A picture is not handed out again while queued work reads it. The client would overwrite samples
// that are still needed.
TEST_P(Fetch, NeverGivesAPictureThatIsStillToBeRead)
{
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    emulate_kernels(*driver_);
    const Context cpu = open_context(0);
    ASSERT_EQ(use_feature(cpu.get(), "psnr"), 0);
    for (unsigned frame = 0; frame < 60; ++frame) {
        ASSERT_EQ(client_->feed(context_.get(), clip_, frame % 5, frame, GetParam()), 0);
        ASSERT_EQ(feed(cpu.get(), clip_, frame % 5, frame), 0);
    }
    ASSERT_EQ(flush(context_.get()), 0);
    EXPECT_EQ(scores_of(context_.get(), "psnr_y", 0, 60), scores_of(cpu.get(), "psnr_y", 0, 60));
}

TEST_P(Fetch, OfANewPoolWorksWhilePicturesOfTheOldOneAreInFlight)
{
    emulate_kernels(*driver_);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    const Context cpu = open_context(0);
    ASSERT_EQ(use_feature(cpu.get(), "psnr"), 0);
    VmafPicture old{};
    const ClipSpec &spec = clip_.spec();
    for (unsigned frame = 0; frame < 30; ++frame) {
        if (frame % 10 == 5) {
            if (frame == 5) {
                ASSERT_EQ(fetch(old), 0);
            }
            ASSERT_EQ(vmaf_cuda_preallocate_pictures(context_.get(),
                                                     {{spec.width, spec.height, spec.bits, spec.pix_fmt},
                                                      GetParam() == Feeding::device
                                                          ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
                                                          : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED}),
                      0);
        }
        ASSERT_EQ(client_->feed(context_.get(), clip_, frame % 5, frame, GetParam()), 0);
        ASSERT_EQ(feed(cpu.get(), clip_, frame % 5, frame), 0);
    }
    ASSERT_EQ(flush(context_.get()), 0);
    EXPECT_EQ(scores_of(context_.get(), "psnr_y", 0, 30), scores_of(cpu.get(), "psnr_y", 0, 30));
    EXPECT_EQ(vmaf_picture_unref(&old), 0);
}

// A client may write in a stream of its own that does not wait for the default stream.
TEST_F(DriverSessions, APictureIsNeutralWhenItIsFetched)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context context = open_on_device(clip, Feeding::device);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    std::vector<VmafPicture> pictures(kClientLimit);
    for (VmafPicture &picture : pictures) {
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &picture), 0);
        EXPECT_EQ(driver_->pending(), 0U) << "a fill would follow what the client writes";
        EXPECT_EQ(static_cast<const unsigned char *>(picture.data[2])[0], 128);
    }
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Fetch, testing::Values(Feeding::pinned_host, Feeding::device));

} // namespace
} // namespace vmaf::test
