#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/cuda_sessions.h"
#include "cuda/device_loan.h"
#include "support/scaling.h"

// Pictures of planes that a client lends (spec device_pictures 2) to sessions on the GPU, in host
// and in device memory. They have the scores of library pictures with the same samples, to the last
// bit, and each loan is released once. Runs on a GPU, or on the driver double with device code that
// is compiled for the host.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 3;

ClipSpec clip_spec(VmafPixelFormat pix_fmt, unsigned bits, unsigned width, unsigned height)
{
    return {"foreign", width, height, bits, pix_fmt, kFrames, "", ""};
}

Clip textured_clip(const ClipSpec &spec)
{
    return Clip(spec, [&spec](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        const unsigned hash = (x * 2654435761U ^ y * 40503U ^ frame * 977U ^ plane * 131071U) * 2246822519U;
        const unsigned change = side == Side::dis ? hash >> 29 : 0;
        const unsigned smooth = (5 * x + 3 * y + 11 * frame) * (1U << spec.bits) / 4096;
        return (smooth + (hash >> 20) % 9 + change) & ((1U << spec.bits) - 1);
    });
}

/// Where a session's features run, and with which pictures it is fed.
struct Where {
    const char *name;
    bool in_device_memory;
    unsigned gpumask; ///< 1: only features whose names demand it run on the device
    unsigned n_threads;
    std::vector<const char *> features;
    std::vector<const char *> outputs;
};
void PrintTo(const Where &where, std::ostream *out)
{
    *out << where.name;
}

// These features read every plane, look back, or have kernels that load in tiles.
const std::vector<const char *> kFeatures{"psnr", "motion", "vif", "ssimulacra2"};
const std::vector<const char *> kOutputs{"psnr_y",
                                         "psnr_cb",
                                         "psnr_cr",
                                         "VMAF_integer_feature_motion2_score",
                                         "VMAF_integer_feature_vif_scale0_score",
                                         "VMAF_integer_feature_vif_scale3_score",
                                         "ssimulacra2"};
// Features that read some planes of both sides.
const std::vector<const char *> kMixed{"psnr", "motion_cuda", "float_motion", "ssimulacra2_cuda"};
const std::vector<const char *> kMixedOutputs{
    "psnr_y", "psnr_cb", "psnr_cr", "VMAF_integer_feature_motion2_score", "VMAF_feature_motion2_score", "ssimulacra2"};

class ForeignPicturesCuda : public CudaSessions, public testing::WithParamInterface<Where> {
  protected:
    Context open(const Clip &clip) const
    {
        VmafConfiguration config{};
        config.gpumask = GetParam().gpumask;
        config.n_threads = GetParam().n_threads;
        VmafContext *raw = nullptr;
        EXPECT_EQ(vmaf_init(&raw, config), 0);
        Context context(raw);
        EXPECT_EQ(client_->attach(raw, clip.spec(), Feeding::device), 0);
        for (const char *feature : GetParam().features)
            EXPECT_EQ(vmaf_use_feature(raw, feature, nullptr), 0) << feature;
        return context;
    }

    /// A picture of the clip, lent as `lending` says; the library's own if that is null.
    VmafPicture picture(VmafContext *vmaf, Loans &loans, const Clip &clip, Side side, unsigned frame,
                        const Lending *lending) const
    {
        VmafPicture made{};
        const Feeding feeding = GetParam().in_device_memory ? Feeding::device : Feeding::plain_host;
        if (lending == nullptr) {
            EXPECT_EQ(client_->make(vmaf, made, clip, side, frame, feeding), 0);
            return made;
        }
        Loan &loan = GetParam().in_device_memory ? loans.add<DeviceLoan>(*client_, clip, side, frame, *lending)
                                                 : loans.add<HostLoan>(clip, side, frame, *lending);
        EXPECT_EQ(vmaf_picture_wrap(vmaf, &made, &loan.foreign()), 0);
        return made;
    }

