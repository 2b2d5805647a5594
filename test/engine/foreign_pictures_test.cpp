#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include <unistd.h>

#include "support/foreign_pictures.h"
#include "support/lists.h"
#include "support/random.h"
#include "support/scaling.h"
#include "support/session.h"

// Pictures whose planes a client lends in host memory (spec device_pictures 2). They have the same
// scores as library pictures with the same samples, and each is released once. The memory ends with
// the last sample, and it cannot be touched after its release.

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 4;

/// Noise that changes from frame to frame and has all values of the depth.
Clip noise_clip(const ClipSpec &spec)
{
    return Clip(spec, [&spec](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        const unsigned hash = (x * 2654435761U ^ y * 40503U ^ frame * 977U ^ plane * 131071U) * 2246822519U;
        const unsigned change = side == Side::dis ? hash >> 29 : 0;
        const unsigned smooth = (5 * x + 3 * y + 11 * frame) * (1U << spec.bits) / 4096;
        return (smooth + (hash >> 20) % 9 + change) & ((1U << spec.bits) - 1);
    });
}

ClipSpec clip_spec(VmafPixelFormat pix_fmt, unsigned bits, unsigned width, unsigned height)
{
    return {"foreign", width, height, bits, pix_fmt, kFrames, "", ""};
}

void use_every_feature(VmafContext *vmaf, const PictureFormat &format)
{
    for (const VmafFeatureInfo *spec : listed_features())
        if (takes(*spec, format)) {
            ASSERT_EQ(vmaf_use_feature(vmaf, spec->name, nullptr), 0) << spec->name;
        }
}

/// All scores, to the last bit.
std::string all_scores(VmafContext *vmaf)
{
    char path[] = "/tmp/vmaf_foreign_test_XXXXXX";
    const int descriptor = mkstemp(path);
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    EXPECT_EQ(vmaf_write_output_with_format(vmaf, path, VMAF_OUTPUT_FORMAT_CSV, "%.17g"), 0);
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path);
    return text;
}

/// Feeds the clip. `lend(Side, frame)` returns a lent picture, or null for a picture of the library
/// from `own`.
template <class Lend> void feed_lent(VmafContext *vmaf, const Clip &clip, const Clip &own, Loans &loans, Lend &&lend)
{
    for (unsigned frame = 0; frame < clip.spec().frames; ++frame) {
        VmafPicture pair[2] = {};
        for (const Side side : {Side::ref, Side::dis}) {
            VmafPicture &picture = pair[side == Side::dis ? 1 : 0];
            const Lending *const lending = lend(side, frame);
            ASSERT_EQ(lending != nullptr ? loans.wrap(vmaf, picture, clip, side, frame, *lending)
                                         : make_picture(picture, own, side, frame),
                      0);
        }
        ASSERT_EQ(vmaf_read_pictures(vmaf, &pair[0], &pair[1], frame), 0);
    }
}

/// Scores of a session in which all lent pictures are released. `own` has the size that is scored.
template <class Lend> std::string scores_of_lent(const Clip &clip, const Clip &own, unsigned n_threads, Lend &&lend)
{
    Loans loans;
    std::string scores;
    {
        const Context context = open_context(n_threads);
        use_every_feature(context.get(), own.format());
        feed_lent(context.get(), clip, own, loans, lend);
        EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        EXPECT_TRUE(loans.all_released_once()) << "after the flush";
        scores = all_scores(context.get());
    }
    EXPECT_TRUE(loans.all_released_once()) << loans.released(1) << " of " << loans.count();
    return scores;
}

template <class Lend> std::string scores_of_lent(const Clip &clip, unsigned n_threads, Lend &&lend)
{
    return scores_of_lent(clip, clip, n_threads, lend);
}

class ForeignScores : public testing::TestWithParam<ClipSpec> {};

