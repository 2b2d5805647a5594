#include <atomic>
#include <cstring>
#include <mutex>

#include "cuda/device_loan.h"
#include "cuda/driver_sessions/fixture.h"
#include "engine/cuda/normalise_params.h"
#include "engine/cuda/scale_params.h"

// Pictures of planes that a client lends (spec device_pictures 2) while the device is late, missing
// or failing: which memory is used, in which order work runs, when loans are released, and what
// goes over the bus.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 6;
const Lending kPlanar{"planar"}, kNv12{"NV12", VMAF_PLANE_LAYOUT_SEMI_PLANAR},
    kP010{"P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6},
    kScaled{"scaled P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6, 0, 0, 50, 61};

const Clip &clip_of(unsigned bits)
{
    static const ClipSpec specs[] = {{"eight", 64, 48, 8, VMAF_PIX_FMT_YUV420P, kFrames, "", ""},
                                     {"ten", 64, 48, 10, VMAF_PIX_FMT_YUV420P, kFrames, "", ""}};
    const auto sample = [](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return (3 * x + 5 * y + 17 * frame + 53 * plane) % 200 + (side == Side::dis ? 1 + frame + (x ^ y) % 4 : 0);
    };
    static const Clip clips[] = {Clip(specs[0], sample), Clip(specs[1], sample)};
    return clips[bits == 8 ? 0 : 1];
}

class ForeignSessions : public DriverSessions {
  protected:
    void TearDown() override
    {
        loans_ = {};
        DriverSessions::TearDown();
    }

    Context open(unsigned bits, const std::vector<const char *> &features, const VmafConfiguration &config = {})
    {
        Context context = open_on_device(clip_of(bits), Feeding::plain_host, config);
        for (const char *feature : features)
            EXPECT_EQ(use_feature(context.get(), feature), 0) << feature;
        return context;
    }
    Loan &lend(unsigned bits, Side side, unsigned frame, const Lending &lending, bool in_device_memory = true)
    {
        const Clip &clip = clip_of(bits);
        return in_device_memory ? loans_.add<DeviceLoan>(*client_, clip, side, frame % kFrames, lending)
                                : loans_.add<HostLoan>(clip, side, frame % kFrames, lending);
    }
    VmafPicture wrap(VmafContext *vmaf, const Loan &loan)
    {
        VmafPicture picture{};
        EXPECT_EQ(vmaf_picture_wrap(vmaf, &picture, &loan.foreign()), 0);
        return picture;
    }
    int read(VmafContext *vmaf, unsigned bits, unsigned frame, const Lending &lending, bool in_device_memory = true)
    {
        VmafPicture ref = wrap(vmaf, lend(bits, Side::ref, frame, lending, in_device_memory));
        VmafPicture dis = wrap(vmaf, lend(bits, Side::dis, frame, lending, in_device_memory));
        const int error = vmaf_read_pictures(vmaf, &ref, &dis, frame);
        if (error != 0) {
            EXPECT_EQ(vmaf_picture_unref(&ref), 0);
            EXPECT_EQ(vmaf_picture_unref(&dis), 0);
        }
        return error;
    }
    /// Scores of the library's own pictures.
    std::vector<double> expected_scores(unsigned bits, const std::vector<const char *> &features, const char *name,
                                        unsigned frames)
    {
        const Context context = open(bits, features);
        EXPECT_EQ(feed_frames(context.get(), clip_of(bits), Feeding::plain_host, 0, frames), 0);
        EXPECT_EQ(flush(context.get()), 0);
        return scores_of(context.get(), name, 0, frames);
    }

    Loans loans_;
};

TEST_F(ForeignSessions, KeepLoansUntilTheKernelsAreDone)
{
    constexpr unsigned kReads = 9;
    const std::vector<double> psnr = expected_scores(10, {"psnr", "motion"}, "psnr_cr", kReads);
    const std::vector<double> motion =
        expected_scores(10, {"psnr", "motion"}, "VMAF_integer_feature_motion2_score", kReads);
    for (const bool in_device_memory : {true, false})
        for (const Lending *lending : {&kPlanar, &kP010}) {
            loans_ = {};
            const Context context = open(10, {"psnr", "motion"});
            set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
            for (unsigned frame = 0; frame < kReads; ++frame)
                ASSERT_EQ(read(context.get(), 10, frame, *lending, in_device_memory), 0);
            EXPECT_EQ(loans_.released(0), loans_.count()) << "nothing is done yet";
            EXPECT_GT(driver_->pending(), 0U);
            ASSERT_EQ(flush(context.get()), 0);
            EXPECT_TRUE(loans_.all_released_once());
            EXPECT_EQ(scores_of(context.get(), "psnr_cr", 0, kReads), psnr);
            EXPECT_EQ(scores_of(context.get(), "VMAF_integer_feature_motion2_score", 0, kReads), motion);
            set_time(VMAF_DOUBLE_AT_ONCE);
        }
}

TEST_F(ForeignSessions, KeepScaledLoansUntilTheKernelsAreDone)
{
    constexpr unsigned kReads = 9;
    std::vector<double> expected;
    for (const bool in_device_memory : {true, false})
        for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE}) {
            loans_ = {};
            const Context context = open(10, {"psnr", "motion"});
            set_time(time);
            for (unsigned frame = 0; frame < kReads; ++frame)
                ASSERT_EQ(read(context.get(), 10, frame, kScaled, in_device_memory), 0);
            if (time == VMAF_DOUBLE_ON_SYNCHRONISE) {
                EXPECT_EQ(loans_.released(0), loans_.count()) << "nothing is done yet";
            }
            ASSERT_EQ(flush(context.get()), 0);
            EXPECT_TRUE(loans_.all_released_once());
            std::vector<double> scores = scores_of(context.get(), "psnr_cr", 0, kReads);
            EXPECT_GT(scores[0], 0);
            EXPECT_EQ(scores, expected.empty() ? scores : expected);
            expected = std::move(scores);
            set_time(VMAF_DOUBLE_AT_ONCE);
        }
}

