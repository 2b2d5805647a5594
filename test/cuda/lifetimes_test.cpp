#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "cuda/cuda_sessions.h"
#include "feature/cuda_backends.h"
#include "support/registry.h"

// Lifetimes, limits and threads (spec cuda 2, 4, 5, 7.3).

namespace vmaf::test {
namespace {

class LifetimesCuda : public CudaSessions {
  protected:
    std::size_t free_memory() const
    {
        using MemGetInfo = CUresult CUDAAPI(std::size_t *, std::size_t *);
        const auto get_info = symbol_of<MemGetInfo>(client_->cuda().lib, "cuMemGetInfo_v2");
        std::size_t free = 0, total = 0;
        client_->cuda().cuCtxPushCurrent(client_->context());
        get_info(&free, &total);
        CUcontext popped = nullptr;
        client_->cuda().cuCtxPopCurrent(&popped);
        return free;
    }
};

VmafCudaPictureConfiguration device_pool(unsigned w, unsigned h, VmafPixelFormat format = VMAF_PIX_FMT_YUV420P)
{
    VmafCudaPictureConfiguration pool{};
    pool.pic_params.w = w;
    pool.pic_params.h = h;
    pool.pic_params.bpc = 8;
    pool.pic_params.pix_fmt = format;
    pool.pic_prealloc_method = VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE;
    return pool;
}

TEST_F(LifetimesCuda, TenCyclesOfPreallocationKeepDeviceMemoryConstant)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    std::size_t after_second = 0;
    for (int cycle = 0; cycle < 10; ++cycle) {
        ASSERT_EQ(scores_of(clip, 10, 0, Feeding::device).size(), 10U);
        if (cycle == 1)
            after_second = free_memory();
        if (cycle > 1) {
            EXPECT_EQ(free_memory(), after_second) << "cycle " << cycle;
        }
    }
}

TEST_F(LifetimesCuda, OpeningAndClosingEachFeatureKeepsDeviceMemoryConstant)
{
    if (double_ != nullptr)
        double_->reset(); // the kernels do nothing
    for (const CudaBackend *backend : cuda_backends()) {
        const char *feature = backend->spec->name;
        const Clip &small = Clip::get("tiles_176x144_8");
        const Clip &clip = takes(*backend->spec, small.format()) ? small : Clip::get("tiles_352x288_10");
        std::size_t expected = 0;
        for (int cycle = 0; cycle < 200; ++cycle) {
            const Context context = open_context(0);
            ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::device), 0);
            ASSERT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
            ASSERT_EQ(client_->feed(context.get(), clip, 0, 0, Feeding::device), 0);
            ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
            if (cycle == 2)
                expected = free_memory();
        }
        EXPECT_EQ(free_memory() >= expected, true) << feature << ": " << expected - free_memory() << " bytes lost";
    }
}

TEST_F(LifetimesCuda, AnAllocationBeyondMemoryIsEnomemAndLifeGoesOn)
{
    const Context context = open_context(0);
    const Clip &clip = Clip::get("tiles_176x144_8");
    ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::plain_host), 0);
    EXPECT_EQ(vmaf_cuda_preallocate_pictures(context.get(), device_pool(1 << 20, 1 << 20, VMAF_PIX_FMT_YUV400P)),
              -ENOMEM);
    ASSERT_EQ(vmaf_cuda_preallocate_pictures(context.get(), device_pool(176, 144)), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "vif", nullptr), 0);
    EXPECT_EQ(client_->feed(context.get(), clip, 0, 0, Feeding::device), 0);
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
}

TEST_F(LifetimesCuda, AClientHoldsSixteenPicturesAndTheNextFetchIsEagain)
{
    const Context context = open_context(0);
    ASSERT_EQ(client_->attach(context.get(), Clip::get("tiles_176x144_8").spec(), Feeding::device), 0);
    std::vector<VmafPicture> held(16);
    for (VmafPicture &picture : held)
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &picture), 0);
    VmafPicture more{};
    EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &more), -EAGAIN);
    EXPECT_EQ(vmaf_picture_unref(&held[3]), 0);
    EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &held[3]), 0);
    for (VmafPicture &picture : held)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST_F(LifetimesCuda, PicturesHeldAtCloseAreOnlyBookkeepingAfterwards)
{
    Context context = open_context(0);
    ASSERT_EQ(client_->attach(context.get(), Clip::get("tiles_176x144_8").spec(), Feeding::device), 0);
    VmafPicture held{};
    ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &held), 0);
    context.reset();
    EXPECT_EQ(vmaf_picture_unref(&held), 0);
}