TEST_P(ForeignScores, AreThoseOfPicturesOfTheLibraryHoweverPlanesAreLent)
{
    const Clip clip = noise_clip(GetParam());
    const auto own = [](Side, unsigned) -> const Lending * { return nullptr; };
    const std::string expected = scores_of_lent(clip, 0, own);
    ASSERT_NE(expected, "");
    for (const Lending &lending : lendings(clip.spec().bits, clip.format().plane_count() > 1))
        EXPECT_EQ(scores_of_lent(clip, 0, [&](Side, unsigned) { return &lending; }), expected) << lending.name;
}

// Pictures of all kinds in one session, and different kinds in one pair.
TEST_P(ForeignScores, AreTheSameWhereKindsOfPicturesAlternate)
{
    const Clip clip = noise_clip(GetParam());
    const std::vector<Lending> list = lendings(clip.spec().bits, clip.format().plane_count() > 1);
    const std::string expected = scores_of_lent(clip, 0, [](Side, unsigned) -> const Lending * { return nullptr; });
    for (const unsigned n_threads : {0U, 3U})
        EXPECT_EQ(scores_of_lent(clip, n_threads,
                                 [&](Side side, unsigned frame) -> const Lending * {
                                     const std::size_t kind = (frame + (side == Side::dis ? 2 : 0)) % (list.size() + 1);
                                     return kind < list.size() ? &list[kind] : nullptr;
                                 }),
                  expected)
            << n_threads << " threads";
}

std::vector<ClipSpec> foreign_clips()
{
    std::vector<ClipSpec> list;
    for (const unsigned bits : {8U, 9U, 10U, 12U, 15U, 16U})
        list.push_back(clip_spec(VMAF_PIX_FMT_YUV420P, bits, 241, 229));
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        for (const unsigned bits : {8U, 10U})
            list.push_back(clip_spec(format, bits, 67, 63));
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV420P, 8, 17, 17));
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV420P, 10, 32, 16));
    return list;
}

INSTANTIATE_TEST_SUITE_P(Of, ForeignScores, testing::ValuesIn(foreign_clips()),
                         [](const testing::TestParamInfo<ClipSpec> &tested) {
                             const ClipSpec &spec = tested.param;
                             return std::to_string(spec.width) + "x" + std::to_string(spec.height) + "_" +
                                    std::to_string(spec.bits) + "_" + std::to_string(spec.pix_fmt);
                         });

// The library scales the pictures, or the test does (spec device_pictures 3).
class ScaledScores : public testing::TestWithParam<ClipSpec> {};

TEST_P(ScaledScores, AreThoseOfPicturesThatWereScaledBeforeHoweverTheyAreLent)
{
    const ClipSpec &spec = GetParam();
    const Clip clip = noise_clip(spec);
    for (const auto &[width, height] : {std::pair{100U, 84U}, {67U, 97U}}) {
        const ClipSpec scaled_spec{"scaled", width, height, spec.bits, spec.pix_fmt, kFrames, "", ""};
        const Clip by_hand = scaled_clip(clip, scaled_spec);
        const auto own = [](Side, unsigned) -> const Lending * { return nullptr; };
        const std::string expected = scores_of_lent(by_hand, 0, own);
        for (const Lending &lending : lendings(spec.bits, clip.format().plane_count() > 1)) {
            const Lending scaled = lending.scaled_to(scaled_spec);
            EXPECT_EQ(scores_of_lent(clip, by_hand, 0, [&](Side, unsigned) { return &scaled; }), expected)
                << lending.name << " to " << width << "x" << height;
            // Only one side is scaled, as in a ladder; with and without threads.
            EXPECT_EQ(scores_of_lent(clip, by_hand, 3,
                                     [&](Side side, unsigned) { return side == Side::dis ? &scaled : nullptr; }),
                      expected)
                << lending.name << " to " << width << "x" << height;
        }
    }
}

