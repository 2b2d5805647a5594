#include "cuda/driver_sessions/fixture.h"

#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>

// Driver failures during a session (spec cuda 3): which call returns what, which scores remain, and
// what is logged.

namespace vmaf::test {
namespace {

constexpr const char *kPsnr = "psnr_y";
constexpr int kIllegalAddress = 700, kOutOfMemory = 2, kUnknown = 999;
constexpr unsigned kFirstLost = 5; ///< frames before it are scored

std::string written_by(VmafContext *vmaf)
{
    char path[] = "/tmp/broken_device_XXXXXX";
    const int file = ::mkstemp(path);
    EXPECT_EQ(vmaf_write_output(vmaf, path, VMAF_OUTPUT_FORMAT_CSV), 0);
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    ::close(file);
    ::unlink(path);
    return text.str();
}

/// A call that breaks the context, and whether work is queued at that time.
struct Break {
    const char *call;
    Feeding feeding;
    VmafDoubleTime time;
};

class BrokenDevice : public DriverSessions, public testing::WithParamInterface<Break> {
  protected:
    /// Lets the device and the CPU score kFirstLost frames. Then sets the driver's time to the
    /// parameter, and lets the next such call break the context.
    void score_some_frames(VmafContext *vmaf) const
    {
        ASSERT_EQ(use_feature(vmaf, "psnr_cuda"), 0);
        ASSERT_EQ(use_feature(vmaf, "motion_cuda"), 0);
        ASSERT_EQ(use_feature(vmaf, "float_psnr"), 0);
        ASSERT_EQ(feed_frames(vmaf, clip_, GetParam().feeding, 0, kFirstLost), 0);
        ASSERT_EQ(score_error(vmaf, kPsnr, kFirstLost - 1), 0);
        set_time(GetParam().time);
        const VmafDoubleFault fault{GetParam().call, 1, 1, kIllegalAddress, 1};
        driver_->add_fault(&fault);
    }

    /// Feeds until a read fails: the read with the failing call, or the next one.
    unsigned feed_until_it_shows(VmafContext *vmaf) const
    {
        unsigned frame = kFirstLost;
        while (frame < kFirstLost + 30 && feed_frames(vmaf, clip_, GetParam().feeding, frame, frame + 1) == 0)
            ++frame;
        return frame;
    }

