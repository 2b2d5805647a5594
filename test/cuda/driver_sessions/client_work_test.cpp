#include "cuda/driver_sessions/fixture.h"
#include "cuda/driver_sessions/numbered_sums.h"

#include <algorithm>
#include <string_view>

// The client's default stream and the library's streams (spec cuda 5). Work that the client queued
// there before a read runs before the library reads. No work of the client waits for the library's
// kernels (spec cuda 6).

namespace vmaf::test {
namespace {

constexpr unsigned kFramesOfEach = 5;

/// A client that makes its pictures on the device. It copies them into the session's pictures on
/// the default stream; these copies are queued but not done.
class ClientWork : public DriverSessions, public testing::WithParamInterface<std::tuple<VmafDoubleTime, Feeding>> {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        const Push current(*client_);
        const PlaneView luma = clip_.plane(Side::ref, 0, 0);
        ASSERT_EQ(client_->cuda().cuMemAlloc(&decoded_, 2 * kFramesOfEach * luma.row_bytes() * luma.height_px),
                  CUDA_SUCCESS);
        for (unsigned frame = 0; frame < kFramesOfEach; ++frame)
            for (const Side side : {Side::ref, Side::dis}) {
                const PlaneView from = clip_.plane(side, frame, 0);
                ASSERT_EQ(
                    client_->cuda().cuMemcpyHtoD(decoded(side, frame), from.data, from.row_bytes() * from.height_px),
                    CUDA_SUCCESS);
            }
    }

    void TearDown() override
    {
        {
            const Push current(*client_);
            EXPECT_EQ(client_->cuda().cuMemFree(decoded_), CUDA_SUCCESS);
        }
        DriverSessions::TearDown();
    }

    /// Makes the client's context current.
    class Push {
      public:
        explicit Push(const CudaClient &client) : client_(client)
        {
            client_.cuda().cuCtxPushCurrent(client_.context());
        }
        ~Push() { client_.cuda().cuCtxPopCurrent(nullptr); }
        Push(const Push &) = delete;
        Push &operator=(const Push &) = delete;

      private:
        const CudaClient &client_;
    };

    CUdeviceptr decoded(Side side, unsigned frame) const
    {
        const PlaneView luma = clip_.plane(Side::ref, 0, 0);
        return decoded_ + (2 * frame + (side == Side::dis ? 1 : 0)) * luma.row_bytes() * luma.height_px;
    }

    /// A picture of the pool. A copy of the decoded luma into it is queued on the default stream.
    VmafPicture queue_picture(VmafContext *vmaf, Side side, unsigned frame, Feeding feeding) const
    {
        VmafPicture picture{};
        EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(vmaf, &picture), 0);
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = decoded(side, frame);
        copy.srcPitch = clip_.plane(side, frame, 0).row_bytes();
        if (feeding == Feeding::device) {
            copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
            copy.dstDevice = reinterpret_cast<CUdeviceptr>(picture.data[0]);
        } else {
            copy.dstMemoryType = CU_MEMORYTYPE_HOST;
            copy.dstHost = picture.data[0];
        }
        copy.dstPitch = static_cast<std::size_t>(picture.stride[0]);
        copy.WidthInBytes = copy.srcPitch;
        copy.Height = picture.h[0];
        const Push current(*client_);
        EXPECT_EQ(client_->cuda().cuMemcpy2DAsync(&copy, nullptr), CUDA_SUCCESS);
        return picture;
    }