std::vector<ClipSpec> scaled_clips()
{
    std::vector<ClipSpec> list;
    for (const unsigned bits : {8U, 10U, 16U})
        list.push_back(clip_spec(VMAF_PIX_FMT_YUV420P, bits, 81, 75));
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV422P, 12, 67, 84)); // sizes that leave one side as it is
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV444P, 8, 150, 97));
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV400P, 10, 50, 180));
    list.push_back(clip_spec(VMAF_PIX_FMT_YUV420P, 8, 66, 96)); // the chroma has the same size
    return list;
}

INSTANTIATE_TEST_SUITE_P(Of, ScaledScores, testing::ValuesIn(scaled_clips()),
                         [](const testing::TestParamInfo<ClipSpec> &tested) {
                             const ClipSpec &spec = tested.param;
                             return std::to_string(spec.width) + "x" + std::to_string(spec.height) + "_" +
                                    std::to_string(spec.bits) + "_" + std::to_string(spec.pix_fmt);
                         });

// Pictures have fewer bits than are scored. The library shifts their samples, or the test did (spec
// device_pictures 2).
TEST(RaisedScores, AreThoseOfPicturesThatWereShiftedBeforeHoweverTheyAreLent)
{
    struct Raise {
        VmafPixelFormat pix_fmt;
        unsigned bits, scored_bits;
    };
    for (const auto &[pix_fmt, bits, scored_bits] : {Raise{VMAF_PIX_FMT_YUV420P, 8, 10},
                                                     {VMAF_PIX_FMT_YUV444P, 8, 9},
                                                     {VMAF_PIX_FMT_YUV400P, 8, 16},
                                                     {VMAF_PIX_FMT_YUV444P, 10, 12},
                                                     {VMAF_PIX_FMT_YUV420P, 12, 16}}) {
        const ClipSpec spec = clip_spec(pix_fmt, bits, 67, 63), raised_spec = clip_spec(pix_fmt, scored_bits, 67, 63),
                       scaled_spec = clip_spec(pix_fmt, scored_bits, 100, 84);
        const Clip clip = noise_clip(spec), raised = raised_clip(clip, raised_spec),
                   scaled = scaled_clip(raised, scaled_spec);
        const auto own = [](Side, unsigned) -> const Lending * { return nullptr; };
        const std::string expected = scores_of_lent(raised, 0, own), expected_scaled = scores_of_lent(scaled, 0, own);
        for (const Lending &lending : lendings(bits, clip.format().plane_count() > 1)) {
            SCOPED_TRACE(testing::Message() << lending.name << ", " << bits << " to " << scored_bits << " bits");
            const Lending as_scored = lending.raised_to(scored_bits), in_size = as_scored.scaled_to(scaled_spec);
            EXPECT_EQ(scores_of_lent(clip, raised, 0, [&](Side, unsigned) { return &as_scored; }), expected);
            EXPECT_EQ(scores_of_lent(clip, scaled, 0, [&](Side, unsigned) { return &in_size; }), expected_scaled);
            // Only one side is raised; with and without threads.
            EXPECT_EQ(scores_of_lent(clip, raised, 3,
                                     [&](Side side, unsigned) { return side == Side::ref ? &as_scored : nullptr; }),
                      expected);
        }
    }
}

// A decoder may change the size within a video.
TEST(ScaledPictures, MayComeInManySizes)
{
    const ClipSpec scored_spec = clip_spec(VMAF_PIX_FMT_YUV420P, 8, 80, 60),
                   small = clip_spec(VMAF_PIX_FMT_YUV420P, 8, 40, 30),
                   large = clip_spec(VMAF_PIX_FMT_YUV420P, 8, 101, 75);
    const Clip scored = noise_clip(scored_spec), clips[] = {noise_clip(small), noise_clip(large)};
    const Clip by_hand[] = {scaled_clip(clips[0], scored_spec), scaled_clip(clips[1], scored_spec)};
    const Lending scaled = Lending{"scaled"}.scaled_to(scored_spec);
    std::string scores[2];
    for (const bool is_lent : {false, true}) {
        Loans loans;
        const Context context = open_context(is_lent ? 2 : 0);
        use_every_feature(context.get(), scored.format());
        for (unsigned frame = 0; frame < kFrames; ++frame) {
            VmafPicture ref{}, dis{};
            ASSERT_EQ(make_picture(ref, scored, Side::ref, frame), 0);
            ASSERT_EQ(is_lent ? loans.wrap(context.get(), dis, clips[frame % 2], Side::dis, frame, scaled)
                              : make_picture(dis, by_hand[frame % 2], Side::dis, frame),
                      0);
            ASSERT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
        }
        ASSERT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0);
        scores[is_lent] = all_scores(context.get());
        EXPECT_TRUE(loans.all_released_once());
    }
    EXPECT_EQ(scores[1], scores[0]);
}

