#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include "client.h"
#include "libvmaf/libvmaf_ext.h"
#include "support/foreign_pictures.h"

// vmaf_read_pictures_shared() on the CPU (spec device_pictures 4).

namespace vmaf::test {
namespace {

/// One of the sessions that share a reference: its features and its encode.
struct Encode {
    unsigned n_threads;
    std::vector<std::pair<const char *, const char *>> features; ///< each with an option that is set to true, or null
    const char *model;
    unsigned later; ///< its frame comes from this many frames later in the clip, so the picture differs
};

const std::vector<Encode> &encodes()
{
    static const std::vector<Encode> all{
        {0, {{"psnr", "enable_apsnr"}, {"motion", nullptr}}, nullptr, 0},
        {2, {{"vif", nullptr}, {"speed_temporal", nullptr}, {"float_motion", nullptr}}, nullptr, 1},
        {0, {{"motion", "motion_five_frame_window"}, {"ciede", nullptr}}, "vmaf_v0.6.1", 2},
        {1, {{"float_ssim", nullptr}}, "vmaf_v0.6.1neg", 3},
        {0, {{"vif", "vif_skip_scale0"}}, "vmaf_v0.6.1", 1},
        {0, {}, "vmaf_v0.6.1neg", 3},
    };
    return all;
}

class Session {
  public:
    explicit Session(const Encode &encode, unsigned n_subsample = 0) : context_(encode.n_threads, n_subsample)
    {
        for (const auto &[feature, flag] : encode.features)
            EXPECT_EQ(
                flag != nullptr ? use_feature(context_, feature, {{flag, "true"}}) : use_feature(context_, feature), 0)
                << feature;
        if (encode.model == nullptr)
            return;
        model_ = std::make_unique<BuiltinModel>(encode.model, "score");
        EXPECT_EQ(vmaf_use_features_from_model(context_, *model_), 0);
    }
    operator VmafContext *() const { return context_; }

    /// The score file with all digits and without the rate.
    std::string scores(unsigned frames)
    {
        double score = 0;
        for (unsigned i = 0; model_ && i < frames; ++i)
            EXPECT_EQ(vmaf_score_at_index(context_, *model_, &score, i), 0);
        const std::string path = temp_path("scores.xml");
        EXPECT_EQ(vmaf_write_output_with_format(context_, path.c_str(), VMAF_OUTPUT_FORMAT_XML, "%.17g"), 0);
        const std::string text = file_text(path);
        std::remove(path.c_str());
        return text.substr(text.find("<frames>"));
    }

  private:
    OpenContext context_;
    std::unique_ptr<BuiltinModel> model_;
};

class SharedReference : public ::testing::Test {
  protected:
    unsigned frame_of(unsigned frame, const Encode &encode) const
    {
        return (frame + encode.later) % clip_.spec().frames;
    }
    VmafPicture encoded(unsigned frame, const Encode &encode) const
    {
        return clip_picture(clip_, Side::dis, frame_of(frame, encode));
    }

    /// One call. Pictures that the library did not take are unreferenced and counted in `left`.
    int read(const std::vector<VmafContext *> &contexts, VmafPicture ref, std::vector<VmafPicture> dis, unsigned index)
    {
        const int error =
            vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()), &ref, dis.data(), index);
        ref_left_ = ref.ref != nullptr;
        left_.clear();
        dis.push_back(ref);
        for (VmafPicture &picture : dis) {
            left_.push_back(picture.ref != nullptr);
            EXPECT_TRUE(picture.ref == nullptr || vmaf_picture_unref(&picture) == 0);
        }
        left_.pop_back();
        return error;
    }
    int read_frame(const std::vector<VmafContext *> &contexts, unsigned frame)
    {
        std::vector<VmafPicture> dis;
        for (std::size_t i = 0; i < contexts.size(); ++i)
            dis.push_back(encoded(frame, encodes()[i]));
        return read(contexts, clip_picture(clip_, Side::ref, frame), dis, frame);
    }
    static int flush_all(const std::vector<VmafContext *> &contexts)
    {
        return vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()), nullptr, nullptr, 0);
    }

    const Clip &clip_ = Clip::get("tiles_352x288_10");
    bool ref_left_ = false;
    std::vector<bool> left_;
};