TEST_F(ForeignSessions, KeepLoansUntilTheKernelsAreDoneAtTheClose)
{
    Context context = open(10, {"psnr", "motion"});
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    for (unsigned frame = 0; frame < 5; ++frame)
        ASSERT_EQ(read(context.get(), 10, frame, kP010), 0);
    const unsigned long before = driver_->works();
    for (std::size_t i = 0; i < loans_.count(); ++i)
        loans_[i].on_release = [this, frame = i / 2] {
            EXPECT_GT(work_named(*driver_, "vmaf_normalise_16bit").size(), frame) << "what reads it has not run";
        };
    context.reset();
    EXPECT_GT(driver_->works(), before);
    EXPECT_TRUE(loans_.all_released_once());
}

TEST_F(ForeignSessions, ReadSurfacesWhereTheyLie)
{
    struct Case {
        unsigned bits;
        const Lending &lending;
        const char *feature;
        std::size_t normalised_planes; ///< number in a picture pair
        bool in_device_memory = true;
    };
    const Case cases[] = {
        {8, kPlanar, "psnr", 0},        {10, kPlanar, "psnr", 0},        {8, kNv12, "motion", 0},
        {8, kNv12, "vif", 0},           {8, kNv12, "psnr", 4},           {10, kP010, "motion", 1},
        {10, kP010, "vif", 2},          {10, kP010, "psnr", 6},          {8, kNv12, "vif", 0, false},
        {8, kPlanar, "psnr", 0, false}, {10, kP010, "motion", 1, false}, {8, kNv12, "psnr", 4, false},
    };
    for (const Case &tested : cases) {
        static std::atomic<std::size_t> planes;
        planes = 0;
        const auto count = [](const VmafDoubleLaunch *launch, void *) {
            const auto &params = *static_cast<const NormaliseParams *>(launch->params[0]);
            for (unsigned job = 0; job < launch->grid[1]; ++job)
                planes += (params.jobs[job].to[0] != nullptr ? 1 : 0) + (params.jobs[job].to[1] != nullptr ? 1 : 0);
        };
        const std::size_t bytes = sizeof(NormaliseParams);
        for (const char *kernel : {"vmaf_normalise_8bit", "vmaf_normalise_16bit"})
            ASSERT_EQ(driver_->on_kernel(kernel, &bytes, 1, count, nullptr), 0);
        const Context context = open(tested.bits, {tested.feature});
        const unsigned long copies = work_named(*driver_, "cuMemcpy2DAsync_v2").size();
        for (unsigned frame = 0; frame < kFrames; ++frame)
            ASSERT_EQ(read(context.get(), tested.bits, frame, tested.lending, tested.in_device_memory), 0);
        ASSERT_EQ(flush(context.get()), 0);
        EXPECT_EQ(planes, kFrames * tested.normalised_planes)
            << tested.lending.name << ", " << tested.feature << ", " << tested.in_device_memory;
        if (tested.in_device_memory) {
            EXPECT_EQ(work_named(*driver_, "cuMemcpy2DAsync_v2").size(), copies) << "nothing is copied";
        }
    }
}