    /// All scores of a session. `lend(Side, frame)` says how pictures are lent. Null: they are the
    /// library's, from `own`, which has the size that is scored.
    template <class Lend> std::vector<double> scores_of_lent(const Clip &clip, const Clip &own, Lend &&lend) const
    {
        Loans loans;
        std::vector<double> scores;
        {
            const Context context = open(own);
            const auto made = [&](Side side, unsigned frame) {
                const Lending *const lending = lend(side, frame);
                return picture(context.get(), loans, lending != nullptr ? clip : own, side, frame, lending);
            };
            for (unsigned frame = 0; frame < kFrames; ++frame) {
                VmafPicture ref = made(Side::ref, frame), dis = made(Side::dis, frame);
                EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
            }
            EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
            EXPECT_TRUE(loans.all_released_once()) << loans.released(1) << " of " << loans.count() << " at the flush";
            for (const char *name : GetParam().outputs)
                for (unsigned frame = 0; frame < kFrames; ++frame) {
                    scores.push_back(-1);
                    EXPECT_EQ(vmaf_feature_score_at_index(context.get(), name, &scores.back(), frame), 0) << name;
                }
        }
        EXPECT_TRUE(loans.all_released_once());
        return scores;
    }
    template <class Lend> std::vector<double> scores_of_lent(const Clip &clip, Lend &&lend) const
    {
        return scores_of_lent(clip, clip, lend);
    }
    std::vector<double> scores_of_own(const Clip &clip) const
    {
        return scores_of_lent(clip, [](Side, unsigned) -> const Lending * { return nullptr; });
    }

    void expect_own_scores(const ClipSpec &spec) const
    {
        const Clip clip = textured_clip(spec);
        const std::vector<double> expected = scores_of_own(clip);
        for (const Lending &lending : lendings(spec.bits, true))
            EXPECT_EQ(scores_of_lent(clip, [&](Side, unsigned) { return &lending; }), expected)
                << lending.name << ", " << spec.bits << " bits, format " << spec.pix_fmt;
    }

    /// Expects the scores of pictures that were scaled by hand. Some runs lend only part of them.
    void expect_scaled_scores(const ClipSpec &spec, unsigned width, unsigned height) const
    {
        const ClipSpec scaled_spec{"scaled", width, height, spec.bits, spec.pix_fmt, kFrames, "", ""};
        const Clip clip = textured_clip(spec), by_hand = scaled_clip(clip, scaled_spec);
        const std::vector<double> expected = scores_of_own(by_hand);
        for (const Lending &lending : lendings(spec.bits, true)) {
            const Lending scaled = lending.scaled_to(scaled_spec);
            EXPECT_EQ(scores_of_lent(clip, by_hand, [&](Side, unsigned) { return &scaled; }), expected)
                << lending.name << ", " << spec.bits << " bits to " << width << "x" << height;
            EXPECT_EQ(scores_of_lent(clip, by_hand,
                                     [&](Side side, unsigned frame) {
                                         return side == Side::dis || frame % 2 == 1 ? &scaled : nullptr;
                                     }),
                      expected)
                << lending.name << ", " << spec.bits << " bits to " << width << "x" << height;
        }
    }
};

// Samples of one and of two bytes use one launch, raised and unchanged.
TEST_P(ForeignPicturesCuda, AreRaisedToTheDepthThatIsScored)
{
    for (const auto &[bits, scored_bits, pix_fmt] : {std::tuple{8U, 10U, VMAF_PIX_FMT_YUV420P},
                                                     {8U, 16U, VMAF_PIX_FMT_YUV444P},
                                                     {10U, 12U, VMAF_PIX_FMT_YUV422P}}) {
        const ClipSpec spec = clip_spec(pix_fmt, bits, 75, 38), raised_spec = clip_spec(pix_fmt, scored_bits, 75, 38),
                       scaled_spec = clip_spec(pix_fmt, scored_bits, 50, 68);
        const Clip clip = textured_clip(spec), raised = raised_clip(clip, raised_spec),
                   scaled = scaled_clip(raised, scaled_spec);
        const std::vector<double> expected = scores_of_own(raised), expected_scaled = scores_of_own(scaled);
        for (const Lending &lending : lendings(bits, true)) {
            SCOPED_TRACE(testing::Message() << lending.name << ", " << bits << " to " << scored_bits << " bits");
            const Lending as_scored = lending.raised_to(scored_bits), in_size = as_scored.scaled_to(scaled_spec);
            EXPECT_EQ(scores_of_lent(clip, raised, [&](Side, unsigned) { return &as_scored; }), expected);
            EXPECT_EQ(scores_of_lent(clip, raised,
                                     [&](Side side, unsigned frame) {
                                         return side == Side::dis || frame % 2 == 1 ? &as_scored : nullptr;
                                     }),
                      expected);
            EXPECT_EQ(scores_of_lent(clip, scaled, [&](Side, unsigned) { return &in_size; }), expected_scaled);
        }
    }
}

