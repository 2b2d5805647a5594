#include "cuda/driver_sessions/fixture.h"

#include <atomic>
#include <thread>

#include "libvmaf/libvmaf_ext.h"

// Machines with devices that the library cannot use (spec cuda 1). These are facts with which a
// client goes on, logged in one line at info level. Also machines with several devices (spec
// device_pictures 5).

namespace vmaf::test {
namespace {

std::string capability(int number)
{
    return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

class Devices : public DriverSessions {
  protected:
    /// Lines that vmaf_cuda_state_init() logs when it returns -ENODEV.
    static std::string said_instead_of_a_state(CUcontext context)
    {
        const Clip &clip = Clip::get("tiles_176x144_8");
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, logging_at(VMAF_LOG_LEVEL_INFO)), 0);
        const Context session(raw);
        VmafCudaState *state = nullptr;
        const std::vector<std::string> lines =
            log_of([&] { EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{context}), -ENODEV); });
        EXPECT_EQ(state, nullptr);
        EXPECT_EQ(use_feature(raw, "psnr"), 0);
        EXPECT_EQ(feed_all(raw, clip), 0) << "on the CPU";
        EXPECT_EQ(lines.size(), 1U);
        const std::vector<std::string> info = lines_at("INFO", lines);
        return info.size() == 1 ? info[0] : "";
    }
};

TEST_F(Devices, OlderThanTheOldestKernelsAreEnodevWithBothNumbers)
{
    constexpr int kOldest = VMAF_OLDEST_GPU_ARCHITECTURE, kOlder = kOldest - 1;
    VmafDoubleDevice older = kDevice;
    older.major = kOlder / 10;
    older.minor = kOlder % 10;
    set_devices({older});
    open_client();
    for (CUcontext context : {CUcontext{nullptr}, client_->context()}) {
        const std::string line = said_instead_of_a_state(context);
        EXPECT_NE(line.find(" " + capability(kOlder) + ","), std::string::npos) << line;
        EXPECT_NE(line.find(" " + capability(kOldest) + ":"), std::string::npos) << line;
        EXPECT_EQ(driver_->live_total(), 1U) << "the client's retain";
    }
}

TEST_F(Devices, AsOldAsTheOldestKernelsAreUsed)
{
    VmafDoubleDevice oldest = kDevice;
    oldest.major = VMAF_OLDEST_GPU_ARCHITECTURE / 10;
    oldest.minor = VMAF_OLDEST_GPU_ARCHITECTURE % 10;
    set_devices({oldest});
    for (const bool own_context : {true, false}) {
        open_client();
        VmafCudaState *state = nullptr;
        EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{own_context ? nullptr : client_->context()}), 0);
        EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    }
}

TEST_F(Devices, NoneIsEnodev)
{
    set_devices({});
    EXPECT_NE(said_instead_of_a_state(nullptr).find("no usable device"), std::string::npos);
}

// The client's context decides which device is used.
TEST_F(Devices, OfTheClientsContextIsTheOneThatCounts)
{
    VmafDoubleDevice older = kDevice;
    older.major = 5;
    older.minor = 0;
    set_devices({older, kDevice});
    open_client();
    CUcontext second = nullptr;
    ASSERT_EQ(client_->cuda().cuDevicePrimaryCtxRetain(&second, 1), CUDA_SUCCESS);
    VmafCudaState *state = nullptr;
    EXPECT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{second}), 0);
    const Clip &clip = Clip::get("tiles_176x144_8");
    {
        const Context context = open_context(0);
        ASSERT_EQ(vmaf_cuda_import_state(context.get(), state), 0);
        ASSERT_EQ(use_feature(context.get(), "psnr"), 0);
        EXPECT_EQ(feed_all(context.get(), clip), 0);
    }
    EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    for (const RanWork &work : work_named(*driver_, "vmaf_psnr_sse_8bit"))
        EXPECT_EQ(work.device, 1);
    EXPECT_EQ(said_instead_of_a_state(client_->context()).find("compute capability 5.0"),
              std::string("cuda: device 0 has ").size());
    EXPECT_EQ(client_->cuda().cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
}