// Only planes that some feature reads, each once, in the layout of the client.
TEST_F(ForeignSessions, ScaleOnlyWhatIsRead)
{
    for (const auto &[feature, planes] : {std::pair{"motion", 1U}, {"vif", 2U}, {"psnr", 6U}})
        for (const bool in_device_memory : {true, false}) {
            static std::atomic<std::size_t> scaled;
            scaled = 0;
            const auto count = [](const VmafDoubleLaunch *launch, void *) {
                scaled += launch->grid[1];
                const auto &params = *static_cast<const ScaleParams *>(launch->params[0]);
                for (unsigned job = 0; job < launch->grid[1]; ++job)
                    EXPECT_EQ(params.jobs[job].from_height_px, params.jobs[job].step == 1 ? 48 : 24);
            };
            const std::size_t bytes = sizeof(ScaleParams);
            ASSERT_EQ(driver_->on_kernel("vmaf_scale_across_16bit", &bytes, 1, count, nullptr), 0);
            const Context context = open(10, {feature});
            for (unsigned frame = 0; frame < kFrames; ++frame)
                ASSERT_EQ(read(context.get(), 10, frame, kScaled, in_device_memory), 0);
            ASSERT_EQ(flush(context.get()), 0);
            EXPECT_EQ(scaled, std::size_t{kFrames} * planes) << feature << ", " << in_device_memory;
        }
}

// If later frames look back at a picture, its planes are still normalised only once.
TEST_F(ForeignSessions, LaunchOnceAFrame)
{
    for (const Lending *lending : {&kP010, &kScaled}) {
        const Context context = open(10, {"psnr", "motion"});
        for (unsigned frame = 0; frame < kFrames; ++frame)
            ASSERT_EQ(read(context.get(), 10, frame, *lending), 0);
        ASSERT_EQ(flush(context.get()), 0);
    }
    EXPECT_EQ(work_named(*driver_, "vmaf_normalise_16bit").size(), kFrames);
    EXPECT_EQ(work_named(*driver_, "vmaf_scale_across_16bit").size(), kFrames);
    EXPECT_EQ(work_named(*driver_, "vmaf_scale_down_16bit").size(), kFrames);
}

// Memory for normalising is used again.
TEST_F(ForeignSessions, TakeNoMemoryOnceTheSessionHasGotGoing)
{
    for (const auto &[lending, in_device_memory] :
         {std::pair{&kP010, true}, {&kP010, false}, {&kScaled, true}, {&kScaled, false}}) {
        loans_ = {};
        const Context context = open(10, {"psnr", "motion"});
        const auto read_frames = [&, lending = lending, in_device_memory = in_device_memory](unsigned first,
                                                                                             unsigned end) {
            for (unsigned frame = first; frame < end; ++frame)
                ASSERT_EQ(read(context.get(), 10, frame, *lending, in_device_memory), 0);
        };
        read_frames(0, 40);
        driver_->mark();
        read_frames(40, 80);
        const unsigned long clients = in_device_memory ? 2UL * 40 * 2 : 0; // two planes a loan
        EXPECT_EQ(driver_->made(VMAF_DOUBLE_DEVICE_MEMORY), clients);
        EXPECT_EQ(driver_->made(VMAF_DOUBLE_PINNED_MEMORY), 0U);
        ASSERT_EQ(flush(context.get()), 0);
    }
}

TEST_F(ForeignSessions, RefuseMemoryOfAnotherCudaContext)
{
    const Context context = open(8, {"psnr"});
    CUcontext other = nullptr, popped = nullptr;
    CUdeviceptr memory = 0;
    ASSERT_EQ(client_->cuda().cuCtxCreate(&other, 0, 0), CUDA_SUCCESS);
    ASSERT_EQ(client_->cuda().cuMemAlloc(&memory, 64 * 48 * 2), CUDA_SUCCESS);
    ASSERT_EQ(client_->cuda().cuCtxPopCurrent(&popped), CUDA_SUCCESS);
    for (const Lending *lending : {&kPlanar, &kNv12})
        for (unsigned plane = 0; plane < (lending == &kNv12 ? 2U : 3U); ++plane) {
            Loan &loan = lend(8, Side::ref, 0, *lending);
            void *const own = std::exchange(loan.foreign().data[plane], reinterpret_cast<void *>(memory));
            VmafPicture picture{};
            EXPECT_EQ(vmaf_picture_wrap(context.get(), &picture, &loan.foreign()), -EINVAL) << plane;
            EXPECT_EQ(picture.ref, nullptr);
            EXPECT_EQ(loan.releases(), 0U);
            loan.foreign().data[plane] = own;
            picture = wrap(context.get(), loan);
            EXPECT_EQ(vmaf_picture_unref(&picture), 0);
        }
    {
        const ClientContext current(*client_, other);
        EXPECT_EQ(client_->cuda().cuMemFree(memory), CUDA_SUCCESS);
    }
    EXPECT_EQ(client_->cuda().cuCtxDestroy(other), CUDA_SUCCESS);
}