    VmafPicture host_picture() const
    {
        VmafPicture picture{};
        EXPECT_EQ(make_picture(picture, clip_, Side::ref, 0), 0);
        return picture;
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_P(BrokenDevice, EndsReadingAndKeepsWhatWasScored)
{
    Context context = open_on_device(clip_, GetParam().feeding, on_cpu_unless_demanded());
    if (GetParam().feeding == Feeding::device)
        grow_pool(context.get());
    score_some_frames(context.get());
    const std::vector<double> before = scores_of(context.get(), kPsnr, 0, kFirstLost);
    VmafPicture pairs[3][2] = {};
    for (auto &pair : pairs) { // fetched while that is possible
        ASSERT_EQ(client_->make(context.get(), pair[0], clip_, Side::ref, 0, GetParam().feeding), 0);
        ASSERT_EQ(client_->make(context.get(), pair[1], clip_, Side::dis, 0, GetParam().feeding), 0);
    }

    const unsigned failed = feed_until_it_shows(context.get());
    ASSERT_LT(failed, kFirstLost + 30) << "no such call";
    for (auto &pair : pairs) {
        void *const data = pair[0].data[0];
        EXPECT_EQ(vmaf_read_pictures(context.get(), &pair[0], &pair[1], failed), -EIO);
        EXPECT_EQ(pair[0].data[0], data) << "the client's";
        EXPECT_EQ(vmaf_picture_unref(&pair[0]), 0);
        EXPECT_EQ(vmaf_picture_unref(&pair[1]), 0);
    }
    for (unsigned frame = kFirstLost; frame < failed; ++frame) {
        EXPECT_EQ(score_error(context.get(), kPsnr, frame), -EIO) << frame;
        EXPECT_EQ(score_error(context.get(), "float_psnr", frame), -EIO) << frame;
    }
    double ignored = 0;
    if (failed > kFirstLost) {
        EXPECT_EQ(vmaf_feature_score_pooled(context.get(), kPsnr, VMAF_POOL_METHOD_MEAN, &ignored, 0, failed - 1),
                  -EIO);
    }
    EXPECT_EQ(scores_of(context.get(), kPsnr, 0, kFirstLost), before);
    EXPECT_EQ(vmaf_feature_score_pooled(context.get(), kPsnr, VMAF_POOL_METHOD_MEAN, &ignored, 0, kFirstLost - 1), 0);
    EXPECT_EQ(driver_->pending(), 0U) << "what is queued in a broken context never runs";

    const std::string text = written_by(context.get());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + static_cast<int>(kFirstLost)) << text;
    const int flushed = flush(context.get());
    EXPECT_EQ(flushed, failed > kFirstLost ? -EIO : 0) << "nothing is lost if no frame was taken";
    EXPECT_EQ(vmaf_close(context.release()), -EIO);
}

TEST_P(BrokenDevice, IsSaidOnceByTheCallThatFailsAndOnceByClose)
{
    for (const bool own_context : {false, true}) {
        VmafContext *vmaf = nullptr;
        ASSERT_EQ(vmaf_init(&vmaf, on_cpu_unless_demanded(logging_at(VMAF_LOG_LEVEL_ERROR))), 0);
        VmafCudaState *state = nullptr;
        ASSERT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{own_context ? nullptr : client_->context()}), 0);
        ASSERT_EQ(vmaf_cuda_import_state(vmaf, state), 0);
        const ClipSpec &spec = clip_.spec();
        const VmafCudaPictureConfiguration pool{
            {spec.width, spec.height, spec.bits, spec.pix_fmt},
            GetParam().feeding == Feeding::device        ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
            : GetParam().feeding == Feeding::pinned_host ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED
                                                         : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE};
        ASSERT_EQ(vmaf_cuda_preallocate_pictures(vmaf, pool), 0);
        score_some_frames(vmaf);
        unsigned failed = 0;
        const std::vector<std::string> said = lines_at("ERROR", log_of([&] { failed = feed_until_it_shows(vmaf); }));
        ASSERT_EQ(said.size(), 1U) << testing::PrintToString(said);
        EXPECT_NE(said[0].find("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), std::string::npos) << said[0];
        EXPECT_EQ(log_of([&] {
                      for (unsigned frame = 0; frame < failed; ++frame)
                          EXPECT_EQ(score_error(vmaf, kPsnr, frame), frame < kFirstLost ? 0 : -EIO) << frame;
                      static_cast<void>(written_by(vmaf));
                      EXPECT_EQ(flush(vmaf), failed > kFirstLost ? -EIO : 0);
                  }),
                  std::vector<std::string>())
            << "what follows is no news";
        const std::vector<std::string> said_by_close =
            lines_at("ERROR", log_of([&] { EXPECT_EQ(vmaf_close(vmaf), -EIO); }));
        EXPECT_EQ(said_by_close.size(), 1U) << said_by_close.back();
        const std::vector<std::string> said_by_free =
            lines_at("ERROR", log_of([&] { EXPECT_EQ(vmaf_cuda_state_free(state), 0); }));
        EXPECT_EQ(said_by_free.size(), 0U) << said_by_free.back();
        driver_->heal();
        set_time(VMAF_DOUBLE_AT_ONCE);
        EXPECT_EQ(driver_->live_total(), 1U) << "the client's retain";
    }
}

// Fetches fail, too. No call waits for work that will never be done.
TEST_P(BrokenDevice, LeavesTheNextSessionOfAMendedDeviceUnharmed)
{
    Context broken = open_on_device(clip_, GetParam().feeding, on_cpu_unless_demanded());
    score_some_frames(broken.get());
    feed_until_it_shows(broken.get());
    broken.reset();
    driver_->heal();
    set_time(VMAF_DOUBLE_AT_ONCE);
    const Context next = open_on_device(clip_, GetParam().feeding);
    ASSERT_EQ(use_feature(next.get(), "psnr"), 0);
    EXPECT_EQ(client_->feed_all(next.get(), clip_, GetParam().feeding), 0);
}

INSTANTIATE_TEST_SUITE_P(Breaks, BrokenDevice,
                         testing::Values(Break{"cuLaunchKernel", Feeding::plain_host, VMAF_DOUBLE_AT_ONCE},
                                         Break{"cuLaunchKernel", Feeding::device, VMAF_DOUBLE_HELD},
                                         Break{"cuMemcpy2DAsync_v2", Feeding::plain_host,
                                               VMAF_DOUBLE_HELD},                                        // an upload
                                         Break{"cuMemcpy2DAsync_v2", Feeding::device, VMAF_DOUBLE_HELD}, // a download
                                         Break{"cuMemcpyDtoHAsync_v2", Feeding::pinned_host, VMAF_DOUBLE_AT_ONCE},
                                         Break{"cuMemsetD8Async", Feeding::device, VMAF_DOUBLE_AT_ONCE},
                                         Break{"cuEventQuery", Feeding::plain_host, VMAF_DOUBLE_HELD},
                                         Break{"cuEventQuery", Feeding::device, VMAF_DOUBLE_HELD},
                                         Break{"cuEventRecord", Feeding::device, VMAF_DOUBLE_AT_ONCE},
                                         Break{"cuStreamWaitEvent", Feeding::pinned_host, VMAF_DOUBLE_HELD},
                                         Break{"cuEventSynchronize", Feeding::plain_host, VMAF_DOUBLE_ON_SYNCHRONISE}),
                         [](const testing::TestParamInfo<Break> &tested) {
                             return std::string(tested.param.call) + "_" + std::to_string(tested.index);
                         });

class LostWork : public DriverSessions {
  protected:
    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_F(LostWork, IsAnsweredWithTheFirstErrnoByAllThatComesLater)
{
    const Context context = open_on_device(clip_, Feeding::plain_host);
    ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 0, 2), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 2, 5), 0); // 2 runs, 3 and 4 gather
    driver_->fail(1, kOutOfMemory, VMAF_DOUBLE_ONCE, "cuEventSynchronize");     // the wait for frame 2
    const VmafDoubleFault launch{"cuLaunchKernel", 1, 1, kUnknown, 0}; // the launch of 3 and 4, which the getter sends
    driver_->add_fault(&launch);
    EXPECT_EQ(score_error(context.get(), kPsnr, 2), -ENOMEM);
    EXPECT_EQ(score_error(context.get(), kPsnr, 3), -EIO) << "why that one was lost";
    EXPECT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 5, 6), -ENOMEM) << "the first failure";
    EXPECT_EQ(score_error(context.get(), kPsnr, 1), 0);
    EXPECT_EQ(flush(context.get()), -ENOMEM);
}

