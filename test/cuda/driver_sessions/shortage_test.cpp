#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

#include <cstring>

// Reads while the driver is short of memory (spec cuda 3). The library acquires everything that a
// frame needs before it accepts the read.

namespace vmaf::test {
namespace {

constexpr int kOutOfMemory = 2;
constexpr unsigned kFramesInShortage = 12;

using Pair = std::pair<VmafPicture, VmafPicture>;

bool same(const Pair &a, const Pair &b)
{
    return std::memcmp(&a.first, &b.first, sizeof a.first) == 0 &&
           std::memcmp(&a.second, &b.second, sizeof a.second) == 0;
}

class Shortage : public DriverSessions, public testing::WithParamInterface<Feeding> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        emulate_kernels_and_recall(*driver_);
        const Context context = open_context(0); // without a device
        ASSERT_EQ(use_feature(context.get(), "vif"), 0);
        ASSERT_EQ(use_feature(context.get(), "float_moment"), 0);
        ASSERT_EQ(feed_numbered(*client_, context.get(), clip_, Feeding::plain_host, 0, kFramesInShortage), 0);
        ASSERT_EQ(flush(context.get()), 0);
        for (std::size_t i = 0; i < std::size(kOfTheCpu); ++i)
            expected_[i] = scores_of(context.get(), kOfTheCpu[i], 0, kFramesInShortage);
    }

    Context open() const
    {
        Context context = open_on_device(clip_, GetParam(), on_cpu_unless_demanded());
        EXPECT_EQ(use_feature(context.get(), "psnr_cuda", {{"enable_mse", "true"}}), 0);
        EXPECT_EQ(use_feature(context.get(), "motion_cuda"), 0);
        EXPECT_EQ(use_feature(context.get(), "vif_cuda"), 0);
        EXPECT_EQ(use_feature(context.get(), "float_moment"), 0); // on the CPU: reads what is downloaded
        return context;
    }

    Pair make(const Context &context, unsigned frame) const
    {
        Pair pair;
        EXPECT_EQ(make_numbered(*client_, context.get(), pair, clip_, frame, GetParam()), 0);
        return pair;
    }

    static int read(const Context &context, Pair &pair, unsigned frame)
    {
        return vmaf_read_pictures(context.get(), &pair.first, &pair.second, frame);
    }