TEST_F(ForeignSessions, GoToEverySessionOfTheirCudaContextAndNoOther)
{
    const Context lender = open(8, {"psnr"}), same = open(8, {"psnr"}), cpu = open_context(0);
    ASSERT_EQ(use_feature(cpu.get(), "psnr"), 0);
    VmafPicture ref = wrap(lender.get(), lend(8, Side::ref, 0, kNv12));
    VmafPicture dis = wrap(lender.get(), lend(8, Side::dis, 0, kNv12));
    EXPECT_EQ(vmaf_read_pictures(cpu.get(), &ref, &dis, 0), -EINVAL);
    EXPECT_EQ(loans_.released(0), 2U);
    ASSERT_EQ(vmaf_read_pictures(same.get(), &ref, &dis, 0), 0);
    ASSERT_EQ(flush(same.get()), 0);
    EXPECT_TRUE(loans_.all_released_once());
    EXPECT_EQ(scores_of(same.get(), "psnr_cb", 0, 1), expected_scores(8, {"psnr"}, "psnr_cb", 1));
}

TEST_F(ForeignSessions, AreNotMixedWithHostMemory)
{
    const Context context = open(8, {"psnr"});
    VmafPicture ref = wrap(context.get(), lend(8, Side::ref, 0, kNv12));
    VmafPicture dis = wrap(context.get(), lend(8, Side::dis, 0, kNv12, false));
    EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_picture_unref(&ref), 0);
    EXPECT_EQ(vmaf_picture_unref(&dis), 0);
    EXPECT_EQ(read(context.get(), 8, 0, kNv12), 0);
    EXPECT_EQ(read(context.get(), 8, 1, kNv12, false), -EINVAL);
    EXPECT_EQ(flush(context.get()), 0);
    EXPECT_TRUE(loans_.all_released_once());
}

TEST_F(ForeignSessions, AreNotKeptIfTheDriverFailsInTheWrap)
{
    const Context context = open(8, {"psnr"});
    Loan &loan = lend(8, Side::ref, 0, kNv12);
    for (const auto &[result, error] : {std::pair{2, -ENOMEM}, std::pair{999, -EIO}})
        for (unsigned long call = 1; call <= 4; ++call) { // push, the memory of two planes, the module
            VmafPicture picture{};
            driver_->fail(call, result, VMAF_DOUBLE_ONCE, nullptr);
            EXPECT_EQ(vmaf_picture_wrap(context.get(), &picture, &loan.foreign()), error) << call;
            EXPECT_EQ(picture.ref, nullptr);
            driver_->heal();
        }
    EXPECT_EQ(loan.releases(), 0U);
    VmafPicture picture = wrap(context.get(), loan);
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_TRUE(loans_.all_released_once());
}

// A picture that outlives its session is the client's memory. It needs nothing of the driver.
TEST_F(ForeignSessions, OutliveTheirSessionWithoutTheDriver)
{
    Context context = open(8, {"psnr"});
    VmafPicture picture = wrap(context.get(), lend(8, Side::ref, 0, kNv12));
    context.reset();
    const unsigned long calls = driver_->calls();
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(driver_->calls(), calls);
    EXPECT_TRUE(loans_.all_released_once());
}

class MapsOfDevicePictures : public ForeignSessions {
  protected:
    /// Sums the luma of both pictures, which are given up. @return the values; none on `error`.
    static std::vector<float> map_of(const char *feature, VmafPicture ref, VmafPicture dis, int error = 0)
    {
        VmafMap *map = nullptr;
        EXPECT_EQ(vmaf_map_create(&map, feature, nullptr, &ref, &dis), error) << feature;
        std::vector<float> values;
        for (unsigned y = 0; map != nullptr && y < map->h; ++y) {
            const auto *const row = reinterpret_cast<const float *>(reinterpret_cast<const std::byte *>(map->data) +
                                                                    static_cast<std::ptrdiff_t>(y) * map->stride);
            values.insert(values.end(), row, row + map->w);
        }
        vmaf_map_destroy(map);
        EXPECT_EQ(vmaf_picture_unref(&ref), 0);
        EXPECT_EQ(vmaf_picture_unref(&dis), 0);
        return values;
    }
    std::vector<float> map_of_loans(VmafContext *vmaf, const char *feature, unsigned bits, const Lending &lending,
                                    bool in_device_memory)
    {
        const VmafPicture ref = wrap(vmaf, lend(bits, Side::ref, 1, lending, in_device_memory));
        return map_of(feature, ref, wrap(vmaf, lend(bits, Side::dis, 1, lending, in_device_memory)));
    }
};

