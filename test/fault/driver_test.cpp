#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "cuda/driver_double/loaded_double.h"
#include "feature/cuda_backends.h"
#include "support/cuda_client.h"

// Every driver call of whole sessions is made to fail in turn, alone and with all later ones, as out of memory and as an unknown
// error (spec cuda 7.2): an errno, no live object, no violation, and a clean run right afterwards. On the driver double.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "tiles_176x144_8";
constexpr unsigned kFrames = 4;
constexpr int kOutOfMemory = 2, kUnknown = 999;

struct Outcome {
    int first_error = 0;
    void note(int error) { first_error = first_error != 0 ? first_error : error; }
};

struct Scenario {
    std::string name;
    std::function<Outcome()> run;
};

enum class OwnContext { no, yes };

// The client's own context lives as long as the process: its driver calls are not the library's.
const CudaClient &client_of_the_process()
{
    static std::string why;
    static const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    return *client;
}

// Opens, feeds and closes a session as a client does that stops at its first error; close and free are always called.
Outcome score(const char *feature, Feeding feeding, unsigned n_threads, OwnContext own, unsigned gpumask = 0)
{
    const Clip &clip = Clip::get(kClip);
    Outcome outcome;
    const CudaClient *const client = own == OwnContext::no ? &client_of_the_process() : nullptr;
    VmafConfiguration config{};
    config.n_threads = n_threads;
    config.gpumask = gpumask;
    VmafContext *vmaf = nullptr;
    outcome.note(vmaf_init(&vmaf, config));
    VmafCudaState *state = nullptr;
    if (outcome.first_error == 0)
        outcome.note(vmaf_cuda_state_init(&state, VmafCudaConfiguration{client ? client->context() : nullptr}));
    if (outcome.first_error == 0)
        outcome.note(vmaf_cuda_import_state(vmaf, state));
    if (outcome.first_error == 0 && feeding != Feeding::plain_host) {
        VmafCudaPictureConfiguration pool{};
        pool.pic_params.w = clip.spec().width;
        pool.pic_params.h = clip.spec().height;
        pool.pic_params.bpc = clip.spec().bits;
        pool.pic_params.pix_fmt = clip.spec().pix_fmt;
        pool.pic_prealloc_method = feeding == Feeding::device ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
                                                              : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED;
        outcome.note(vmaf_cuda_preallocate_pictures(vmaf, pool));
    }
    ModelHandle model;
    if (outcome.first_error == 0) {
        if (feature != nullptr) {
            outcome.note(vmaf_use_feature(vmaf, feature, nullptr));
            if (gpumask != 0)
                outcome.note(vmaf_use_feature(vmaf, "psnr", nullptr)); // on the CPU beside it
        } else {
            model = load_model("vmaf_v0.6.1");
            outcome.note(vmaf_use_features_from_model(vmaf, model.get()));
        }
    }
    for (unsigned frame = 0; frame < kFrames && outcome.first_error == 0; ++frame) {
        VmafPicture ref{}, dis{};
        for (VmafPicture *picture : {&ref, &dis})
            if (outcome.first_error == 0)
                outcome.note(feeding == Feeding::plain_host ? make_picture(*picture, clip, Side::ref, frame)
                                                            : vmaf_cuda_fetch_preallocated_picture(vmaf, picture));
        if (outcome.first_error == 0)
            outcome.note(vmaf_read_pictures(vmaf, &ref, &dis, frame));
        vmaf_picture_unref(&ref);
        vmaf_picture_unref(&dis);
        double ignored = 0;
        if (outcome.first_error == 0 && frame == 2 && model)
            outcome.note(vmaf_score_at_index(vmaf, model.get(), &ignored, 1));
    }
    if (outcome.first_error == 0)
        outcome.note(vmaf_read_pictures(vmaf, nullptr, nullptr, 0));
    if (vmaf != nullptr) {
        vmaf_write_output(vmaf, "/dev/null", VMAF_OUTPUT_FORMAT_JSON);
        outcome.note(vmaf_close(vmaf));
    }
    if (state != nullptr)
        outcome.note(vmaf_cuda_state_free(state));
    return outcome;
}

// States that are never imported, freed early, imported twice, and closed in the other order.
Outcome states(OwnContext own)
{
    Outcome outcome;
    const CudaClient *const client = own == OwnContext::no ? &client_of_the_process() : nullptr;
    const VmafCudaConfiguration config{client ? client->context() : nullptr};
    for (int order = 0; order < 3; ++order) {
        VmafCudaState *state = nullptr;
        outcome.note(vmaf_cuda_state_init(&state, config));
        VmafContext *one = nullptr, *two = nullptr;
        vmaf_init(&one, VmafConfiguration{});
        vmaf_init(&two, VmafConfiguration{});
        if (state != nullptr && order > 0) {
            outcome.note(vmaf_cuda_import_state(one, state));
            outcome.note(vmaf_cuda_import_state(two, state));
        }
        if (state != nullptr && order == 2)
            outcome.note(vmaf_cuda_state_free(state));
        outcome.note(vmaf_close(one));
        outcome.note(vmaf_close(two));
        if (state != nullptr && order != 2)
            outcome.note(vmaf_cuda_state_free(state));
    }
    return outcome;
}