TEST_F(LifetimesCuda, PicturesOfAnotherContextAreRefused)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const Context one = open_context(0), other = open_context(0);
    ASSERT_EQ(client_->attach(one.get(), clip.spec(), Feeding::device), 0);
    ASSERT_EQ(client_->attach(other.get(), clip.spec(), Feeding::device), 0);
    VmafPicture ref{}, dis{};
    ASSERT_EQ(client_->make(one.get(), ref, clip, Side::ref, 0, Feeding::device), 0);
    ASSERT_EQ(client_->make(other.get(), dis, clip, Side::dis, 0, Feeding::device), 0);
    EXPECT_EQ(vmaf_read_pictures(one.get(), &ref, &dis, 0), -EINVAL);
    EXPECT_NE(ref.ref, nullptr);
    vmaf_picture_unref(&ref);
    vmaf_picture_unref(&dis);
}

TEST_F(LifetimesCuda, ScoreOfAFrameIsReadableOnceTheNextFrameIsFed)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const unsigned n_threads : {0U, 2U}) {
        const std::vector<double> expected = scores_of(clip, 20, n_threads, Feeding::device);
        const Context context = open_context(n_threads);
        const ModelHandle model = load_model("vmaf_v0.6.1");
        ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::device), 0);
        ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
        for (unsigned frame = 0; frame < 20; ++frame) {
            ASSERT_EQ(client_->feed(context.get(), clip, frame % 5, frame, Feeding::device), 0);
            double score = -1;
            if (frame > 0) {
                ASSERT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame - 1), 0);
                EXPECT_EQ(score, expected[frame - 1]) << frame;
            }
        }
    }
}

TEST_F(LifetimesCuda, OtherThreadsFetchAndAskForScoresMeanwhile)
{
    const unsigned frames = on_gpu() ? 3000 : 30; // the double computes on the CPU
    const Clip &clip = Clip::get(on_gpu() ? "tiles_640x360_8" : "tiles_176x144_8");
    run_every_kernel();
    const std::vector<double> expected = scores_of(clip, frames, 0, Feeding::device);
    const Context context = open_context(0);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::pinned_host), 0);
    ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
    std::atomic<unsigned> read{0}, failed_fetches{0};
    std::thread fetcher([&] {
        while (read < frames) {
            VmafPicture picture{};
            failed_fetches += vmaf_cuda_fetch_preallocated_picture(context.get(), &picture) != 0;
            vmaf_picture_unref(&picture);
        }
    });
    std::thread asker([&] {
        double score = 0;
        for (unsigned frame = 0; (frame = read) < frames;)
            if (frame >= 2)
                vmaf_score_at_index(context.get(), model.get(), &score, frame - 2);
    });
    int error = 0;
    for (unsigned frame = 0; frame < frames; ++frame, ++read)
        error |= client_->feed(context.get(), clip, frame % clip.spec().frames, frame, Feeding::pinned_host);
    fetcher.join();
    asker.join();
    ASSERT_EQ(error, 0);
    EXPECT_EQ(failed_fetches, 0U);
    ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    for (unsigned frame = 0; frame < frames; ++frame) {
        double score = -1;
        ASSERT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame), 0);
        ASSERT_EQ(score, expected[frame]) << frame;
    }
}