TEST_F(MapsOfDevicePictures, AreThoseOfTheSamplesInHostMemory)
{
    for (const char *feature : {"psnr", "butteraugli"}) // luma alone, all planes
        for (const auto &[bits, lending] :
             {std::pair{8U, &kPlanar}, {10U, &kPlanar}, {8U, &kNv12}, {10U, &kP010}, {10U, &kScaled}}) {
            const Context context = open(bits, {"psnr"});
            const std::vector<float> expected = map_of_loans(context.get(), feature, bits, *lending, false);
            EXPECT_FALSE(expected.empty());
            EXPECT_EQ(map_of_loans(context.get(), feature, bits, *lending, true), expected) << lending->name;
            EXPECT_TRUE(loans_.all_released_once());
        }
}

TEST_F(MapsOfDevicePictures, ComeAfterTheClientsWorkInTheirStream)
{
    const Context context = open(8, {"psnr"});
    const std::vector<float> expected = map_of_loans(context.get(), "psnr", 8, kNv12, false);
    CUstream stream = nullptr;
    {
        const ClientContext current(*client_);
        ASSERT_EQ(client_->cuda().cuStreamCreate(&stream, 1), CUDA_SUCCESS);
    }
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    auto &ref = dynamic_cast<DeviceLoan &>(lend(8, Side::ref, 1, kNv12));
    auto &dis = dynamic_cast<DeviceLoan &>(lend(8, Side::dis, 1, kNv12));
    ref.decode_in(stream);
    dis.decode_in(stream);
    const VmafPicture wrapped = wrap(context.get(), ref);
    EXPECT_EQ(map_of("psnr", wrapped, wrap(context.get(), dis)), expected);
    set_time(VMAF_DOUBLE_AT_ONCE);
    const ClientContext current(*client_);
    EXPECT_EQ(client_->cuda().cuStreamDestroy(stream), CUDA_SUCCESS);
}

TEST_F(MapsOfDevicePictures, AreMadeOfAPoolsToo)
{
    const Clip &clip = clip_of(8);
    VmafConfiguration config{};
    config.log_level = VMAF_LOG_LEVEL_ERROR;
    Context context = open_on_device(clip, Feeding::device, config);
    VmafPicture pictures[2] = {};
    for (const Side side : {Side::ref, Side::dis}) {
        VmafPicture &picture = pictures[side == Side::dis];
        ASSERT_EQ(client_->make(context.get(), picture, clip, side, 1, Feeding::device), 0);
    }
    const Context other = open(8, {"psnr"}, config);
    const std::vector<float> expected = map_of_loans(other.get(), "butteraugli", 8, kPlanar, false);
    EXPECT_EQ(map_of("butteraugli", pictures[0], pictures[1]), expected);

    for (VmafPicture &picture : pictures)
        ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context.get(), &picture), 0);
    context.reset();
    const std::vector<std::string> errors =
        lines_at("ERROR", log_of([&] { map_of("psnr", pictures[0], pictures[1], -EINVAL); }));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].find("the picture's samples are gone"), std::string::npos) << errors[0];
}