TEST_P(ForeignPicturesCuda, HaveTheLibrarysScoresAtEveryDepth)
{
    for (const unsigned bits : {8U, 10U, 12U, 16U})
        expect_own_scores(clip_spec(VMAF_PIX_FMT_YUV420P, bits, 45, 37));
}

TEST_P(ForeignPicturesCuda, HaveTheLibrarysScoresInEveryFormat)
{
    for (const unsigned bits : {8U, 10U})
        for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
            expect_own_scores(clip_spec(pix_fmt, bits, 64, 33));
}

TEST_P(ForeignPicturesCuda, AlternateWithTheLibrarysPictures)
{
    const ClipSpec spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 49, 34);
    const Clip clip = textured_clip(spec);
    const std::vector<Lending> list = lendings(spec.bits, true);
    const std::vector<double> expected = scores_of_own(clip);
    for (unsigned first = 0; first <= list.size(); ++first)
        EXPECT_EQ(scores_of_lent(clip,
                                 [&](Side side, unsigned frame) -> const Lending * {
                                     const std::size_t kind =
                                         (first + frame + (side == Side::dis ? 3 : 0)) % (list.size() + 1);
                                     return kind < list.size() ? &list[kind] : nullptr;
                                 }),
                  expected)
            << first;
}

TEST_P(ForeignPicturesCuda, AreScaledAsTheCpuDoes)
{
    expect_scaled_scores(clip_spec(VMAF_PIX_FMT_YUV420P, 8, 45, 37), 50, 68);
    expect_scaled_scores(clip_spec(VMAF_PIX_FMT_YUV420P, 10, 90, 75), 45, 34);
    expect_scaled_scores(clip_spec(VMAF_PIX_FMT_YUV422P, 16, 47, 40), 60, 40);
    expect_scaled_scores(clip_spec(VMAF_PIX_FMT_YUV444P, 12, 34, 90), 51, 33);
}

// One lent reference for two sessions (spec device_pictures 4), in its own size and scaled.
TEST_P(ForeignPicturesCuda, AreSharedByTwoSessions)
{
    const ClipSpec spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 49, 34),
                   larger = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 64, 57);
    const Clip clips[2] = {textured_clip(spec), textured_clip(larger)}, by_hand = scaled_clip(clips[1], spec);
    const std::vector<double> scores_of_each[2] = {scores_of_own(clips[0]), scores_of_own(by_hand)};
    std::vector<std::pair<Lending, unsigned>> list;
    for (const Lending &lending : lendings(spec.bits, true)) {
        list.emplace_back(lending, 0U);
        list.emplace_back(lending.scaled_to(spec), 1U);
    }
    for (const auto &[lending, which] : list) {
        const Clip &clip = clips[which];
        const std::vector<double> &expected = scores_of_each[which];
        Loans loans;
        std::vector<double> scores[2];
        {
            const Context contexts[2] = {open(clips[0]), open(clips[0])};
            VmafContext *const both[2] = {contexts[0].get(), contexts[1].get()};
            for (unsigned frame = 0; frame < kFrames; ++frame) {
                VmafPicture ref = picture(both[0], loans, clip, Side::ref, frame, &lending);
                VmafPicture dis[2] = {picture(both[0], loans, clip, Side::dis, frame, &lending),
                                      picture(both[1], loans, clip, Side::dis, frame, &lending)};
                ASSERT_EQ(vmaf_read_pictures_shared(both, 2, &ref, dis, frame), 0) << lending.name;
            }
            ASSERT_EQ(vmaf_read_pictures_shared(both, 2, nullptr, nullptr, 0), 0);
            EXPECT_TRUE(loans.all_released_once()) << lending.name;
            for (unsigned i = 0; i < 2; ++i)
                for (const char *name : GetParam().outputs)
                    for (unsigned frame = 0; frame < kFrames; ++frame) {
                        scores[i].push_back(-1);
                        EXPECT_EQ(vmaf_feature_score_at_index(both[i], name, &scores[i].back(), frame), 0) << name;
                    }
        }
        EXPECT_TRUE(loans.all_released_once());
        EXPECT_EQ(scores[0], expected) << lending.name;
        EXPECT_EQ(scores[1], expected) << lending.name;
    }
}