TEST_F(LifetimesCuda, EightThreadsStartAndStopTwentyTimesAtOnce)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const std::vector<double> expected = scores_of(clip, 5, 0, Feeding::device);
    std::vector<std::thread> threads;
    std::vector<int> wrong(8, 0);
    for (std::size_t i = 0; i < wrong.size(); ++i)
        threads.emplace_back([&, i] {
            for (int round = 0; round < (on_gpu() ? 20 : 5); ++round)
                wrong[i] += scores_of(clip, 5, i % 2, static_cast<Feeding>(i % 3)) != expected;
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST_F(LifetimesCuda, TwoReaderThreadsFetchWhileAThirdFeeds)
{
    // As the tool does: a fetch may send a batch in the middle of another thread's read.
    const Clip &clip = Clip::get("tiles_176x144_8");
    constexpr unsigned kFrames = 400;
    const std::vector<double> expected = scores_of(clip, kFrames, 0, Feeding::pinned_host);
    const Context context = open_context(0);
    const ModelHandle model = load_model("vmaf_v0.6.1");
    ASSERT_EQ(client_->attach(context.get(), clip.spec(), Feeding::pinned_host), 0);
    ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
    std::vector<VmafPicture> pictures[2];
    std::mutex mutex;
    std::condition_variable moved;
    std::vector<std::thread> readers;
    for (const Side side : {Side::ref, Side::dis})
        readers.emplace_back([&, side] {
            for (unsigned frame = 0; frame < kFrames; ++frame) {
                auto &queue = pictures[static_cast<int>(side)];
                {
                    std::unique_lock lock(mutex);
                    moved.wait(lock, [&] { return queue.size() < 5; });
                }
                VmafPicture picture{};
                const int error = client_->make(context.get(), picture, clip, side, frame % 5, Feeding::pinned_host);
                const std::lock_guard lock(mutex);
                EXPECT_EQ(error, 0);
                queue.push_back(picture);
                moved.notify_all();
            }
        });
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref{}, dis{};
        {
            std::unique_lock lock(mutex);
            moved.wait(lock, [&] { return !pictures[0].empty() && !pictures[1].empty(); });
            ref = pictures[0].front();
            dis = pictures[1].front();
            pictures[0].erase(pictures[0].begin());
            pictures[1].erase(pictures[1].begin());
        }
        moved.notify_all();
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    for (std::thread &reader : readers)
        reader.join();
    ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        double score = 0;
        EXPECT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, frame), 0);
        EXPECT_EQ(score, expected[frame]);
    }
}

TEST_F(LifetimesCuda, EveryOrderOfCloseAndFreeIsSafe)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    for (const bool own_context : {true, false})
        for (int order = 0; order < 5; ++order) {
            VmafCudaState *state = nullptr;
            ASSERT_EQ(vmaf_cuda_state_init(&state, VmafCudaConfiguration{own_context ? client_->context() : nullptr}),
                      0);
            Context one = open_context(0), two = open_context(0);
            ASSERT_EQ(vmaf_cuda_import_state(one.get(), state), 0);
            if (order == 0) {
                one.reset();
                EXPECT_EQ(vmaf_cuda_state_free(state), 0);
            } else if (order == 1) {
                EXPECT_EQ(vmaf_cuda_state_free(state), 0);
                ASSERT_EQ(vmaf_use_feature(one.get(), "vif", nullptr), 0);
                EXPECT_EQ(feed(one.get(), clip, 0, 0), 0);
            } else if (order == 2) {
                ASSERT_EQ(vmaf_cuda_import_state(two.get(), state), 0);
                EXPECT_EQ(vmaf_cuda_state_free(state), 0);
                one.reset();
                ASSERT_EQ(vmaf_use_feature(two.get(), "adm", nullptr), 0);
                EXPECT_EQ(feed(two.get(), clip, 0, 0), 0);
            } else if (order == 3) {
                one.reset();
                ASSERT_EQ(vmaf_cuda_import_state(two.get(), state), 0) << "acquired anew";
                ASSERT_EQ(vmaf_use_feature(two.get(), "motion", nullptr), 0);
                EXPECT_EQ(feed(two.get(), clip, 0, 0), 0);
                EXPECT_EQ(vmaf_cuda_state_free(state), 0);
            } else {
                EXPECT_EQ(vmaf_cuda_import_state(one.get(), state), -EINVAL) << "a second time into one context";
                EXPECT_EQ(vmaf_cuda_state_free(state), 0);
            }
        }
}

TEST_F(LifetimesCuda, CallerKeepsItsCurrentContext)
{
    using GetCurrent = CUresult CUDAAPI(CUcontext *);
    const auto get_current = symbol_of<GetCurrent>(client_->cuda().lib, "cuCtxGetCurrent");
    CUcontext before = nullptr, after = nullptr;
    get_current(&before);
    ASSERT_EQ(scores_of(Clip::get("tiles_176x144_8"), 5, 0, Feeding::device).size(), 5U);
    get_current(&after);
    EXPECT_EQ(before, after);
}

} // namespace
} // namespace vmaf::test