// One scaled reference for two sessions (spec device_pictures 4).
TEST(ScaledPictures, MayBeAReferenceThatIsShared)
{
    const ClipSpec lent_spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 80, 60),
                   spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 64, 50);
    const Clip clip = noise_clip(lent_spec), by_hand = scaled_clip(clip, spec);
    const Lending scaled = Lending{"P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6}.scaled_to(spec);
    const std::string expected = scores_of_lent(by_hand, 0, [](Side, unsigned) -> const Lending * { return nullptr; });
    Loans loans;
    const Context contexts[] = {open_context(2), open_context(2)};
    VmafContext *const both[] = {contexts[0].get(), contexts[1].get()};
    for (VmafContext *const vmaf : both)
        use_every_feature(vmaf, by_hand.format());
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref{}, dis[2] = {};
        ASSERT_EQ(loans.wrap(both[0], ref, clip, Side::ref, frame, scaled), 0);
        for (VmafPicture &picture : dis)
            ASSERT_EQ(loans.wrap(both[1], picture, clip, Side::dis, frame, scaled), 0);
        ASSERT_EQ(vmaf_read_pictures_shared(both, 2, &ref, dis, frame), 0);
    }
    ASSERT_EQ(vmaf_read_pictures_shared(both, 2, nullptr, nullptr, 0), 0);
    EXPECT_TRUE(loans.all_released_once());
    for (VmafContext *const vmaf : both)
        EXPECT_EQ(all_scores(vmaf), expected);
}

const Lending kP010{"P010", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 6}, kPlanar{"planar"};

const Clip &ten_bits()
{
    static const ClipSpec spec = clip_spec(VMAF_PIX_FMT_YUV420P, 10, 96, 88);
    static const Clip clip = noise_clip(spec);
    return clip;
}

/// A session that reads the frames of the ten-bit clip again and again.
class ForeignSession {
  public:
    explicit ForeignSession(unsigned n_threads, const std::vector<const char *> &features = {"motion", "psnr"},
                            unsigned n_subsample = 0)
        : context_(open_context(n_threads, n_subsample))
    {
        for (const char *feature : features)
            EXPECT_EQ(vmaf_use_feature(vmaf(), feature, nullptr), 0);
    }

    VmafContext *vmaf() const { return context_.get(); }
    Loans &loans() { return loans_; }
    VmafPicture wrap(Side side, unsigned frame, const Lending &lending = kP010)
    {
        VmafPicture picture{};
        EXPECT_EQ(loans_.wrap(vmaf(), picture, ten_bits(), side, frame % kFrames, lending), 0);
        return picture;
    }
    int read(unsigned frame, const Lending &lending = kP010)
    {
        VmafPicture ref = wrap(Side::ref, frame, lending), dis = wrap(Side::dis, frame, lending);
        const int error = vmaf_read_pictures(vmaf(), &ref, &dis, frame);
        if (error != 0) {
            EXPECT_EQ(vmaf_picture_unref(&ref), 0);
            EXPECT_EQ(vmaf_picture_unref(&dis), 0);
        }
        return error;
    }
    int flush() { return vmaf_read_pictures(vmaf(), nullptr, nullptr, 0); }
    void close() { context_.reset(); }