const std::vector<Scenario> kSessions = {
    {"states_own_context", [] { return states(OwnContext::yes); }},
    {"states_client_context", [] { return states(OwnContext::no); }},
    {"model_device", [] { return score(nullptr, Feeding::device, 0, OwnContext::no); }},
    {"model_device_threads", [] { return score(nullptr, Feeding::device, 2, OwnContext::no); }},
    {"model_pinned", [] { return score(nullptr, Feeding::pinned_host, 0, OwnContext::yes); }},
    {"model_plain", [] { return score(nullptr, Feeding::plain_host, 0, OwnContext::yes); }},
    {"mixed_device", [] { return score("vif_cuda", Feeding::device, 0, OwnContext::yes, 1); }},
    {"mixed_device_threads", [] { return score("vif_cuda", Feeding::device, 2, OwnContext::yes, 1); }},
    {"mixed_plain", [] { return score("vif_cuda", Feeding::plain_host, 0, OwnContext::yes, 1); }},
};

// Each backend by itself, and the sessions above.
std::vector<Scenario> scenarios()
{
    std::vector<Scenario> list = kSessions;
    for (const CudaBackend *backend : cuda_backends())
        for (const Feeding feeding : {Feeding::device, Feeding::plain_host}) {
            const char *name = backend->spec->name;
            list.push_back({std::string(name) + (feeding == Feeding::device ? "_device" : "_plain"),
                            [=] { return score(name, feeding, 0, OwnContext::yes); }});
        }
    return list;
}

class DriverFaults : public testing::TestWithParam<Scenario> {};

TEST_P(DriverFaults, EveryFailedCallIsAnErrnoAndLeavesNothing)
{
    const VmafDoubleControl *driver = loaded_driver_double();
    ASSERT_NE(driver, nullptr) << "the driver double is not the libcuda.so.1 that is found first";
    const auto &run = GetParam().run;
    ASSERT_EQ(run().first_error, 0);
    const unsigned long baseline = driver->live_total();
    driver->reset();
    ASSERT_EQ(run().first_error, 0);
    const unsigned long calls = driver->calls();
    ASSERT_GT(calls, 5U);
    ASSERT_EQ(driver->live_total(), baseline);
    ASSERT_EQ(driver->violations(), 0U) << driver->violation(0);

    unsigned long failed = 0;
    testing::internal::CaptureStderr();
    for (const VmafDoubleMode mode : {VMAF_DOUBLE_ONCE, VMAF_DOUBLE_FROM_HERE_ON})
        for (const int result : {kOutOfMemory, kUnknown})
            for (unsigned long k = 1; k <= calls; ++k) {
                driver->reset();
                driver->fail(k, result, mode, nullptr);
                const Outcome outcome = run();
                driver->heal();
                ++failed;
                const char *name = driver->call_name(k - 1);
                const std::string at = "call " + std::to_string(k) + " of " + std::to_string(calls) + ", " +
                                       (name != nullptr ? name : "?") + ", result " + std::to_string(result) +
                                       (mode == VMAF_DOUBLE_ONCE ? ", once" : ", from here on");
                EXPECT_LE(outcome.first_error, 0) << at;
                const bool harmless = name != nullptr && std::string(name) == "cuGetErrorName";
                if (!harmless && driver->calls() >= k) {
                    EXPECT_TRUE(outcome.first_error == (result == kOutOfMemory ? -ENOMEM : -EIO) ||
                                outcome.first_error == -ENODEV)
                        << outcome.first_error << " at " << at;
                }
                EXPECT_EQ(driver->live_total(), baseline) << at;
                EXPECT_EQ(driver->violations(), 0U) << driver->violation(0) << " at " << at;
                EXPECT_EQ(run().first_error, 0) << "the next session after " << at;
                EXPECT_EQ(driver->live_total(), baseline) << "the next session after " << at;
                if (HasFailure()) {
                    k = calls; // one line of evidence a combination is enough
                }
            }
    testing::internal::GetCapturedStderr();
    std::printf("%s: %lu calls failed in turn\n", GetParam().name.c_str(), failed);
}

std::string scenario_name(const testing::TestParamInfo<Scenario> &info)
{
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(EveryCall, DriverFaults, testing::ValuesIn(scenarios()), scenario_name);

} // namespace
} // namespace vmaf::test
