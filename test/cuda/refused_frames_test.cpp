#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/cuda_client.h"

// Samples that a feature on the device refuses (spec cambi 3.2). Only that frame is lost, and the
// messages are the CPU's. Runs on a GPU, or on the driver double with device code that is compiled
// for the host.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 4, kRefused = 1, kBadRow = 77;
constexpr unsigned kBits = 10, kWidth = 230, kHeight = 120;
constexpr const char *kCambi = "Cambi_feature_cambi_score";

/// What a client sees of a session.
struct Session {
    std::vector<int> errors; ///< errors of the frames' scores
    std::vector<double> scores;
    int flush;
    std::string said;
};

VmafPicture picture(unsigned frame)
{
    VmafPicture made{};
    EXPECT_EQ(vmaf_picture_alloc(&made, VMAF_PIX_FMT_YUV400P, kBits, kWidth, kHeight), 0);
    for (unsigned y = 0; y < kHeight; ++y) {
        auto *row = reinterpret_cast<unsigned short *>(static_cast<char *>(made.data[0]) + y * made.stride[0]);
        for (unsigned x = 0; x < kWidth; ++x)
            row[x] = static_cast<unsigned short>(100 + (x + 2 * y + 10 * frame) / 40);
        if (frame == kRefused && y >= kBadRow)
            row[y] = static_cast<unsigned short>(1024 + y);
    }
    return made;
}

Session run(const CudaClient *client)
{
    VmafConfiguration config{};
    config.log_level = VMAF_LOG_LEVEL_ERROR;
    config.n_threads = 1; // otherwise the read itself refuses the frame, on the CPU
    VmafContext *opened = nullptr;
    EXPECT_EQ(vmaf_init(&opened, config), 0);
    const Context context(opened);
    if (client != nullptr) {
        EXPECT_EQ(client->attach(context.get(), ClipSpec{}, Feeding::plain_host), 0);
    }
    EXPECT_EQ(vmaf_use_feature(context.get(), "cambi", nullptr), 0);
    Session session{};
    testing::internal::CaptureStderr();
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref = picture(0), dis = picture(frame);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0) << frame;
    }
    session.flush = vmaf_read_pictures(context.get(), nullptr, nullptr, 0);
    session.said = testing::internal::GetCapturedStderr();
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        double score = -1;
        session.errors.push_back(vmaf_feature_score_at_index(context.get(), kCambi, &score, frame));
        session.scores.push_back(score);
    }
    return session;
}

TEST(RefusedFrames, OfTheDeviceAreThoseOfTheCpu)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    if (!client)
        GTEST_SKIP() << why;
    const Session cpu = run(nullptr), device = run(client.get());
    EXPECT_EQ(device.errors, (std::vector<int>{0, -EINVAL, 0, 0}));
    EXPECT_EQ(device.flush, -EINVAL);
    EXPECT_NE(device.said.find("frame 1: luma sample 1101 in row 77, largest for 10 bits is 1023"), std::string::npos)
        << device.said;
    EXPECT_GT(device.scores[0], 0);
    EXPECT_EQ(device.errors, cpu.errors);
    EXPECT_EQ(device.scores, cpu.scores);
    EXPECT_EQ(device.flush, cpu.flush);
    EXPECT_EQ(device.said, cpu.said);
}

} // namespace
} // namespace vmaf::test