  private:
    Loans loans_;
    Context context_;
};

TEST(ForeignPictures, ComeBackWhenTheyAreGivenUpUnread)
{
    for (const Lending &lending : {kP010, kPlanar}) {
        ForeignSession session(0);
        VmafPicture picture = session.wrap(Side::ref, 0, lending);
        EXPECT_EQ(session.loans().released(0), 1U);
        EXPECT_EQ(vmaf_picture_unref(&picture), 0);
        EXPECT_TRUE(session.loans().all_released_once());
    }
}

TEST(ForeignPictures, ComeBackWhenTheyAreGivenUpAfterTheContextIsClosed)
{
    ForeignSession session(1);
    VmafPicture picture = session.wrap(Side::ref, 0);
    EXPECT_EQ(session.read(0), 0);
    session.close();
    EXPECT_EQ(session.loans().released(1), 2U);
    EXPECT_EQ(session.loans().released(0), 1U);
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_TRUE(session.loans().all_released_once());
}

TEST(ForeignPictures, ComeBackFromAContextThatIsClosedWithoutAFlush)
{
    for (const unsigned n_threads : {0U, 1U, 4U}) {
        ForeignSession session(n_threads);
        for (unsigned frame = 0; frame < 9; ++frame)
            ASSERT_EQ(session.read(frame), 0);
        EXPECT_LT(session.loans().released(1), session.loans().count()) << "motion looks back at the last reference";
        session.close();
        EXPECT_TRUE(session.loans().all_released_once());
    }
}

TEST(ForeignPictures, ComeBackFromRefusedReads)
{
    for (const unsigned n_threads : {0U, 2U}) {
        ForeignSession session(n_threads);
        ASSERT_EQ(session.read(0), 0);
        EXPECT_EQ(session.read(0), -EINVAL) << "the index exists";
        VmafPicture ref = session.wrap(Side::ref, 1), other{};
        ASSERT_EQ(vmaf_picture_alloc(&other, VMAF_PIX_FMT_YUV420P, 10, 98, 88), 0);
        EXPECT_EQ(vmaf_read_pictures(session.vmaf(), &ref, &other, 1), -EINVAL) << "sizes differ";
        EXPECT_EQ(vmaf_read_pictures(session.vmaf(), &ref, &ref, 1), -EINVAL);
        EXPECT_EQ(session.loans().released(2), 0U);
        EXPECT_EQ(vmaf_picture_unref(&ref), 0);
        EXPECT_EQ(vmaf_picture_unref(&other), 0);
        ASSERT_EQ(session.flush(), 0);
        EXPECT_EQ(session.read(5), -EINVAL) << "after the flush";
        EXPECT_TRUE(session.loans().all_released_once());
    }
}

// Such a pair is refused. The next frame is compared with its reference (spec motion 4).
TEST(ForeignPictures, ComeBackThoughARefusedPairIsLookedBackAt)
{
    ForeignSession session(0);
    EXPECT_EQ(session.read(7), -EINVAL) << "no frame before";
    EXPECT_EQ(session.loans().released(0), 1U) << "the reference is kept";
    EXPECT_EQ(session.read(8), 0);
    EXPECT_EQ(session.flush(), 0);
    EXPECT_TRUE(session.loans().all_released_once());
}