INSTANTIATE_TEST_SUITE_P(In, ForeignPicturesCuda,
                         testing::Values(Where{"device_memory", true, 0, 0, kFeatures, kOutputs},
                                         Where{"host_memory", false, 0, 0, kFeatures, kOutputs},
                                         Where{"device_memory_for_both_sides", true, 1, 2, kMixed, kMixedOutputs},
                                         Where{"host_memory_for_both_sides", false, 1, 2, kMixed, kMixedOutputs}),
                         [](const testing::TestParamInfo<Where> &tested) { return std::string(tested.param.name); });

class ForeignStreamsCuda : public CudaSessions {};

// A decoder has its own stream. The default stream does not wait for it, and it does not wait for
// the default stream.
TEST_F(ForeignStreamsCuda, ComeBeforeTheReading)
{
    constexpr unsigned kReads = 24;
    const ClipSpec spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 64, 48);
    const Clip clip = textured_clip(spec);
    const Lending p010{"P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6};
    std::vector<double> scores[2];
    CUstream stream = nullptr;
    {
        const ClientContext current(*client_);
        ASSERT_EQ(client_->cuda().cuStreamCreate(&stream, 1), CUDA_SUCCESS);
    }
    for (const bool is_lent : {false, true}) {
        Loans loans;
        const Context context = open_context(0);
        ASSERT_EQ(client_->attach(context.get(), spec, Feeding::plain_host), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "psnr", nullptr), 0);
        ASSERT_EQ(vmaf_use_feature(context.get(), "motion", nullptr), 0);
        for (unsigned frame = 0; frame < kReads; ++frame) {
            VmafPicture pair[2] = {};
            for (const Side side : {Side::ref, Side::dis}) {
                VmafPicture &made = pair[side == Side::dis ? 1 : 0];
                if (!is_lent) {
                    ASSERT_EQ(make_picture(made, clip, side, frame % kFrames), 0);
                    continue;
                }
                auto &loan =
                    static_cast<DeviceLoan &>(loans.add<DeviceLoan>(*client_, clip, side, frame % kFrames, p010));
                loan.decode_in(stream);
                ASSERT_EQ(vmaf_picture_wrap(context.get(), &made, &loan.foreign()), 0);
            }
            ASSERT_EQ(vmaf_read_pictures(context.get(), &pair[0], &pair[1], frame), 0);
        }
        ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        EXPECT_TRUE(loans.all_released_once());
        for (const char *name : {"psnr_y", "psnr_cr", "VMAF_integer_feature_motion2_score"})
            for (unsigned frame = 0; frame < kReads; ++frame) {
                scores[is_lent].push_back(-1);
                EXPECT_EQ(vmaf_feature_score_at_index(context.get(), name, &scores[is_lent].back(), frame), 0);
            }
    }
    EXPECT_EQ(scores[0], scores[1]);
    const ClientContext current(*client_);
    EXPECT_EQ(client_->cuda().cuStreamDestroy(stream), CUDA_SUCCESS);
}

} // namespace
} // namespace vmaf::test