    /// Expects every score, with the right value.
    void expect_scores(const Context &context) const
    {
        for (unsigned frame = 0; frame < kFramesInShortage; ++frame) {
            EXPECT_EQ(scores_of(context.get(), "mse_cb", frame, frame + 1)[0], NumberedSums::mse(frame, 1));
            EXPECT_EQ(scores_of(context.get(), "VMAF_integer_feature_motion_sad_score", frame, frame + 1)[0],
                      NumberedSums::sad(frame));
        }
        for (std::size_t i = 0; i < std::size(kOfTheCpu); ++i)
            EXPECT_EQ(scores_of(context.get(), kOfTheCpu[i], 0, kFramesInShortage), expected_[i]) << kOfTheCpu[i];
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");

  private:
    static constexpr const char *kOfTheCpu[] = {"VMAF_integer_feature_vif_scale3_score", "float_moment_ref1st"};
    std::vector<double> expected_[std::size(kOfTheCpu)];
};

class PassingShortage : public Shortage {
  protected:
    /// Whether that read makes so many of these calls.
    bool fails_alone(const char *call, unsigned long number, unsigned short_frame) const
    {
        const Context context = open();
        bool failed = false;
        for (unsigned frame = 0; frame < kFramesInShortage; ++frame) {
            Pair pair = make(context, frame);
            if (frame == short_frame) {
                const Pair untouched = pair;
                const VmafDoubleFault fault{call, number, 1, kOutOfMemory, 0};
                const unsigned long rule = driver_->add_fault(&fault);
                const int error = read(context, pair, frame);
                failed = driver_->failed(rule) > 0;
                driver_->remove_fault(rule);
                EXPECT_EQ(error, failed ? -ENOMEM : 0) << number;
                EXPECT_EQ(same(pair, untouched), failed) << "the client's on failure, the session's else; " << number;
                if (!failed)
                    continue;
            }
            EXPECT_EQ(read(context, pair, frame), 0)
                << frame << " after call " << number << " of frame " << short_frame;
        }
        EXPECT_EQ(flush(context.get()), 0) << number;
        expect_scores(context);
        return failed;
    }
};

/// Copies the samples of one host picture into another.
void refill(VmafPicture &picture, const VmafPicture &from)
{
    for (unsigned plane = 0; plane < 3; ++plane)
        std::memcpy(picture.data[plane], from.data[plane],
                    static_cast<std::size_t>(from.stride[plane]) * from.h[plane]);
}

TEST_P(PassingShortage, TakesWhatTheClientHasWrittenIntoTheRefusedPictures)
{
    if (GetParam() == Feeding::device)
        GTEST_SKIP() << "nothing is uploaded";
    const NumberedSums numbered(*driver_);
    unsigned long failed = 0;
    for (unsigned long number = 1; number <= 20; ++number) {
        const Context context = open();
        Pair pair = make(context, kFramesInShortage), wanted = make(context, 0);
        const VmafDoubleFault fault{"cuMemAlloc_v2", number, 1, kOutOfMemory, 0};
        const unsigned long rule = driver_->add_fault(&fault);
        const int error = read(context, pair, 0);
        driver_->remove_fault(rule);
        if (error != 0) {
            ++failed;
            refill(pair.first, wanted.first);
            refill(pair.second, wanted.second);
            EXPECT_EQ(read(context, pair, 0), 0);
            EXPECT_EQ(flush(context.get()), 0);
            EXPECT_EQ(scores_of(context.get(), "mse_cb", 0, 1)[0], NumberedSums::mse(0, 1)) << number;
        }
        EXPECT_EQ(vmaf_picture_unref(&wanted.first), 0);
        EXPECT_EQ(vmaf_picture_unref(&wanted.second), 0);
    }
    EXPECT_GT(failed, 2U);
}

TEST_P(PassingShortage, FailsThatReadAlone)
{
    const NumberedSums numbered(*driver_);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE); // so that later reads need memory of their own
    for (const char *call :
         {"cuMemAlloc_v2", "cuMemHostAlloc", "cuEventCreate", "cuStreamCreate", "cuModuleLoadData"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, call);
        unsigned long calls = 0;
        for (const unsigned frame : {0U, 1U, 9U})
            for (unsigned long number = 1; fails_alone(call, number, frame) && !HasFailure(); ++number)
                ++calls;
        EXPECT_GT(calls, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PassingShortage,
                         testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device));

class LongShortage : public Shortage {};

TEST_P(LongShortage, FailsReadsUntilItEnds)
{
    const NumberedSums numbered(*driver_);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    for (const unsigned short_frame : {0U, 1U, 9U}) {
        const Context context = open();
        for (unsigned frame = 0; frame < kFramesInShortage; ++frame) {
            Pair pair = make(context, frame);
            if (frame == short_frame) {
                const Pair untouched = pair;
                for (const char *call : {"cuMemAlloc_v2", "cuMemHostAlloc", "cuEventCreate", "cuStreamCreate"}) {
                    const VmafDoubleFault fault{call, 1, 0, kOutOfMemory, 0};
                    driver_->add_fault(&fault);
                }
                for (int attempt = 0; attempt < 3; ++attempt) {
                    EXPECT_EQ(read(context, pair, frame), -ENOMEM);
                    EXPECT_TRUE(same(pair, untouched));
                }
                driver_->heal();
            }
            EXPECT_EQ(read(context, pair, frame), 0) << frame;
        }
        EXPECT_EQ(flush(context.get()), 0);
        expect_scores(context);
    }
}

// Another frame may follow in place of the refused one.
TEST_P(LongShortage, LeavesNoTraceOfTheRefusedFrame)
{
    const NumberedSums numbered(*driver_);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    const Context context = open();
    for (unsigned frame = 0; frame < kFramesInShortage; ++frame) {
        Pair pair = make(context, frame);
        if (frame == 1) {
            Pair refused = make(context, 4);
            const VmafDoubleFault fault{"cuEventCreate", 1, 0, kOutOfMemory, 0};
            const unsigned long rule = driver_->add_fault(&fault);
            EXPECT_EQ(read(context, refused, 1), -ENOMEM);
            driver_->remove_fault(rule);
            EXPECT_EQ(vmaf_picture_unref(&refused.first), 0);
            EXPECT_EQ(vmaf_picture_unref(&refused.second), 0);
        }
        EXPECT_EQ(read(context, pair, frame), 0) << frame;
    }
    EXPECT_EQ(flush(context.get()), 0);
    expect_scores(context);
}

INSTANTIATE_TEST_SUITE_P(All, LongShortage,
                         testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device));