// Samples above the depth: cambi refuses them (spec cambi 3.2).
TEST(ForeignPictures, ComeBackFromFramesThatFail)
{
    static const ClipSpec spec = clip_spec(VMAF_PIX_FMT_YUV400P, 10, 230, 120);
    const Clip clip(spec, [](Side side, unsigned frame, unsigned, unsigned x, unsigned y) {
        return side == Side::dis && frame == 1 && y == 60 ? 1024 + x : 100 + (x + y) / 40;
    });
    for (const unsigned n_threads : {0U, 2U}) {
        Loans loans;
        const Context context = open_context(n_threads);
        ASSERT_EQ(vmaf_use_feature(context.get(), "cambi", nullptr), 0);
        for (unsigned frame = 0; frame < kFrames; ++frame) {
            VmafPicture ref{}, dis{};
            ASSERT_EQ(loans.wrap(context.get(), ref, clip, Side::ref, frame, kPlanar), 0);
            ASSERT_EQ(loans.wrap(context.get(), dis, clip, Side::dis, frame, kPlanar), 0);
            const bool is_refused = n_threads == 0 && frame == 1;
            EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), is_refused ? -EINVAL : 0);
            if (is_refused) {
                EXPECT_EQ(vmaf_picture_unref(&ref), 0);
                EXPECT_EQ(vmaf_picture_unref(&dis), 0);
            }
        }
        EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), n_threads == 0 ? 0 : -EINVAL);
        EXPECT_TRUE(loans.all_released_once());
    }
}

TEST(ForeignPictures, MayHaveNobodyToTell)
{
    ForeignSession session(0);
    Loan &loan = session.loans().add<HostLoan>(ten_bits(), Side::ref, 0, kP010);
    loan.foreign().release = nullptr;
    VmafPicture picture{};
    ASSERT_EQ(vmaf_picture_wrap(session.vmaf(), &picture, &loan.foreign()), 0);
    EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    EXPECT_EQ(loan.releases(), 0U);
}

TEST(ForeignPictures, GoToAnyContextInHostMemory)
{
    ForeignSession lender(0), other(2);
    VmafPicture ref = lender.wrap(Side::ref, 0), dis = lender.wrap(Side::dis, 0);
    lender.close();
    ASSERT_EQ(vmaf_read_pictures(other.vmaf(), &ref, &dis, 0), 0);
    EXPECT_EQ(other.flush(), 0);
    EXPECT_TRUE(lender.loans().all_released_once());
}

// A release callback runs without a lock, so other threads go on, whatever lock they need.
TEST(ForeignPictures, ComeBackUnderNoLock)
{
    for (const unsigned n_threads : {0U, 2U}) {
        ForeignSession session(n_threads);
        std::atomic<unsigned> names{0};
        std::atomic<bool> closing{false};
        const auto use_the_context = [&] {
            if (closing || HasFailure()) // one wait is enough
                return;
            const std::string name = "imported_" + std::to_string(++names);
            EXPECT_TRUE(gets_through([vmaf = session.vmaf(), name] {
                double score = 0;
                return vmaf_import_feature_score(vmaf, name.c_str(), 1, 0) == 0 &&
                       vmaf_feature_score_at_index(vmaf, name.c_str(), &score, 0) == 0;
            }));
        };
        for (unsigned frame = 0; frame < 12; ++frame) {
            VmafPicture ref = session.wrap(Side::ref, frame), dis = session.wrap(Side::dis, frame);
            for (std::size_t i = session.loans().count() - 2; i < session.loans().count(); ++i)
                session.loans()[i].on_release = use_the_context;
            ASSERT_EQ(vmaf_read_pictures(session.vmaf(), &ref, &dis, frame), 0);
        }
        ASSERT_EQ(session.flush(), 0);
        EXPECT_TRUE(session.loans().all_released_once());
        EXPECT_GT(names, 0U);
        closing = true;
    }
}

// Two threads whose frames look back at the same picture share its normalised planes.
TEST(ForeignPictures, HaveTheirScoresWithManyThreads)
{
    constexpr unsigned kReads = 60;
    std::vector<double> scores[2];
    for (const unsigned n_threads : {0U, 4U}) {
        ForeignSession session(n_threads, {"motion", "psnr", "vif", "float_motion", "speed_temporal"});
        for (unsigned frame = 0; frame < kReads; ++frame)
            ASSERT_EQ(session.read(frame, frame % 3 == 0 ? kPlanar : kP010), 0);
        ASSERT_EQ(session.flush(), 0);
        for (unsigned frame = 0; frame < kReads; ++frame)
            for (const char *name : {"VMAF_integer_feature_motion2_score", "psnr_cb", "VMAF_feature_motion2_score"}) {
                double score = -1;
                EXPECT_EQ(vmaf_feature_score_at_index(session.vmaf(), name, &score, frame), 0);
                scores[n_threads > 0].push_back(score);
            }
        EXPECT_TRUE(session.loans().all_released_once());
    }
    EXPECT_EQ(scores[0], scores[1]);
}

