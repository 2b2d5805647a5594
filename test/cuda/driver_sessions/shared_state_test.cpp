#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

#include <atomic>
#include <thread>

// Sessions that share one state, and sessions with many threads (spec cuda 4).

namespace vmaf::test {
namespace {

constexpr unsigned kThreads = 8;

struct Sharing {
    bool own_context; ///< the library's, not the client's
    VmafDoubleTime time;
};

class SharedState : public DriverSessions, public testing::WithParamInterface<Sharing> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        const VmafCudaConfiguration config{GetParam().own_context ? nullptr : client_->context()};
        ASSERT_EQ(vmaf_cuda_state_init(&state_, config), 0);
        set_time(GetParam().time);
    }
    void TearDown() override
    {
        set_time(VMAF_DOUBLE_AT_ONCE);
        EXPECT_EQ(vmaf_cuda_state_free(state_), 0);
        DriverSessions::TearDown();
    }

    /// A session of the shared state with psnr; null on failure.
    Context open(Feeding feeding, unsigned n_threads = 0) const
    {
        VmafConfiguration config{};
        config.n_threads = n_threads;
        VmafContext *raw = nullptr;
        if (vmaf_init(&raw, config) != 0)
            return nullptr;
        Context context(raw);
        const ClipSpec &spec = clip_.spec();
        const VmafCudaPictureConfiguration pool{
            {spec.width, spec.height, spec.bits, spec.pix_fmt},
            feeding == Feeding::device        ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
            : feeding == Feeding::pinned_host ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED
                                              : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE};
        const bool opened = vmaf_cuda_import_state(raw, state_) == 0 &&
                            vmaf_cuda_preallocate_pictures(raw, pool) == 0 &&
                            use_feature(raw, "psnr", {{"enable_mse", "true"}}) == 0;
        return opened ? std::move(context) : nullptr;
    }

    /// Whether the numbered frames first..end-1 get their scores. Does not use GoogleTest, so any
    /// thread may call it.
    bool scores_frames(VmafContext *vmaf, Feeding feeding, unsigned first, unsigned end) const
    {
        bool right = feed_numbered(*client_, vmaf, clip_, feeding, first, end) == 0 && flush(vmaf) == 0;
        for (unsigned frame = first; right && frame < end; ++frame) {
            double score = -1;
            right =
                vmaf_feature_score_at_index(vmaf, "mse_cr", &score, frame) == 0 && score == NumberedSums::mse(frame, 2);
        }
        return right;
    }

    VmafCudaState *state_ = nullptr;
    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_P(SharedState, KeepsTheFramesOfTwoSessionsApart)
{
    const NumberedSums numbered(*driver_);
    for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host, Feeding::device}) {
        const Context first = open(feeding), second = open(feeding);
        ASSERT_TRUE(first && second);
        for (unsigned frame = 0; frame < 30; ++frame) {
            ASSERT_EQ(feed_numbered(*client_, first.get(), clip_, feeding, frame, frame + 1), 0);
            ASSERT_EQ(feed_numbered(*client_, second.get(), clip_, feeding, 100 + frame, 101 + frame), 0);
        }
        EXPECT_TRUE(scores_frames(first.get(), feeding, 30, 31));
        EXPECT_TRUE(scores_frames(second.get(), feeding, 130, 131));
        for (unsigned frame = 0; frame < 30; ++frame) {
            EXPECT_EQ(scores_of(first.get(), "mse_y", frame, frame + 1)[0], NumberedSums::mse(frame, 0));
            EXPECT_EQ(scores_of(second.get(), "mse_y", 100 + frame, 101 + frame)[0], NumberedSums::mse(100 + frame, 0));
        }
    }
}

TEST_P(SharedState, OutlivesEachOfItsSessions)
{
    const NumberedSums numbered(*driver_);
    Context first = open(Feeding::device), second = open(Feeding::plain_host);
    ASSERT_TRUE(first && second);
    ASSERT_EQ(feed_numbered(*client_, first.get(), clip_, Feeding::device, 0, 12), 0);
    ASSERT_EQ(feed_numbered(*client_, second.get(), clip_, Feeding::plain_host, 0, 5), 0);
    first.reset(); // with frames of both in flight
    EXPECT_TRUE(scores_frames(second.get(), Feeding::plain_host, 5, 12));
    second.reset();
    const Context third = open(Feeding::pinned_host); // acquires everything again
    ASSERT_TRUE(third);
    EXPECT_TRUE(scores_frames(third.get(), Feeding::pinned_host, 0, 12));
}

TEST_P(SharedState, APictureThatOutlivesTheSessionDoesNotKeepItsContext)
{
    Context context = open(Feeding::device);
    ASSERT_TRUE(context);
    VmafPicture held{};
    ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &held), 0);
    context.reset();
    EXPECT_EQ(driver_->live(VMAF_DOUBLE_CONTEXT), 1U) << "the client's";
    EXPECT_EQ(vmaf_picture_unref(&held), 0);
}

TEST_P(SharedState, IsImportedScoredWithAndClosedByEightThreadsAtOnce)
{
    const NumberedSums numbered(*driver_);
    std::atomic<unsigned> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] {
            for (unsigned round = 0; round < 6; ++round) {
                const auto feeding = static_cast<Feeding>((thread + round) % 3);
                const Context context = open(feeding, thread % 2);
                wrong += !context || !scores_frames(context.get(), feeding, 100 * thread, 100 * thread + 10);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(driver_->live(VMAF_DOUBLE_CONTEXT), 1U) << "the client's; the library's went with the last session";
    EXPECT_EQ(driver_->live_total(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, SharedState,
                         testing::Values(Sharing{false, VMAF_DOUBLE_AT_ONCE}, Sharing{true, VMAF_DOUBLE_AT_ONCE},
                                         Sharing{false, VMAF_DOUBLE_ON_SYNCHRONISE},
                                         Sharing{true, VMAF_DOUBLE_ON_SYNCHRONISE}));

} // namespace
} // namespace vmaf::test