TEST_F(LostWork, IsLostForTheFramesOfItsBatchAlone)
{
    const Context context = open_on_device(clip_, Feeding::plain_host);
    ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 0, 9), 0); // 0 runs, 1 to 8 are sent
    ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 9, 12), 0);
    driver_->fail(1, kUnknown, VMAF_DOUBLE_ONCE, "cuLaunchKernel");
    EXPECT_EQ(flush(context.get()), -EIO); // sends 9 to 11
    for (unsigned frame = 0; frame < 12; ++frame)
        EXPECT_EQ(score_error(context.get(), kPsnr, frame), frame < 9 ? 0 : -EIO) << frame;
}

// Rows of the table in spec cuda 3.
struct Row {
    int result, error;
};
constexpr Row kTable[] = {{2, -ENOMEM}, {3, -ENODEV},   {4, -ENODEV},   {34, -ENODEV},  {100, -ENODEV},
                          {1, -EINVAL}, {101, -EINVAL}, {201, -EINVAL}, {400, -EINVAL}, {5, -EIO},
                          {200, -EIO},  {218, -EIO},    {500, -EIO},    {600, -EIO},    {700, -EIO},
                          {719, -EIO},  {801, -EIO},    {900, -EIO},    {999, -EIO}};

class Errno : public DriverSessions {
  protected:
    /// Expects one error line with the result's number, whichever call failed.
    static void expect_said(const std::vector<std::string> &lines, int result, const std::string &call)
    {
        const std::vector<std::string> errors = lines_at("ERROR", lines);
        ASSERT_EQ(errors.size(), 1U) << call << ": " << result;
        EXPECT_NE(errors[0].find(" (" + std::to_string(result) + ")"), std::string::npos) << errors[0];
        EXPECT_NE(errors[0].find(".cpp:"), std::string::npos) << errors[0];
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
};

TEST_F(Errno, OfEveryCallThatMakesAState)
{
    const Context level = open_on_device(clip_, Feeding::plain_host, logging_at(VMAF_LOG_LEVEL_INFO));
    for (const bool own_context : {true, false}) {
        const VmafCudaConfiguration config{own_context ? nullptr : client_->context()};
        const unsigned long before = driver_->calls();
        VmafCudaState *state = nullptr;
        ASSERT_EQ(vmaf_cuda_state_init(&state, config), 0);
        std::set<std::string> calls;
        for (unsigned long call = before; call < driver_->calls(); ++call)
            if (std::string_view(driver_->call_name(call)) != "cuCtxPopCurrent_v2") // a release
                calls.insert(driver_->call_name(call));
        EXPECT_GE(calls.size(), own_context ? 5U : 3U);
        ASSERT_EQ(vmaf_cuda_state_free(state), 0);
        for (const std::string &call : calls)
            for (const Row &row : kTable) {
                driver_->fail(1, row.result, VMAF_DOUBLE_ONCE, call.c_str());
                const std::vector<std::string> lines = log_of(
                    [&] { EXPECT_EQ(vmaf_cuda_state_init(&state, config), row.error) << call << ": " << row.result; });
                EXPECT_EQ(state, nullptr);
                if (call == "cuInit" && row.error == -ENODEV) { // a missing device is a fact, not a fault (spec cuda 1)
                    EXPECT_EQ(lines.size(), 1U);
                    EXPECT_EQ(lines_at("INFO", lines).size(), 1U);
                } else {
                    expect_said(lines, row.result, call);
                }
            }
    }
    driver_->heal();
}

// A read requests everything that it needs before it takes its pictures.
TEST_F(Errno, OfEveryCallThatARead)
{
    struct Calls {
        const char *call;
        Feeding feeding;
    };
    for (const Calls &calls : {Calls{"cuCtxPushCurrent_v2", Feeding::device},
                               {"cuMemAlloc_v2", Feeding::plain_host},
                               {"cuMemHostAlloc", Feeding::device},
                               {"cuEventCreate", Feeding::plain_host},
                               {"cuStreamCreate", Feeding::device},
                               {"cuModuleLoadData", Feeding::pinned_host},
                               {"cuModuleGetFunction", Feeding::device},
                               {"cuMemcpy2DAsync_v2", Feeding::plain_host},
                               {"cuEventRecord", Feeding::pinned_host},
                               {"cuStreamWaitEvent", Feeding::pinned_host}})
        for (const Row &row : kTable) {
            const Context context = open_on_device(clip_, calls.feeding, logging_at(VMAF_LOG_LEVEL_ERROR));
            ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
            VmafPicture ref{}, dis{};
            ASSERT_EQ(client_->make(context.get(), ref, clip_, Side::ref, 0, calls.feeding), 0);
            ASSERT_EQ(client_->make(context.get(), dis, clip_, Side::dis, 0, calls.feeding), 0);
            driver_->fail(1, row.result, VMAF_DOUBLE_ONCE, calls.call);
            expect_said(log_of([&] {
                            EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 0), row.error)
                                << calls.call << ": " << row.result;
                        }),
                        row.result, calls.call);
            EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 0), 0) << "the same again";
            EXPECT_EQ(flush(context.get()), 0);
            EXPECT_EQ(score_error(context.get(), kPsnr, 0), 0);
        }
}

TEST_F(Errno, OfWhatAGetterWaitsFor)
{
    for (const Row &row : kTable) {
        set_time(VMAF_DOUBLE_AT_ONCE);
        const Context context = open_on_device(clip_, Feeding::plain_host, logging_at(VMAF_LOG_LEVEL_ERROR));
        ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
        ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 0, 1), 0);
        set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
        ASSERT_EQ(feed_frames(context.get(), clip_, Feeding::plain_host, 1, 2), 0);
        driver_->fail(1, row.result, VMAF_DOUBLE_ONCE, "cuEventSynchronize");
        expect_said(log_of([&] { EXPECT_EQ(score_error(context.get(), kPsnr, 1), row.error) << row.result; }),
                    row.result, "cuEventSynchronize");
        EXPECT_EQ(score_error(context.get(), kPsnr, 1), row.error) << "and stays so";
        EXPECT_EQ(score_error(context.get(), kPsnr, 0), 0);
        EXPECT_EQ(flush(context.get()), row.error);
    }
}

} // namespace
} // namespace vmaf::test