TEST_F(MapsOfDevicePictures, FailAsTheDriverDoes)
{
    const Context context = open(8, {"psnr"});
    const std::vector<float> expected = map_of_loans(context.get(), "butteraugli", 8, kNv12, true);
    for (const auto &[result, error] : {std::pair{2, -ENOMEM}, std::pair{999, -EIO}}) {
        const unsigned long before = driver_->calls();
        map_of_loans(context.get(), "butteraugli", 8, kNv12, true);
        const unsigned long calls = driver_->calls() - before;
        unsigned failures = 0;
        for (unsigned long call = 1; call <= calls; ++call) {
            const VmafPicture ref = wrap(context.get(), lend(8, Side::ref, 1, kNv12));
            const VmafPicture dis = wrap(context.get(), lend(8, Side::dis, 1, kNv12));
            driver_->fail(call, result, VMAF_DOUBLE_ONCE, nullptr);
            const unsigned long first = driver_->calls();
            VmafPicture ref_again = ref, dis_again = dis;
            VmafMap *map = nullptr;
            const int got = vmaf_map_create(&map, "butteraugli", nullptr, &ref_again, &dis_again);
            const bool was_reached = driver_->calls() - first >= call;
            driver_->heal();
            EXPECT_EQ(got == 0, map != nullptr);
            if (got != 0) {
                EXPECT_EQ(got, error) << call;
                ++failures;
            }
            vmaf_map_destroy(map);
            EXPECT_EQ(vmaf_picture_unref(&ref_again), 0);
            EXPECT_EQ(vmaf_picture_unref(&dis_again), 0);
            if (!was_reached)
                break;
        }
        EXPECT_GE(failures, 8U) << "two pictures: context, push, two copies, synchronise";
        EXPECT_TRUE(loans_.all_released_once());
    }
    EXPECT_EQ(map_of_loans(context.get(), "butteraugli", 8, kNv12, true), expected);
}

class ForeignStreams : public ForeignSessions, public testing::WithParamInterface<VmafDoubleTime> {
  protected:
    void SetUp() override
    {
        ForeignSessions::SetUp();
        const ClientContext current(*client_);
        for (CUstream &stream : streams_)
            ASSERT_EQ(client_->cuda().cuStreamCreate(&stream, 1), CUDA_SUCCESS);
    }
    void TearDown() override
    {
        {
            const ClientContext current(*client_);
            for (const CUstream stream : streams_)
                EXPECT_EQ(client_->cuda().cuStreamDestroy(stream), CUDA_SUCCESS);
        }
        ForeignSessions::TearDown();
    }
    /// Wraps a frame whose samples are written by work in `stream`.
    VmafPicture decode(VmafContext *vmaf, Side side, unsigned frame, CUstream stream)
    {
        auto &loan = static_cast<DeviceLoan &>(lend(10, side, frame, frame % 2 == 0 ? kP010 : kPlanar));
        loan.decode_in(stream);
        return wrap(vmaf, loan);
    }

    CUstream streams_[2] = {};
};

// Two decoders have one stream each. The default stream waits for neither.
TEST_P(ForeignStreams, ComeBeforeTheLibrarysReading)
{
    const std::vector<double> expected = expected_scores(10, {"psnr", "motion"}, "psnr_cb", kFrames);
    const Context context = open(10, {"psnr", "motion"});
    ASSERT_EQ(read(context.get(), 10, 0, kP010), 0); // loads modules, which waits for all work
    set_time(GetParam());
    const unsigned long before = driver_->works();
    for (unsigned frame = 1; frame < kFrames; ++frame) {
        VmafPicture ref = decode(context.get(), Side::ref, frame, streams_[0]);
        VmafPicture dis = decode(context.get(), Side::dis, frame, streams_[1]);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    EXPECT_GT(driver_->pending(), 0U) << "the reads waited for nothing";
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    ASSERT_EQ(flush(context.get()), 0);
    EXPECT_EQ(scores_of(context.get(), "psnr_cb", 0, kFrames), expected);
    EXPECT_TRUE(loans_.all_released_once());
    // It might run in this order by chance, too. It must.
    const std::vector<RanWork> copies = ran_work(*driver_, [&](const RanWork &work) {
        return work.number >= before && work.kind == VMAF_DOUBLE_COPY &&
               work.name == std::string_view("cuMemcpyHtoDAsync_v2");
    });
    const std::vector<RanWork> kernels = work_named(*driver_, "vmaf_psnr_sse_16bit");
    ASSERT_EQ(copies.size(), (kFrames / 2 - 1) * 4 + (kFrames / 2) * 6);
    for (const RanWork &copy : copies)
        EXPECT_TRUE(driver_->ordered(copy.number, kernels.back().number));
}

INSTANTIATE_TEST_SUITE_P(All, ForeignStreams, testing::Values(VMAF_DOUBLE_HELD, VMAF_DOUBLE_ON_SYNCHRONISE));

// The frame is refused and remembered, and nobody waited for its stream (spec motion 4).
TEST_F(ForeignStreams, OfARefusedPairComeBeforeTheReadingOfTheNextFrame)
{
    double expected = -1;
    for (const bool is_late : {false, true}) {
        const Context context = open(10, {"motion"});
        set_time(is_late ? VMAF_DOUBLE_ON_SYNCHRONISE : VMAF_DOUBLE_AT_ONCE);
        VmafPicture ref = decode(context.get(), Side::ref, 3, streams_[0]);
        VmafPicture dis = decode(context.get(), Side::dis, 3, streams_[0]);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 7), -EINVAL);
        EXPECT_EQ(vmaf_picture_unref(&ref), 0);
        EXPECT_EQ(vmaf_picture_unref(&dis), 0);
        ref = decode(context.get(), Side::ref, 4, streams_[1]);
        dis = decode(context.get(), Side::dis, 4, streams_[1]);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 8), 0);
        EXPECT_EQ(flush(context.get()), 0);
        double score = -1;
        EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_integer_feature_motion_sad_score", &score, 8), 0);
        EXPECT_TRUE(!is_late || score == expected) << score << ", expected " << expected;
        EXPECT_GT(score, 0);
        expected = score;
        set_time(VMAF_DOUBLE_AT_ONCE);
    }
    EXPECT_TRUE(loans_.all_released_once());
}