    static void use_features(VmafContext *vmaf, bool on_device)
    {
        ASSERT_EQ(use_feature(vmaf, on_device ? "psnr_cuda" : "psnr", {{"enable_chroma", "false"}}), 0);
        ASSERT_EQ(use_feature(vmaf, on_device ? "motion_cuda" : "motion"), 0);
        ASSERT_EQ(use_feature(vmaf, "float_psnr"), 0); // on the CPU
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");

  private:
    CUdeviceptr decoded_ = 0;
};

TEST_P(ClientWork, QueuedBeforeAReadComesBeforeTheLibrarysReading)
{
    const auto [time, feeding] = GetParam();
    const Context cpu = open_context(0), context = open_on_device(clip_, feeding, on_cpu_unless_demanded());
    use_features(cpu.get(), false);
    use_features(context.get(), true);
    ASSERT_EQ(feed_all(cpu.get(), clip_), 0);
    grow_pool(context.get());
    set_time(time);
    const unsigned long before = driver_->works();
    for (unsigned frame = 0; frame < kFramesOfEach; ++frame) {
        VmafPicture ref = queue_picture(context.get(), Side::ref, frame, feeding);
        VmafPicture dis = queue_picture(context.get(), Side::dis, frame, feeding);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    EXPECT_GT(driver_->pending(), 0U) << "the reads waited for nothing";
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(flush(context.get()), 0);
    for (const char *name : {"psnr_y", "float_psnr", "VMAF_integer_feature_motion_sad_score"})
        EXPECT_EQ(scores_of(context.get(), name, 0, kFramesOfEach), scores_of(cpu.get(), name, 0, kFramesOfEach))
            << name;

    // It might run in this order by chance, too. It must.
    std::vector<RanWork> copies = work_named(*driver_, "cuMemcpy2DAsync_v2");
    std::erase_if(copies, [&](const RanWork &copy) { return copy.number < before; });
    const auto is_clients = [](const RanWork &copy) { return copy.stream == 0; };
    const auto library = std::stable_partition(copies.begin(), copies.end(), is_clients);
    ASSERT_EQ(library - copies.begin(), 2 * kFramesOfEach);
    ASSERT_EQ(copies.end() - library, 2 * kFramesOfEach)
        << "uploads for psnr, or downloads for float_psnr, of both lumas";
    for (unsigned i = 0; i < 2 * kFramesOfEach; ++i)
        EXPECT_TRUE(driver_->ordered(copies[i].number, library[i].number)) << i;
    const std::vector<RanWork> kernels = work_named(*driver_, "vmaf_psnr_sse_8bit");
    ASSERT_GT(kernels.size(), 0U);
    EXPECT_TRUE(driver_->ordered(copies[0].number, kernels.front().number));
    EXPECT_TRUE(driver_->ordered(copies[2 * kFramesOfEach - 1].number, kernels.back().number));
}

INSTANTIATE_TEST_SUITE_P(All, ClientWork,
                         testing::Combine(testing::Values(VMAF_DOUBLE_HELD, VMAF_DOUBLE_ON_SYNCHRONISE),
                                          testing::Values(Feeding::pinned_host, Feeding::device)));

class ClientWorkOfABatch : public ClientWork {};

// An event on the default stream makes clients' blocking streams wait for each other.
TEST_P(ClientWorkOfABatch, IsWaitedForOnce)
{
    const Feeding feeding = std::get<Feeding>(GetParam());
    const Context context = open_on_device(clip_, feeding, on_cpu_unless_demanded());
    ASSERT_EQ(use_feature(context.get(), "psnr_cuda", {{"enable_chroma", "false"}}), 0);
    grow_pool(context.get());
    set_time(std::get<VmafDoubleTime>(GetParam()));
    const unsigned long first_work = driver_->works(), first_call = driver_->calls();
    for (unsigned frame = 0; frame < kFramesOfEach; ++frame) {
        VmafPicture ref = queue_picture(context.get(), Side::ref, frame, feeding);
        VmafPicture dis = queue_picture(context.get(), Side::dis, frame, feeding);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(flush(context.get()), 0);

    const std::vector<RanWork> kernels = work_named(*driver_, "vmaf_psnr_sse_8bit");
    ASSERT_EQ(kernels.size(), 2U) << "the first frame goes at once, the others follow together";
    unsigned events = 0;
    for (unsigned long call = first_call; call < driver_->calls(); ++call)
        if (std::string_view(driver_->call_name(call)) == "cuEventRecord")
            ++events;
    constexpr unsigned kEventsOfABatch = 4; // the clients' work, the transfers in, the kernels, the results
    EXPECT_EQ(events, kernels.size() * kEventsOfABatch);
    std::vector<RanWork> copies = work_named(*driver_, "cuMemcpy2DAsync_v2");
    std::erase_if(copies, [&](const RanWork &copy) { return copy.number < first_work; });
    ASSERT_EQ(copies.size(), 2 * kFramesOfEach);
    for (unsigned i = 0; i < copies.size(); ++i)
        EXPECT_TRUE(driver_->ordered(copies[i].number, kernels[i < 2 ? 0 : 1].number)) << i;
}

INSTANTIATE_TEST_SUITE_P(All, ClientWorkOfABatch,
                         testing::Combine(testing::Values(VMAF_DOUBLE_HELD, VMAF_DOUBLE_ON_SYNCHRONISE),
                                          testing::Values(Feeding::device)));

class ClientStreams : public ClientWork {};

TEST_P(ClientStreams, DoNotWaitForTheLibrarysKernels)
{
    const auto [time, feeding] = GetParam();
    const NumberedSums numbered(*driver_);
    const Context context = open_on_device(clip_, feeding, on_cpu_unless_demanded());
    ASSERT_EQ(use_feature(context.get(), "psnr_cuda"), 0);
    ASSERT_EQ(use_feature(context.get(), "float_psnr"), 0);
    set_time(time);
    {
        const DefaultStreamRuns runs(*driver_);
        ASSERT_EQ(feed_frames(context.get(), clip_, feeding, 0, 12), 0); // no fetch waits for the library yet
    }
    const unsigned long queued = driver_->pending();
    EXPECT_GT(queued, 0U);
    {
        const Push current(*client_);
        CUstream blocking = nullptr;
        unsigned char byte = 1;
        ASSERT_EQ(client_->cuda().cuStreamCreate(&blocking, 0), CUDA_SUCCESS);
        ASSERT_EQ(client_->cuda().cuMemcpyHtoDAsync(decoded(Side::ref, 0), &byte, 1, nullptr), CUDA_SUCCESS);
        ASSERT_EQ(client_->cuda().cuMemcpyHtoDAsync(decoded(Side::ref, 0), &byte, 1, blocking), CUDA_SUCCESS);
        if (time == VMAF_DOUBLE_HELD) {
            EXPECT_GT(driver_->release_stream(driver_->stream_number(blocking)), 0U);
        }
        EXPECT_EQ(client_->cuda().cuStreamSynchronize(blocking), CUDA_SUCCESS);
        EXPECT_EQ(client_->cuda().cuStreamSynchronize(nullptr), CUDA_SUCCESS);
        EXPECT_EQ(client_->cuda().cuStreamDestroy(blocking), CUDA_SUCCESS);
    }
    EXPECT_EQ(numbered.batches().size(), 0U) << "a kernel ran that nobody asked for";
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    EXPECT_EQ(flush(context.get()), 0);
    EXPECT_GT(numbered.batches().size(), 0U);
    for (const RanWork &kernel : work_named(*driver_, "vmaf_psnr_sse_8bit"))
        for (const RanWork &copy : work_named(*driver_, "cuMemcpyHtoDAsync_v2"))
            EXPECT_FALSE(driver_->ordered(kernel.number, copy.number));
}

INSTANTIATE_TEST_SUITE_P(All, ClientStreams,
                         testing::Combine(testing::Values(VMAF_DOUBLE_HELD, VMAF_DOUBLE_ON_SYNCHRONISE),
                                          testing::Values(Feeding::pinned_host, Feeding::device)));

} // namespace
} // namespace vmaf::test