TEST_F(SharedReference, GivesTheScoresOfAReferenceEach)
{
    for (const unsigned n_subsample : {0U, 2U}) {
        std::vector<std::unique_ptr<Session>> sessions;
        std::vector<VmafContext *> contexts;
        for (const Encode &encode : encodes()) {
            sessions.push_back(std::make_unique<Session>(encode, n_subsample));
            contexts.push_back(*sessions.back());
        }
        for (unsigned i = 0; i < clip_.spec().frames; ++i) {
            ASSERT_EQ(read_frame(contexts, i), 0);
            EXPECT_FALSE(ref_left_) << "the library has it";
            EXPECT_EQ(left_, std::vector<bool>(contexts.size(), false));
        }
        ASSERT_EQ(flush_all(contexts), 0);
        for (std::size_t i = 0; i < encodes().size(); ++i) {
            Session alone(encodes()[i], n_subsample);
            for (unsigned frame = 0; frame < clip_.spec().frames; ++frame)
                ASSERT_EQ(test::read(alone, clip_picture(clip_, Side::ref, frame), encoded(frame, encodes()[i]), frame),
                          0);
            ASSERT_EQ(flush(alone), 0);
            const unsigned scored = n_subsample == 0 ? clip_.spec().frames : 1;
            EXPECT_EQ(sessions[i]->scores(scored), alone.scores(scored)) << i;
        }
    }
}

/// Their workers compute the encodes in groups, whose frames belong to sessions with other features
/// too.
const std::vector<Encode> &encodes_on_workers()
{
    static const std::vector<Encode> all{
        {1, {}, "vmaf_v0.6.1", 0},
        {2, {{"psnr", nullptr}}, "vmaf_v0.6.1", 1},
        {1, {{"adm", nullptr}}, "vmaf_v0.6.1neg", 2},
        {3, {{"motion", "motion_five_frame_window"}}, "vmaf_v0.6.1", 3},
        {1, {{"float_ssim", nullptr}}, nullptr, 1},
        {1, {}, "vmaf_v0.6.1neg", 3},
        {2, {{"speed_temporal", nullptr}, {"vif", nullptr}}, nullptr, 2},
        {1, {}, "vmaf_v0.6.1", 2},
        {1, {}, "vmaf_v0.6.1", 1},
    };
    return all;
}

TEST_F(SharedReference, OfWorkersGivesTheScoresOfAReferenceEach)
{
    constexpr unsigned kFrames = 24; // more than there are in flight
    const auto frame_of_clip = [&](unsigned frame) { return frame % clip_.spec().frames; };
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<VmafContext *> contexts;
    for (const Encode &encode : encodes_on_workers()) {
        sessions.push_back(std::make_unique<Session>(encode));
        contexts.push_back(*sessions.back());
    }
    for (unsigned i = 0; i < kFrames; ++i) {
        std::vector<VmafPicture> dis;
        for (const Encode &encode : encodes_on_workers())
            dis.push_back(encoded(frame_of_clip(i), encode));
        ASSERT_EQ(read(contexts, clip_picture(clip_, Side::ref, frame_of_clip(i)), dis, i), 0);
    }
    ASSERT_EQ(flush_all(contexts), 0);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const Encode &encode = encodes_on_workers()[i];
        Session alone(encode);
        for (unsigned frame = 0; frame < kFrames; ++frame)
            ASSERT_EQ(test::read(alone, clip_picture(clip_, Side::ref, frame_of_clip(frame)),
                                 encoded(frame_of_clip(frame), encode), frame),
                      0);
        ASSERT_EQ(flush(alone), 0);
        EXPECT_EQ(sessions[i]->scores(kFrames), alone.scores(kFrames)) << i;
    }
}

TEST_F(SharedReference, OfWorkersMayBeInFlightWhenAContextIsClosed)
{
    for (const std::size_t first : {0U, 1U, 2U, 3U}) {
        std::vector<std::unique_ptr<Session>> sessions;
        std::vector<VmafContext *> contexts;
        for (std::size_t i = 0; i < 4; ++i) {
            sessions.push_back(std::make_unique<Session>(Encode{1, {}, "vmaf_v0.6.1", 0}));
            contexts.push_back(*sessions.back());
        }
        for (unsigned frame = 0; frame < clip_.spec().frames; ++frame) {
            ASSERT_EQ(read_frame(contexts, frame), 0);
        }
        for (std::size_t i = 0; i < sessions.size(); ++i)
            sessions[(first + i) % sessions.size()].reset();
    }
}

TEST_F(SharedReference, MayBeOfOneContextOrSharedForSomeFramesOnly)
{
    Session first(encodes()[0]), second(encodes()[0]), alone(encodes()[0]);
    for (unsigned i = 0; i < clip_.spec().frames; ++i) {
        if (i % 2 == 0) {
            ASSERT_EQ(read({first, second}, clip_picture(clip_, Side::ref, i),
                           {encoded(i, encodes()[0]), encoded(i, encodes()[0])}, i),
                      0);
        } else {
            ASSERT_EQ(read({first}, clip_picture(clip_, Side::ref, i), {encoded(i, encodes()[0])}, i), 0);
            ASSERT_EQ(test::read_frame(second, clip_, i, i), 0);
        }
        ASSERT_EQ(test::read_frame(alone, clip_, i, i), 0);
    }
    ASSERT_EQ(flush_all({first, second, alone}), 0);
    EXPECT_EQ(first.scores(0), alone.scores(0));
    EXPECT_EQ(second.scores(0), alone.scores(0));
}

