#include "cuda/device_loan.h"
#include "cuda/driver_sessions/fixture.h"

// Sums of luma over boxes (spec device_pictures 7) while the device is late, missing or failing: in
// which order work runs, when loans are released, and what is refused.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 6;
constexpr VmafLumaGrid kGrid{8, 6, 2};
const Lending kP010{"P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6},
    kScaled{"scaled P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6, 0, 0, 50, 61};

const Clip &clip()
{
    static const ClipSpec spec{"ten", 64, 48, 10, VMAF_PIX_FMT_YUV420P, kFrames, "", ""};
    static const Clip made(spec, [](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return (3 * x + 5 * y + 17 * frame + 53 * plane) % 200 + (side == Side::dis ? 1 + frame + (x ^ y) % 4 : 0);
    });
    return made;
}

/// Sums over boxes of 8 x 8 luma and 4 x 4 chroma samples, of every other line.
std::vector<std::uint32_t> expected_sums(unsigned frame, unsigned plane = 0)
{
    std::vector<std::uint32_t> sums;
    const PlaneView samples = clip().plane(Side::ref, frame, plane);
    const unsigned side = plane == 0 ? 8 : 4;
    for (unsigned row = 0; row < kGrid.rows; ++row)
        for (unsigned column = 0; column < kGrid.columns; ++column) {
            std::uint32_t sum = 0;
            for (unsigned y = 0; y < side; y += 2)
                for (unsigned x = 0; x < side; ++x)
                    sum += samples.row<std::uint16_t>(row * side + y)[column * side + x];
            sums.push_back(sum);
        }
    return sums;
}

class LumaBoxes : public DriverSessions {
  protected:
    struct Destroy {
        void operator()(VmafLumaBoxes *boxes) const { EXPECT_EQ(vmaf_luma_boxes_destroy(boxes), 0); }
    };
    using Boxes = std::unique_ptr<VmafLumaBoxes, Destroy>;

    void SetUp() override
    {
        DriverSessions::SetUp();
        const ClientContext current(*client_);
        ASSERT_EQ(client_->cuda().cuStreamCreate(&stream_, 1), CUDA_SUCCESS);
    }
    void TearDown() override
    {
        loans_ = {};
        {
            const ClientContext current(*client_);
            EXPECT_EQ(client_->cuda().cuStreamDestroy(stream_), CUDA_SUCCESS);
        }
        DriverSessions::TearDown();
    }

    Context open(const char *feature = "psnr")
    {
        Context context = open_on_device(clip(), Feeding::plain_host);
        EXPECT_EQ(use_feature(context.get(), feature), 0);
        return context;
    }
    static Boxes create(VmafContext *vmaf, unsigned slots = kFrames)
    {
        VmafLumaBoxes *boxes = nullptr;
        EXPECT_EQ(vmaf_luma_boxes_create(&boxes, vmaf, kGrid, slots), 0);
        return Boxes(boxes);
    }
    /// Wraps a frame whose samples are written by work in `stream_`.
    VmafPicture decode(VmafContext *vmaf, unsigned frame, const Lending &lending = kP010, Side side = Side::ref)
    {
        auto &loan = static_cast<DeviceLoan &>(loans_.add<DeviceLoan>(*client_, clip(), side, frame, lending));
        loan.decode_in(stream_);
        VmafPicture picture{};
        EXPECT_EQ(vmaf_picture_wrap(vmaf, &picture, &loan.foreign()), 0);
        return picture;
    }
    static std::vector<std::uint32_t> read(VmafLumaBoxes *boxes, unsigned slot)
    {
        std::vector<std::uint32_t> sums(std::size_t{kGrid.columns} * kGrid.rows);
        EXPECT_EQ(vmaf_luma_boxes_read(boxes, slot, sums.data()), 0);
        return sums;
    }

    CUstream stream_ = nullptr;
    Loans loans_;
};

TEST_F(LumaBoxes, ComeBetweenDecodingAndTheLibrarysReading)
{
    for (const VmafDoubleTime time : {VMAF_DOUBLE_HELD, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        loans_ = {};
        const Context context = open();
        const Boxes boxes = create(context.get());
        VmafPicture ref = decode(context.get(), 0), dis = decode(context.get(), 0, kP010, Side::dis);
        ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, 0), 0); // loads modules, which waits for all work
        const auto after = [this, before = driver_->works()](std::string_view name) {
            return ran_work(*driver_, [&](const RanWork &work) { return work.number >= before && work.name == name; });
        };
        set_time(time);
        for (unsigned frame = 1; frame < kFrames; ++frame) {
            ref = decode(context.get(), frame);
            dis = decode(context.get(), frame, kP010, Side::dis);
            ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &ref, 0, frame), 0);
            ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
        }
        EXPECT_TRUE(after("vmaf_luma_boxes_16bit").empty()) << "somebody waited";
        set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
        ASSERT_EQ(flush(context.get()), 0);
        EXPECT_TRUE(loans_.all_released_once());
        for (unsigned frame = 1; frame < kFrames; ++frame)
            EXPECT_EQ(read(boxes.get(), frame), expected_sums(frame));
        // It might run in this order by chance, too. It must.
        const std::vector<RanWork> sums = after("vmaf_luma_boxes_16bit"), reads = after("vmaf_normalise_16bit");
        ASSERT_EQ(sums.size(), kFrames - 1);
        ASSERT_EQ(reads.size(), kFrames - 1);
        for (std::size_t i = 0; i < sums.size(); ++i)
            EXPECT_TRUE(driver_->ordered(sums[i].number, reads[i].number));
        set_time(VMAF_DOUBLE_AT_ONCE);
    }
}