/// A state for the device of that number; null on failure.
VmafCudaState *state_of(int device)
{
    VmafCudaState *state = nullptr;
    EXPECT_EQ(vmaf_cuda_state_init_device(&state, device), 0) << device;
    return state;
}

TEST_F(Devices, AreFoundByNumber)
{
    set_devices({kDevice, kDevice, kDevice});
    for (const int device : {2, 0, 1}) {
        VmafCudaState *state = state_of(device);
        ASSERT_NE(state, nullptr);
        EXPECT_EQ(driver_->live(VMAF_DOUBLE_CONTEXT), 1U);
        {
            const Context session = open_context(0);
            ASSERT_EQ(vmaf_cuda_import_state(session.get(), state), 0);
            ASSERT_EQ(use_feature(session.get(), "motion"), 0);
            EXPECT_EQ(feed_all(session.get(), Clip::get("tiles_176x144_8")), 0);
        }
        EXPECT_EQ(vmaf_cuda_state_free(state), 0);
        EXPECT_EQ(driver_->live_total(), 0U) << "the context went with the session";
        const std::vector<RanWork> all = ran_work(*driver_, [](const RanWork &) { return true; });
        EXPECT_FALSE(work_named(*driver_, "vmaf_motion_sad_8bit").empty());
        for (const RanWork &work : all)
            EXPECT_EQ(work.device, device) << work.name;
        driver_->reset();
        emulate_kernels(*driver_);
    }
}

// A handle that is imported again after the last close acquires everything again, on its own
// device.
TEST_F(Devices, AreTheSameWhenAStateIsImportedAgain)
{
    set_devices({kDevice, kDevice});
    VmafCudaState *state = state_of(1);
    for (int time = 0; time < 2; ++time) {
        const Context session = open_context(0);
        ASSERT_EQ(vmaf_cuda_import_state(session.get(), state), 0);
        ASSERT_EQ(use_feature(session.get(), "psnr"), 0);
        EXPECT_EQ(feed_all(session.get(), Clip::get("tiles_176x144_8")), 0);
    }
    EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    for (const RanWork &work : work_named(*driver_, "vmaf_psnr_sse_8bit"))
        EXPECT_EQ(work.device, 1);
}

TEST_F(Devices, ThatThereAreNotAreEinvalWithOneLine)
{
    VmafContext *raw = nullptr;
    ASSERT_EQ(vmaf_init(&raw, logging_at(VMAF_LOG_LEVEL_INFO)), 0);
    const Context session(raw);
    set_devices({kDevice, kDevice});
    for (const int device : {-1, 2, 3, 1 << 30, -(1 << 30)}) {
        auto *state = reinterpret_cast<VmafCudaState *>(&raw);
        const std::vector<std::string> lines =
            log_of([&] { EXPECT_EQ(vmaf_cuda_state_init_device(&state, device), -EINVAL) << device; });
        EXPECT_EQ(state, nullptr);
        ASSERT_EQ(lines.size(), 1U);
        EXPECT_NE(lines[0].find("no device " + std::to_string(device) + ":"), std::string::npos) << lines[0];
    }
    EXPECT_EQ(vmaf_cuda_state_init_device(nullptr, 0), -EINVAL);
    set_devices({});
    VmafCudaState *state = nullptr;
    EXPECT_EQ(vmaf_cuda_state_init_device(&state, 0), -ENODEV);
    EXPECT_EQ(driver_->live_total(), 0U);
}