TEST_F(SharedReference, BadArgumentsAreRefused)
{
    Session first(encodes()[0]), second(encodes()[0]);
    VmafContext *contexts[] = {first, second};
    VmafPicture ref = clip_picture(clip_, Side::ref, 0), dis[] = {encoded(0, encodes()[0]), encoded(0, encodes()[1])};
    VmafPicture before[3] = {ref, dis[0], dis[1]};
    EXPECT_EQ(vmaf_read_pictures_shared(nullptr, 2, &ref, dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 0, &ref, dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 0, nullptr, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, nullptr, dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &ref, nullptr, 0), -EINVAL);
    VmafContext *const with_null[] = {first, nullptr}, *const twice[] = {second, second};
    EXPECT_EQ(vmaf_read_pictures_shared(with_null, 2, &ref, dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(twice, 2, &ref, dis, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(twice, 2, nullptr, nullptr, 0), -EINVAL);
    VmafPicture one_twice[] = {dis[0], dis[0]}, the_reference[] = {dis[0], ref}, empty[] = {dis[0], {}}, none{};
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &ref, one_twice, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &ref, the_reference, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &ref, empty, 0), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &none, dis, 0), -EINVAL);
    EXPECT_EQ(std::memcmp(&before[0], &ref, sizeof ref), 0);
    EXPECT_EQ(std::memcmp(&before[1], dis, sizeof dis), 0);
    EXPECT_EQ(vmaf_read_pictures_shared(contexts, 2, &ref, dis, 0), 0) << "nothing was taken before";
    EXPECT_EQ(flush_all({first, second}), 0);
}

// If the second of three contexts refuses, none of them has taken the frame.
TEST_F(SharedReference, ARefusalIsOneForAll)
{
    const auto refused = [&](VmafContext *bad, VmafPicture bad_dis, unsigned index) {
        Session first(encodes()[0]), third(encodes()[2]);
        const std::vector<VmafContext *> contexts{first, bad, third};
        const bool had_content = bad_dis.ref != nullptr;
        const std::vector<VmafPicture> dis{encoded(0, encodes()[0]), bad_dis, encoded(0, encodes()[2])};
        EXPECT_EQ(read(contexts, clip_picture(clip_, Side::ref, 0), dis, index), -EINVAL);
        EXPECT_TRUE(ref_left_);
        EXPECT_EQ(left_, (std::vector<bool>{true, had_content, true}));
        for (VmafContext *good : {static_cast<VmafContext *>(first), static_cast<VmafContext *>(third)}) {
            EXPECT_EQ(test::read_frame(good, clip_, 0, 0), 0) << "its scores do not exist";
            EXPECT_EQ(flush(good), 0);
        }
    };
    const VmafPicture other_size = blank_picture(64, 64, 10);
    OpenContext vmaf;
    ASSERT_EQ(use_feature(vmaf, "psnr"), 0);
    refused(vmaf, other_size, 0);
    ASSERT_EQ(test::read_frame(vmaf, clip_, 0, 0), 0);
    refused(vmaf, encoded(0, encodes()[1]), 0); // repeated index
    refused(vmaf, {}, 1);
    ASSERT_EQ(flush(vmaf), 0);
    refused(vmaf, encoded(0, encodes()[1]), 1); // after the flush

    OpenContext late;
    ASSERT_EQ(use_feature(late, "motion"), 0);
    refused(late, encoded(0, encodes()[1]), 5); // motion lacks the earlier picture

    OpenContext of_deep_samples;
    ASSERT_EQ(use_feature(of_deep_samples, "psnr_hvs"), 0);
    const VmafPicture deep = blank_picture(352, 288, 16);
    Session first(encodes()[0]);
    EXPECT_EQ(read({first, of_deep_samples}, blank_picture(352, 288, 16), {blank_picture(352, 288, 16), deep}, 0),
              -EINVAL);
    EXPECT_EQ(left_, std::vector<bool>(2, true));
}