// If no session reads a picture, only its release can wait for the sums.
TEST_F(LumaBoxes, AreMadeBeforeAPictureComesBackUnread)
{
    for (const Lending *lending : {&kP010, &kScaled}) {
        loans_ = {};
        const Context context = open();
        const Boxes boxes = create(context.get());
        VmafPicture picture = decode(context.get(), 0, *lending);
        ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, 0, 0), 0);
        ASSERT_EQ(vmaf_picture_unref(&picture), 0);
        const std::vector<std::uint32_t> expected = read(boxes.get(), 0);
        for (const VmafDoubleTime time : {VMAF_DOUBLE_ON_SYNCHRONISE, VMAF_DOUBLE_AFTER_QUERIES}) {
            set_time(time, 2);
            const unsigned long made = work_named(*driver_, "vmaf_luma_boxes_16bit").size();
            picture = decode(context.get(), 0, *lending);
            ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, 0, 1), 0);
            EXPECT_EQ(work_named(*driver_, "vmaf_luma_boxes_16bit").size(), made);
            loans_[loans_.count() - 1].on_release = [&] {
                EXPECT_EQ(work_named(*driver_, "vmaf_luma_boxes_16bit").size(), made + 1) << "it still reads";
            };
            ASSERT_EQ(vmaf_picture_unref(&picture), 0);
            EXPECT_EQ(read(boxes.get(), 1), expected);
            set_time(VMAF_DOUBLE_AT_ONCE);
        }
        EXPECT_TRUE(loans_.all_released_once());
        if (lending == &kP010) {
            EXPECT_EQ(expected, expected_sums(0));
        }
    }
}

TEST_F(LumaBoxes, MayBeDestroyedBeforeTheirPicturesComeBack)
{
    Context context = open();
    Boxes boxes = create(context.get());
    VmafPicture pictures[2] = {decode(context.get(), 0), decode(context.get(), 1, kScaled)};
    set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
    for (unsigned i = 0; i < 2; ++i)
        ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &pictures[i], 0, i), 0);
    boxes.reset();
    EXPECT_EQ(work_named(*driver_, "vmaf_luma_boxes_16bit").size(), 2U);
    context.reset();
    const unsigned long calls = driver_->calls();
    for (VmafPicture &picture : pictures)
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(driver_->calls(), calls);
    EXPECT_TRUE(loans_.all_released_once());
}