class PoolShortage : public DriverSessions, public testing::WithParamInterface<Feeding> {
  protected:
    int preallocate(VmafContext *vmaf) const
    {
        const ClipSpec &spec = clip_.spec();
        return vmaf_cuda_preallocate_pictures(vmaf, {{spec.width, spec.height, spec.bits, spec.pix_fmt},
                                                     GetParam() == Feeding::device
                                                         ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
                                                         : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED});
    }

    const char *const call_ = GetParam() == Feeding::device ? "cuMemAlloc_v2" : "cuMemHostAlloc";
    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_P(PoolShortage, FailsThatPreallocationAloneAndKeepsThePoolBefore)
{
    const NumberedSums numbered(*driver_);
    const Context context = open_on_device(clip_, Feeding::plain_host);
    ASSERT_EQ(use_feature(context.get(), "psnr", {{"enable_mse", "true"}}), 0);
    for (unsigned pool = 0; pool < 2; ++pool) {
        const std::size_t bytes = driver_->live_bytes();
        const unsigned long pinned = driver_->live(VMAF_DOUBLE_PINNED_MEMORY);
        unsigned long failures = 0;
        for (bool failed = true; failed; failures += failed) {
            const VmafDoubleFault fault{call_, failures + 1, 1, kOutOfMemory, 0};
            const unsigned long rule = driver_->add_fault(&fault);
            const int error = preallocate(context.get());
            failed = driver_->failed(rule) > 0;
            driver_->remove_fault(rule);
            ASSERT_EQ(error, failed ? -ENOMEM : 0);
            if (failed) {
                EXPECT_EQ(driver_->live_bytes(), bytes);
                EXPECT_EQ(driver_->live(VMAF_DOUBLE_PINNED_MEMORY), pinned);
            }
        }
        EXPECT_GT(failures, 0U);
        EXPECT_EQ(feed_numbered(*client_, context.get(), clip_, GetParam(), 10 * pool, 10 * pool + 10), 0);
    }
    EXPECT_EQ(flush(context.get()), 0);
    for (unsigned frame = 0; frame < 20; ++frame)
        EXPECT_EQ(scores_of(context.get(), "mse_y", frame, frame + 1)[0], NumberedSums::mse(frame, 0));
}

TEST_P(PoolShortage, FailsThatFetchAloneAndHarmsNoPicture)
{
    const Context context = open_on_device(clip_, GetParam());
    std::vector<VmafPicture> held;
    unsigned long failures = 0;
    while (held.size() < 16) {
        VmafPicture picture{};
        driver_->fail(1, kOutOfMemory, VMAF_DOUBLE_ONCE, call_);
        int error = vmaf_cuda_fetch_preallocated_picture(context.get(), &picture);
        driver_->heal();
        if (error != 0) {
            EXPECT_EQ(error, -ENOMEM);
            EXPECT_EQ(picture.ref, nullptr);
            ++failures;
            error = vmaf_cuda_fetch_preallocated_picture(context.get(), &picture);
        }
        ASSERT_EQ(error, 0);
        held.push_back(picture);
    }
    EXPECT_GT(failures, 0U) << "there is memory for four at first";
    for (VmafPicture &picture : held)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

INSTANTIATE_TEST_SUITE_P(All, PoolShortage, testing::Values(Feeding::pinned_host, Feeding::device));

} // namespace
} // namespace vmaf::test