// A feature that refuses samples finds out when it reads them. Only its own context then has not
// taken the frame.
TEST_F(SharedReference, AFailedComputationIsOfItsContextAlone)
{
    OpenContext first, picky, third;
    ASSERT_EQ(use_feature(first, "psnr"), 0);
    ASSERT_EQ(use_feature(picky, "cambi"), 0);
    ASSERT_EQ(use_feature(third, "motion"), 0);
    VmafPicture above = encoded(0, encodes()[0]);
    static_cast<std::uint16_t *>(above.data[0])[7] = 1024;
    const std::vector<VmafContext *> contexts{first, picky, third};
    EXPECT_EQ(read(contexts, clip_picture(clip_, Side::ref, 0),
                   {encoded(0, encodes()[0]), above, encoded(0, encodes()[0])}, 0),
              -EINVAL);
    EXPECT_TRUE(ref_left_);
    EXPECT_EQ(left_, (std::vector<bool>{false, true, false}));
    EXPECT_TRUE(has_score(first, "psnr_y", 0));
    EXPECT_TRUE(has_score(third, "VMAF_integer_feature_motion_sad_score", 0));
    EXPECT_EQ(read({picky}, clip_picture(clip_, Side::ref, 0), {encoded(0, encodes()[0])}, 0), 0) << "again";
    EXPECT_TRUE(has_score(picky, "Cambi_feature_cambi_score", 0));
    EXPECT_EQ(flush_all(contexts), 0);
}

TEST_F(SharedReference, TheFlushIsOfEachContextWhateverTheOthersAnswer)
{
    Session first(encodes()[0]), unread(encodes()[0]), third(encodes()[0]);
    ASSERT_EQ(test::read_frame(first, clip_, 0, 0), 0);
    ASSERT_EQ(test::read_frame(third, clip_, 0, 0), 0);
    EXPECT_EQ(flush_all({first, unread, third}), -EINVAL) << "nothing was read";
    EXPECT_TRUE(has_score(third, "VMAF_integer_feature_motion2_score", 0)) << "flushed";
    EXPECT_EQ(test::read_frame(unread, clip_, 0, 0), 0) << "still open for reading";
    EXPECT_EQ(flush_all({unread}), 0);
}

// A context holds the reference as long as it needs it, in any order of closing.
TEST_F(SharedReference, OutlivesTheContextsThatAreClosed)
{
    for (const unsigned closed_first : {0U, 1U, 2U}) {
        OpenContext contexts[] = {OpenContext(2), OpenContext(), OpenContext(1)};
        for (OpenContext &context : contexts)
            ASSERT_EQ(use_feature(context, "motion"), 0);
        const std::vector<VmafContext *> all{contexts[0], contexts[1], contexts[2]};
        const Encode &encode = encodes()[0];
        for (unsigned i = 0; i < 2; ++i)
            ASSERT_EQ(read(all, clip_picture(clip_, Side::ref, i),
                           {encoded(i, encode), encoded(i, encode), encoded(i, encode)}, i),
                      0);
        ASSERT_EQ(contexts[closed_first].close(), 0);
        for (unsigned other = 0; other < 3; ++other)
            if (other != closed_first) {
                ASSERT_EQ(test::read_frame(contexts[other], clip_, 2, 2), 0);
                ASSERT_EQ(flush(contexts[other]), 0);
                EXPECT_TRUE(has_score(contexts[other], "VMAF_integer_feature_motion2_score", 2));
            }
    }
}

// Lent planes are released when the last context has finished with them, no matter who wrapped them
// and who refuses.
TEST_F(SharedReference, OfLentPlanesComesBackOnce)
{
    const auto scores_with = [&](const Lending *lending, std::size_t wrapped_for) {
        Loans loans;
        std::vector<std::string> scores;
        {
            std::vector<std::unique_ptr<Session>> sessions;
            std::vector<VmafContext *> contexts;
            for (const Encode &encode : encodes()) {
                sessions.push_back(std::make_unique<Session>(encode));
                contexts.push_back(*sessions.back());
            }
            for (unsigned i = 0; i < clip_.spec().frames; ++i)
                for (const bool is_refused : {true, false}) {
                    VmafPicture ref{};
                    EXPECT_EQ(lending == nullptr
                                  ? make_picture(ref, clip_, Side::ref, i)
                                  : loans.wrap(contexts[wrapped_for], ref, clip_, Side::ref, i, *lending),
                              0);
                    std::vector<VmafPicture> dis;
                    for (const Encode &encode : encodes())
                        dis.push_back(encoded(i, encode));
                    if (is_refused) {
                        EXPECT_EQ(vmaf_picture_unref(&dis.back()), 0);
                        dis.back() = blank_picture(64, 64, 10);
                    }
                    EXPECT_EQ(read(contexts, ref, dis, i), is_refused ? -EINVAL : 0);
                }
            EXPECT_EQ(flush_all(contexts), 0);
            for (const std::unique_ptr<Session> &session : sessions)
                scores.push_back(session->scores(clip_.spec().frames));
        }
        EXPECT_TRUE(loans.all_released_once());
        return scores;
    };
    const std::vector<std::string> right = scores_with(nullptr, 0);
    for (const Lending &lending : lendings(10, true))
        EXPECT_EQ(scores_with(&lending, 2), right) << lending.name;
}

} // namespace
} // namespace vmaf::test