// Frames of one decoder are scaled in the same memory, which grows.
TEST_F(LumaBoxes, OfScaledPicturesFollowEachOther)
{
    const Lending kSizes[] = {{"a", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6, 0, 0, 50, 61},
                              {"b", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6, 0, 0, 90, 80},
                              {"c", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6, 0, 0, 32, 24}};
    const Context context = open();
    std::vector<std::vector<std::uint32_t>> expected;
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        const Boxes boxes = create(context.get());
        set_time(time);
        std::vector<VmafPicture> pictures;
        for (unsigned i = 0; i < kFrames; ++i) {
            pictures.push_back(decode(context.get(), i, kSizes[i % 3]));
            ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &pictures.back(), 0, i), 0);
        }
        for (unsigned i = 0; i < kFrames; ++i) {
            const std::vector<std::uint32_t> sums = read(boxes.get(), i);
            if (time == VMAF_DOUBLE_AT_ONCE)
                expected.push_back(sums);
            EXPECT_EQ(sums, expected[i]);
        }
        for (VmafPicture &picture : pictures)
            EXPECT_EQ(vmaf_picture_unref(&picture), 0);
        set_time(VMAF_DOUBLE_AT_ONCE);
    }
    EXPECT_TRUE(loans_.all_released_once());
}

TEST_F(LumaBoxes, AreMadeOfEachPlane)
{
    const Lending kPlanar{"planar", VMAF_PLANE_LAYOUT_PLANAR, 0};
    const Context context = open();
    const Boxes boxes = create(context.get());
    for (const Lending *lending : {&kP010, &kPlanar}) {
        VmafPicture picture = decode(context.get(), 1, *lending);
        for (const unsigned plane : {2U, 0U, 1U})
            ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, plane, plane), 0);
        for (const unsigned plane : {0U, 1U, 2U})
            EXPECT_EQ(read(boxes.get(), plane), expected_sums(1, plane)) << plane;
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    }
}

TEST_F(LumaBoxes, RefuseWhatTheyCannotSum)
{
    const Context context = open(), cpu = open_context(0);
    VmafLumaBoxes *none = nullptr;
    EXPECT_EQ(vmaf_luma_boxes_create(nullptr, context.get(), kGrid, 1), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_create(&none, nullptr, kGrid, 1), -EINVAL);
    for (const VmafLumaGrid &grid : {VmafLumaGrid{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {65537, 1, 1}, {257, 256, 1}})
        EXPECT_EQ(vmaf_luma_boxes_create(&none, context.get(), grid, 1), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_create(&none, context.get(), kGrid, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_create(&none, context.get(), kGrid, 1025), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_create(&none, cpu.get(), kGrid, 1), -ENOSYS);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(vmaf_luma_boxes_destroy(nullptr), 0);
    for (const VmafLumaGrid &grid : {VmafLumaGrid{65536, 1, 1}, {256, 256, ~0U}}) {
        ASSERT_EQ(vmaf_luma_boxes_create(&none, context.get(), grid, 1), 0);
        EXPECT_EQ(vmaf_luma_boxes_destroy(none), 0);
    }

    const Boxes boxes = create(context.get(), 2);
    std::vector<std::uint32_t> sums(std::size_t{kGrid.columns} * kGrid.rows);
    VmafPicture picture = decode(context.get(), 0), empty{}, host{};
    ASSERT_EQ(vmaf_picture_alloc(&host, VMAF_PIX_FMT_YUV420P, 10, 64, 48), 0);
    EXPECT_EQ(vmaf_luma_boxes_add(nullptr, &picture, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), nullptr, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), &empty, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), &host, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, 0, 2), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, 3, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_read(boxes.get(), 0, sums.data()), -EINVAL);
    ASSERT_EQ(vmaf_luma_boxes_add(boxes.get(), &picture, 0, 0), 0);
    EXPECT_EQ(vmaf_luma_boxes_read(nullptr, 0, sums.data()), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_read(boxes.get(), 0, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_read(boxes.get(), 1, sums.data()), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_read(boxes.get(), 2, sums.data()), -EINVAL);
    EXPECT_EQ(read(boxes.get(), 0), expected_sums(0));

    Loan &lent_host = loans_.add<HostLoan>(clip(), Side::ref, 0U, kP010);
    VmafPicture wrapped{};
    ASSERT_EQ(vmaf_picture_wrap(context.get(), &wrapped, &lent_host.foreign()), 0);
    EXPECT_EQ(vmaf_luma_boxes_add(boxes.get(), &wrapped, 0, 0), -EINVAL);

    VmafLumaBoxes *large = nullptr;
    ASSERT_EQ(vmaf_luma_boxes_create(&large, context.get(), {1, 1, 1}, 1), 0);
    Lending wide = kP010;
    wide.scaled_w = 4096;
    wide.scaled_h = 1024;
    VmafPicture scaled = decode(context.get(), 0, wide);
    EXPECT_EQ(vmaf_luma_boxes_add(large, &scaled, 0, 0), 0) << "2^22 samples of 10 bits";
    EXPECT_EQ(vmaf_luma_boxes_destroy(large), 0);
    EXPECT_EQ(vmaf_picture_unref(&scaled), 0);
    wide.scaled_h = 1026;
    scaled = decode(context.get(), 0, wide);
    ASSERT_EQ(vmaf_luma_boxes_create(&large, context.get(), {1, 1, 1}, 1), 0);
    EXPECT_EQ(vmaf_luma_boxes_add(large, &scaled, 0, 0), -EINVAL);
    EXPECT_EQ(vmaf_luma_boxes_destroy(large), 0);
    for (VmafPicture *given : {&picture, &host, &wrapped, &scaled})
        EXPECT_EQ(vmaf_picture_unref(given), 0);
}