TEST_F(Devices, TooOldAreEnodevByNumberToo)
{
    VmafDoubleDevice older = kDevice;
    older.major = 5;
    set_devices({kDevice, older});
    VmafCudaState *state = nullptr;
    EXPECT_EQ(vmaf_cuda_state_init_device(&state, 1), -ENODEV);
    EXPECT_EQ(state, nullptr);
    EXPECT_EQ(driver_->live_total(), 0U);
}

// Sessions on two devices at once, frame by frame and in threads of their own. Each device works
// for its own session, and scores are the CPU's.
TEST_F(Devices, SideBySideGiveEqualScores)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const ModelHandle model = load_model("vmaf_v0.6.1");
    const auto scores = [&](VmafContext *vmaf) {
        std::vector<double> all;
        for (unsigned i = 0; i < clip.spec().frames; ++i) {
            all.push_back(-1);
            EXPECT_EQ(vmaf_score_at_index(vmaf, model.get(), &all.back(), i), 0);
            for (const char *name : {"psnr_cb", "VMAF_integer_feature_motion2_score"})
                all.push_back(scores_of(vmaf, name, i, i + 1)[0]);
        }
        return all;
    };
    const auto open = [&](VmafCudaState *state) {
        Context session = open_context(0);
        EXPECT_TRUE(state == nullptr || vmaf_cuda_import_state(session.get(), state) == 0);
        EXPECT_EQ(vmaf_use_features_from_model(session.get(), model.get()), 0);
        EXPECT_EQ(use_feature(session.get(), "psnr"), 0);
        return session;
    };
    const Context on_cpu = open(nullptr);
    ASSERT_EQ(feed_all(on_cpu.get(), clip), 0);
    const std::vector<double> expected = scores(on_cpu.get());

    set_devices({kDevice, kDevice});
    VmafCudaState *states[] = {state_of(0), state_of(1)};
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        set_time(time);
        const Context first = open(states[0]), second = open(states[1]);
        for (unsigned i = 0; i < clip.spec().frames; ++i) {
            ASSERT_EQ(feed(first.get(), clip, i, i), 0);
            ASSERT_EQ(feed(second.get(), clip, i, i), 0);
        }
        ASSERT_EQ(flush(first.get()), 0);
        ASSERT_EQ(flush(second.get()), 0);
        EXPECT_EQ(scores(first.get()), expected);
        EXPECT_EQ(scores(second.get()), expected);
    }
    std::size_t on_device[2] = {};
    for (const RanWork &work : work_named(*driver_, "vmaf_psnr_sse_8bit"))
        ++on_device[work.device];
    EXPECT_GT(on_device[0], 0U);
    EXPECT_EQ(on_device[0], on_device[1]);

    set_time(VMAF_DOUBLE_AT_ONCE);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            const Context session = open(states[thread % 2]);
            wrong += feed_all(session.get(), clip) != 0 || scores(session.get()) != expected;
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
    for (VmafCudaState *state : states)
        EXPECT_EQ(vmaf_cuda_state_free(state), 0);
}

// A state keeps its device while the client has the other device's context current. That context
// stays current.
TEST_F(Devices, OfTheCallingThreadDoNotMatter)
{
    set_devices({kDevice, kDevice});
    open_client(); // device 0
    ASSERT_EQ(client_->cuda().cuCtxPushCurrent(client_->context()), CUDA_SUCCESS);
    VmafCudaState *state = state_of(1);
    {
        const Context session = open_context(0);
        ASSERT_EQ(vmaf_cuda_import_state(session.get(), state), 0);
        ASSERT_EQ(use_feature(session.get(), "psnr"), 0);
        EXPECT_EQ(feed_all(session.get(), Clip::get("tiles_176x144_8")), 0);
    }
    EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    for (const RanWork &work : ran_work(*driver_, [](const RanWork &) { return true; }))
        EXPECT_EQ(work.device, 1) << work.name;
    CUcontext current = nullptr;
    EXPECT_EQ(client_->cuda().cuCtxPopCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, client_->context());
}

} // namespace
} // namespace vmaf::test