/// The surfaces of a decoder's pool. A released one may be lent again.
class Surfaces {
  public:
    explicit Surfaces(unsigned count) : free_(count) {}

    bool take()
    {
        const std::lock_guard lock(mutex_);
        lowest_ = std::min(lowest_, free_ - (free_ > 0 ? 1 : 0));
        return free_ > 0 && free_-- > 0;
    }
    void give_back()
    {
        const std::lock_guard lock(mutex_);
        ++free_;
    }
    unsigned lowest() const { return lowest_; }

  private:
    std::mutex mutex_;
    unsigned free_, lowest_ = ~0U;
};

struct Held {
    std::string name;
    std::vector<const char *> features;
    unsigned n_threads, n_subsample;
    unsigned ref, dis;
};

class FramesHeld : public testing::TestWithParam<Held> {};

TEST_P(FramesHeld, AreEnoughForAClientThatNeverWaits)
{
    const Held &held = GetParam();
    Surfaces surfaces[2] = {Surfaces(held.ref), Surfaces(held.dis)};
    ForeignSession session(held.n_threads, held.features, held.n_subsample);
    unsigned ref_count = 0, dis_count = 0;
    ASSERT_EQ(vmaf_frames_held(session.vmaf(), &ref_count, &dis_count), 0);
    EXPECT_EQ(ref_count, held.ref);
    EXPECT_EQ(dis_count, held.dis);
    for (unsigned frame = 0; frame < 100; ++frame) {
        VmafPicture pair[2] = {};
        for (const Side side : {Side::ref, Side::dis}) {
            Surfaces &pool = surfaces[side == Side::dis ? 1 : 0];
            ASSERT_TRUE(pool.take()) << "frame " << frame;
            pair[side == Side::dis ? 1 : 0] = session.wrap(side, frame, frame % 2 == 0 ? kP010 : kPlanar);
            session.loans()[session.loans().count() - 1].on_release = [&pool] { pool.give_back(); };
        }
        ASSERT_EQ(vmaf_read_pictures(session.vmaf(), &pair[0], &pair[1], frame), 0);
    }
    ASSERT_EQ(session.flush(), 0);
    EXPECT_TRUE(session.loans().all_released_once());
    if (held.n_threads == 0) { // with threads the number depends on which thread is faster
        EXPECT_EQ(surfaces[0].lowest(), 0U);
        EXPECT_EQ(surfaces[1].lowest(), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, FramesHeld,
                         testing::Values(Held{"psnr", {"psnr"}, 0, 0, 1, 1}, Held{"motion", {"motion"}, 0, 0, 2, 1},
                                         Held{"speed_temporal", {"speed_temporal"}, 0, 0, 2, 2},
                                         Held{"motion_and_psnr_subsampled", {"motion", "psnr"}, 0, 3, 2, 1},
                                         Held{"psnr_one_thread", {"psnr"}, 1, 0, 3, 3},
                                         Held{"motion_one_thread", {"motion"}, 1, 0, 4, 3},
                                         Held{"motion_four_threads", {"motion", "vif"}, 4, 0, 13, 9},
                                         Held{"speed_temporal_three_threads", {"speed_temporal"}, 3, 2, 10, 10},
                                         Held{"nothing", {}, 2, 0, 5, 5}),
                         [](const testing::TestParamInfo<Held> &tested) { return tested.param.name; });

} // namespace
} // namespace vmaf::test