/// How many surfaces of a pool a client can have in use, and how many it had.
class SurfacePool {
  public:
    explicit SurfacePool(unsigned count) : free_(count), lowest_(count) {}
    bool take()
    {
        const std::lock_guard lock(mutex_);
        if (free_ == 0)
            return false;
        lowest_ = std::min(lowest_, --free_);
        return true;
    }
    void give_back()
    {
        const std::lock_guard lock(mutex_);
        ++free_;
    }
    unsigned lowest() const { return lowest_; }

  private:
    std::mutex mutex_;
    unsigned free_, lowest_;
};

struct HeldCase {
    const char *name;
    std::vector<const char *> features;
    unsigned n_threads, n_subsample, gpumask;
    bool in_device_memory;
    VmafDoubleTime time;
    bool uses_all; ///< whether it is known to need the last one too
};
void PrintTo(const HeldCase &tested, std::ostream *out)
{
    *out << tested.name;
}

class DeviceFramesHeld : public ForeignSessions, public testing::WithParamInterface<HeldCase> {};

TEST_P(DeviceFramesHeld, AreEnoughForAClientThatNeverWaits)
{
    const HeldCase &tested = GetParam();
    VmafConfiguration config{};
    config.n_threads = tested.n_threads;
    config.n_subsample = tested.n_subsample;
    config.gpumask = tested.gpumask;
    unsigned counts[2] = {};
    {
        const Context context = open(10, tested.features, config);
        ASSERT_EQ(vmaf_frames_held(context.get(), &counts[0], &counts[1]), 0);
    }
    SurfacePool pools[2] = {SurfacePool(counts[0]), SurfacePool(counts[1])};
    {
        const Context context = open(10, tested.features, config);
        set_time(tested.time);
        for (unsigned frame = 0; frame < 120; ++frame) {
            VmafPicture pair[2] = {};
            for (const Side side : {Side::ref, Side::dis}) {
                const unsigned which = side == Side::dis ? 1 : 0;
                ASSERT_TRUE(pools[which].take()) << "frame " << frame << ", " << counts[which] << " surfaces";
                Loan &loan = lend(10, side, frame, frame % 3 == 0 ? kPlanar : kP010, tested.in_device_memory);
                loan.on_release = [pool = &pools[which]] { pool->give_back(); };
                pair[which] = wrap(context.get(), loan);
            }
            ASSERT_EQ(vmaf_read_pictures(context.get(), &pair[0], &pair[1], frame), 0);
        }
        ASSERT_EQ(flush(context.get()), 0);
        EXPECT_TRUE(loans_.all_released_once());
        set_time(VMAF_DOUBLE_AT_ONCE);
    }
    if (tested.uses_all) {
        EXPECT_EQ(pools[0].lowest(), 0U) << counts[0];
        EXPECT_EQ(pools[1].lowest(), 0U) << counts[1];
    }
}