// Each driver call fails in turn. A failed call leaves the slot empty and the picture as it was.
TEST_F(LumaBoxes, AreMadeOnceTheDriverWorksAgain)
{
    const Context context = open();
    for (const auto &[result, error] : {std::pair{2, -ENOMEM}, std::pair{999, -EIO}}) {
        const auto retried = [&, result = result, error = error](auto &&call) {
            for (unsigned long k = 1;; ++k) {
                driver_->fail(k, result, VMAF_DOUBLE_ONCE, nullptr);
                const int got = call();
                const bool has_failed = got != 0;
                driver_->heal();
                if (!has_failed)
                    return k;
                EXPECT_EQ(got, error) << k;
                EXPECT_LT(k, 100U);
            }
        };
        VmafLumaBoxes *raw = nullptr;
        EXPECT_GT(retried([&] { return vmaf_luma_boxes_create(&raw, context.get(), kGrid, 2); }), 8U);
        Boxes boxes(raw);
        for (const Lending *lending : {&kP010, &kScaled}) {
            VmafPicture picture = decode(context.get(), 0, *lending);
            set_time(VMAF_DOUBLE_ON_SYNCHRONISE);
            std::vector<std::uint32_t> sums(std::size_t{kGrid.columns} * kGrid.rows);
            EXPECT_GT(retried([&] {
                          const int got = vmaf_luma_boxes_add(boxes.get(), &picture, 0, 0);
                          if (got != 0) {
                              EXPECT_EQ(vmaf_luma_boxes_read(boxes.get(), 0, sums.data()), -EINVAL);
                              EXPECT_EQ(driver_->pending(), 0U) << "something still reads the picture";
                          }
                          return got;
                      }),
                      4U);
            EXPECT_GT(retried([&] { return vmaf_luma_boxes_read(boxes.get(), 0, sums.data()); }), 2U);
            if (lending == &kP010) {
                EXPECT_EQ(sums, expected_sums(0));
            }
            EXPECT_EQ(vmaf_picture_unref(&picture), 0);
            set_time(VMAF_DOUBLE_AT_ONCE);
        }
        driver_->fail(1, result, VMAF_DOUBLE_ONCE, "cuMemFree_v2");
        EXPECT_EQ(vmaf_luma_boxes_destroy(boxes.release()), error);
        driver_->heal();
    }
    EXPECT_TRUE(loans_.all_released_once());
}

} // namespace
} // namespace vmaf::test