constexpr auto kLate = VMAF_DOUBLE_ON_SYNCHRONISE, kSoon = VMAF_DOUBLE_AFTER_QUERIES, kAtOnce = VMAF_DOUBLE_AT_ONCE;
INSTANTIATE_TEST_SUITE_P(
    Of, DeviceFramesHeld,
    testing::Values(HeldCase{"psnr", {"psnr"}, 0, 0, 0, true, kLate, true},
                    HeldCase{"psnr_of_host_memory", {"psnr"}, 0, 0, 0, false, kLate, true},
                    HeldCase{"motion", {"motion"}, 0, 0, 0, true, kLate, true},
                    HeldCase{"motion_of_host_memory", {"motion"}, 0, 0, 0, false, kLate, true},
                    HeldCase{"motion_soon", {"motion", "psnr"}, 0, 0, 0, true, kSoon, false},
                    HeldCase{"motion_at_once", {"motion", "psnr"}, 0, 0, 0, true, kAtOnce, false},
                    HeldCase{"motion_and_psnr_subsampled", {"motion", "psnr"}, 0, 3, 0, true, kLate, false},
                    HeldCase{
                        "motion_on_both_sides", {"motion_cuda", "float_motion", "psnr"}, 3, 0, 1, true, kLate, false},
                    HeldCase{"subsampled_on_both_sides", {"motion_cuda", "psnr"}, 2, 2, 1, true, kSoon, false},
                    HeldCase{"on_the_cpu", {"float_motion", "psnr"}, 2, 0, 1, true, kLate, false},
                    HeldCase{"of_host_memory_on_the_cpu", {"float_motion", "psnr"}, 2, 0, 1, false, kLate, false}),
    [](const testing::TestParamInfo<HeldCase> &tested) { return std::string(tested.param.name); });

// A release callback runs without a lock, even in the thread that collects the device's results.
// Other threads can use the device meanwhile.
TEST_F(ForeignSessions, ComeBackUnderNoLock)
{
    for (const unsigned n_threads : {0U, 2U}) {
        loans_ = {};
        VmafConfiguration config = on_cpu_unless_demanded();
        config.n_threads = n_threads;
        const Context context = open(10, {"psnr_cuda", "motion_cuda", "float_motion"}, config);
        std::atomic<unsigned> looked{0};
        VmafForeignPicture spare = lend(10, Side::ref, 0, kP010).foreign();
        spare.release = [](void *) {}; // several threads lend it at once
        const auto use_the_device = [&] {
            if (HasFailure())
                return; // one wait is enough
            EXPECT_TRUE(gets_through([vmaf = context.get(), foreign = spare] {
                VmafPicture picture{};
                return vmaf_picture_wrap(vmaf, &picture, &foreign) == 0 && vmaf_picture_unref(&picture) == 0;
            }));
            ++looked;
        };
        for (unsigned frame = 0; frame < 30; ++frame) {
            VmafPicture pair[2] = {};
            for (const Side side : {Side::ref, Side::dis}) {
                Loan &loan = lend(10, side, frame, frame % 2 == 0 ? kP010 : kPlanar);
                loan.on_release = use_the_device;
                pair[side == Side::dis ? 1 : 0] = wrap(context.get(), loan);
            }
            ASSERT_EQ(vmaf_read_pictures(context.get(), &pair[0], &pair[1], frame), 0);
        }
        ASSERT_EQ(flush(context.get()), 0);
        EXPECT_EQ(looked, 60U);
    }
}

// Two sessions with a thread each, and a third thread that asks for scores.
TEST_F(ForeignSessions, ComeBackOnceBesideOtherThreads)
{
    std::atomic<unsigned> failures{0};
    const auto feed = [&](unsigned n_threads) {
        Loans loans;
        {
            VmafConfiguration config{};
            config.n_threads = n_threads;
            const Context context = open_on_device(clip_of(8), Feeding::plain_host, config);
            failures += use_feature(context.get(), "psnr") != 0 || use_feature(context.get(), "motion") != 0;
            std::atomic<unsigned> fed{0};
            std::thread asks([&] {
                for (unsigned frame = 0; frame < 40; ++frame) {
                    while (fed <= frame)
                        std::this_thread::yield();
                    failures += score_error(context.get(), "psnr_y", frame) != 0;
                }
            });
            for (unsigned frame = 0; frame < 40; ++frame) {
                VmafPicture pair[2] = {};
                for (const Side side : {Side::ref, Side::dis}) {
                    const Loan &loan = loans.add<DeviceLoan>(*client_, clip_of(8), side, frame % kFrames, kNv12);
                    failures +=
                        vmaf_picture_wrap(context.get(), &pair[side == Side::dis ? 1 : 0], &loan.foreign()) != 0;
                }
                failures += vmaf_read_pictures(context.get(), &pair[0], &pair[1], frame) != 0;
                ++fed;
            }
            asks.join();
            failures += flush(context.get()) != 0;
        }
        failures += loans.all_released_once() ? 0 : 1;
    };
    std::thread other([&] { feed(2); });
    feed(0);
    other.join();
    EXPECT_EQ(failures, 0U);
}

} // namespace
} // namespace vmaf::test
