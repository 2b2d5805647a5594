#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <functional>

#include "fault/failing_malloc.h"
#include "support/foreign_pictures.h"
#include "support/lists.h"
#include "support/session.h"

// Makes every allocation of a short session fail in turn, alone and with all later ones (in the
// style of SQLite's tests). The call must return -ENOMEM, nothing may leak, and the next session in
// the process must work.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "tiles_176x144_8";
constexpr unsigned kFrames = 3;

struct Outcome {
    int error = 0;     ///< error of the first failed call
    double score = -1; ///< pooled, if every call succeeded
};

#define SESSION_TRY(call)                                                                                              \
    do {                                                                                                               \
        if (const int error_ = (call); error_ != 0)                                                                    \
            return {error_, -1};                                                                                       \
    } while (0)

// A whole session of a client, with a model, a feature with options, and output.
Outcome score_with_model(unsigned n_threads)
{
    const Clip &clip = Clip::get(kClip);
    VmafConfiguration config{};
    config.n_threads = n_threads;
    VmafContext *raw_context = nullptr;
    SESSION_TRY(vmaf_init(&raw_context, config));
    const Context context(raw_context);
    VmafModel *raw_model = nullptr;
    VmafModelConfig model_config{nullptr, 0};
    SESSION_TRY(vmaf_model_load(&raw_model, &model_config, "vmaf_v0.6.1neg"));
    const ModelHandle model(raw_model);
    SESSION_TRY(vmaf_use_features_from_model(context.get(), raw_model));

    VmafFeatureDictionary *options = nullptr;
    SESSION_TRY(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"));
    if (const int error = vmaf_use_feature(context.get(), "psnr", options); error != 0) {
        vmaf_feature_dictionary_free(&options);
        return {error, -1};
    }
    for (unsigned frame = 0; frame < kFrames; ++frame)
        SESSION_TRY(feed(context.get(), clip, frame, frame));
    SESSION_TRY(vmaf_read_pictures(context.get(), nullptr, nullptr, 0));

    Outcome outcome;
    SESSION_TRY(vmaf_score_pooled(context.get(), raw_model, VMAF_POOL_METHOD_MEAN, &outcome.score, 0, kFrames - 1));
    for (const VmafOutputFormat format : {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV})
        SESSION_TRY(vmaf_write_output(context.get(), "/dev/null", format));
    VmafScoreColumns *columns = nullptr;
    SESSION_TRY(vmaf_score_columns_create(context.get(), &columns));
    vmaf_score_columns_destroy(columns);
    return outcome;
}

// A session with the picture pool and a collection.
Outcome score_with_collection(unsigned n_threads)
{
    const Clip &clip = Clip::get(kClip);
    VmafConfiguration config{};
    config.n_threads = n_threads;
    VmafContext *raw_context = nullptr;
    SESSION_TRY(vmaf_init(&raw_context, config));
    const Context context(raw_context);
    VmafModel *raw_model = nullptr;
    VmafModelCollection *raw_collection = nullptr;
    VmafModelConfig model_config{"vmaf", 0};
    SESSION_TRY(vmaf_model_collection_load(&raw_model, &raw_collection, &model_config, "vmaf_b_v0.6.3"));
    const ModelHandle model(raw_model);
    const CollectionHandle collection(raw_collection);
    SESSION_TRY(vmaf_use_features_from_model_collection(context.get(), raw_collection));

    VmafPictureConfiguration pool{{clip.spec().width, clip.spec().height, 8, VMAF_PIX_FMT_YUV420P}, 2};
    SESSION_TRY(vmaf_preallocate_pictures(context.get(), pool));
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref{}, dis{};
        int error = vmaf_fetch_preallocated_picture(context.get(), &ref);
        if (error == 0)
            error = vmaf_fetch_preallocated_picture(context.get(), &dis);
        if (error == 0) {
            fill_picture(ref, clip, Side::ref, frame);
            fill_picture(dis, clip, Side::dis, frame);
            error = vmaf_read_pictures(context.get(), &ref, &dis, frame);
        }
        if (error != 0) {
            vmaf_picture_unref(&ref);
            vmaf_picture_unref(&dis);
            return {error, -1};
        }
    }
    SESSION_TRY(vmaf_read_pictures(context.get(), nullptr, nullptr, 0));
    VmafModelCollectionScore score{};
    SESSION_TRY(vmaf_score_pooled_model_collection(context.get(), raw_collection, VMAF_POOL_METHOD_MEAN, &score, 0,
                                                   kFrames - 1));
    return {0, score.bootstrap.bagging_score};
}

// Two sessions with one reference. The client keeps pictures of a failed read.
Outcome score_with_shared_reference(unsigned n_threads)
{
    const Clip &clip = Clip::get(kClip);
    Context contexts[2];
    VmafContext *raw[2] = {};
    for (unsigned i = 0; i < 2; ++i) {
        VmafConfiguration config{};
        config.n_threads = i * n_threads;
        SESSION_TRY(vmaf_init(&raw[i], config));
        contexts[i].reset(raw[i]);
        SESSION_TRY(vmaf_use_feature(raw[i], i == 0 ? "motion" : "psnr", nullptr));
    }
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        VmafPicture ref{}, dis[2] = {};
        int error = make_picture(ref, clip, Side::ref, frame);
        for (unsigned i = 0; error == 0 && i < 2; ++i)
            error = make_picture(dis[i], clip, Side::dis, frame);
        if (error == 0)
            error = vmaf_read_pictures_shared(raw, 2, &ref, dis, frame);
        for (VmafPicture *picture : {&ref, &dis[0], &dis[1]})
            if (error != 0)
                vmaf_picture_unref(picture);
        SESSION_TRY(error);
    }
    SESSION_TRY(vmaf_read_pictures_shared(raw, 2, nullptr, nullptr, 0));
    Outcome outcome;
    SESSION_TRY(vmaf_feature_score_pooled(raw[1], "psnr_y", VMAF_POOL_METHOD_MEAN, &outcome.score, 0, kFrames - 1));
    return outcome;
}

// A clip in two segments that are joined. A failed call changed nothing, so it is repeated once.
Outcome score_in_segments(unsigned n_threads)
{
    const Clip &clip = Clip::get(kClip);
    Context contexts[3]; // two segments and the clip
    for (unsigned i = 0; i < 3; ++i) {
        VmafConfiguration config{};
        config.n_threads = i < 2 ? n_threads : 0;
        VmafContext *raw = nullptr;
        SESSION_TRY(vmaf_init(&raw, config));
        contexts[i].reset(raw);
        VmafFeatureDictionary *options = nullptr;
        SESSION_TRY(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true"));
        if (const int error = vmaf_use_feature(raw, "psnr", options); error != 0) {
            vmaf_feature_dictionary_free(&options);
            return {error, -1};
        }
        SESSION_TRY(vmaf_use_feature(raw, "motion", nullptr));
        SESSION_TRY(vmaf_use_feature(raw, "float_motion", nullptr));
        for (unsigned frame = i; i < 2 && frame < i + 2; ++frame)
            SESSION_TRY(feed(raw, clip, frame, frame - i));
        if (i < 2)
            SESSION_TRY(vmaf_read_pictures(raw, nullptr, nullptr, 0));
    }
    for (unsigned i = 0; i < 2; ++i) {
        const auto append = [&] {
            if (i == 0)
                return vmaf_append_segment(contexts[2].get(), contexts[i].get(), i, 1);
            void *data = nullptr;
            std::size_t bytes = 0;
            if (const int error = vmaf_segment_save(contexts[i].get(), i, 1, &data, &bytes); error != 0)
                return error;
            const int error = vmaf_append_saved_segment(contexts[2].get(), data, bytes, nullptr);
            vmaf_segment_free(data);
            return error;
        };
        if (append() == -ENOMEM)
            SESSION_TRY(append());
    }
    SESSION_TRY(vmaf_read_pictures(contexts[2].get(), nullptr, nullptr, 0));
    Outcome outcome;
    SESSION_TRY(vmaf_feature_score_pooled(contexts[2].get(), "VMAF_integer_feature_motion2_score",
                                          VMAF_POOL_METHOD_MEAN, &outcome.score, 0, 1));
    return outcome;
}

// The client lends planes. Each picture is released once; otherwise the call fails with an errno
// that no test expects.
Outcome score_with_lent_pictures(unsigned n_threads, bool are_scaled = false)
{
    const Clip &clip = Clip::get("tiles_256x192_12");
    const Lending lending{"P012", VMAF_PLANE_LAYOUT_SEMI_PLANAR, 4};
    static const std::vector<PackedPlane> kept[2] = {pack(clip, Side::ref, 0, lending),
                                                     pack(clip, Side::dis, 0, lending)};
    static std::atomic<int> lent;
    lent = 0;
    const auto read = [&](VmafContext *vmaf, unsigned frame) {
        VmafPicture pair[2] = {};
        int error = 0;
        for (unsigned i = 0; i < 2 && error == 0; ++i) {
            VmafForeignPicture foreign{};
            foreign.struct_size = sizeof foreign;
            foreign.pix_fmt = clip.spec().pix_fmt;
            foreign.bpc = clip.spec().bits;
            foreign.shift = lending.shift;
            foreign.w = clip.spec().width;
            foreign.h = clip.spec().height;
            foreign.layout = lending.layout;
            foreign.scaled_w = are_scaled ? 200 : 0;
            foreign.scaled_h = are_scaled ? 201 : 0;
            for (unsigned plane = 0; plane < kept[i].size(); ++plane) {
                foreign.data[plane] = const_cast<std::byte *>(kept[i][plane].bytes.data());
                foreign.stride[plane] = static_cast<std::ptrdiff_t>(kept[i][plane].stride);
            }
            foreign.release = [](void *) { --lent; };
            error = vmaf_picture_wrap(vmaf, &pair[i], &foreign);
            lent += error == 0 ? 1 : 0;
        }
        if (error == 0)
            error = vmaf_read_pictures(vmaf, &pair[0], &pair[1], frame);
        if (error != 0)
            for (VmafPicture &picture : pair)
                vmaf_picture_unref(&picture);
        return error;
    };
    const auto session = [&]() -> Outcome {
        VmafConfiguration config{};
        config.n_threads = n_threads;
        VmafContext *raw_context = nullptr;
        SESSION_TRY(vmaf_init(&raw_context, config));
        const Context context(raw_context);
        SESSION_TRY(vmaf_use_feature(context.get(), "psnr", nullptr));
        SESSION_TRY(vmaf_use_feature(context.get(), "motion", nullptr));
        for (unsigned frame = 0; frame < kFrames; ++frame)
            SESSION_TRY(read(context.get(), frame));
        SESSION_TRY(vmaf_read_pictures(context.get(), nullptr, nullptr, 0));
        Outcome outcome;
        SESSION_TRY(
            vmaf_feature_score_pooled(context.get(), "psnr_cr", VMAF_POOL_METHOD_MEAN, &outcome.score, 0, kFrames - 1));
        return outcome;
    };
    const Outcome outcome = session();
    return lent == 0 ? outcome : Outcome{-EPROTO, -1};
}

// One feature alone, on a picture that is large enough for every feature.
Outcome score_with_feature(const char *feature)
{
    const Clip &clip = Clip::get("tiles_256x192_12");
    VmafContext *raw_context = nullptr;
    SESSION_TRY(vmaf_init(&raw_context, VmafConfiguration{}));
    const Context context(raw_context);
    SESSION_TRY(vmaf_use_feature(context.get(), feature, nullptr));
    for (unsigned frame = 0; frame < kFrames; ++frame)
        SESSION_TRY(feed(context.get(), clip, frame, frame));
    SESSION_TRY(vmaf_read_pictures(context.get(), nullptr, nullptr, 0));
    SESSION_TRY(vmaf_write_output(context.get(), "/dev/null", VMAF_OUTPUT_FORMAT_CSV));
    return {0, 0};
}

void fail_every_allocation(const std::function<Outcome()> &session)
{
    const Outcome clean = session(); // also makes what the library and the C library keep until the process ends
    ASSERT_EQ(clean.error, 0);
    FailingMalloc::arm(0, FailMode::once);
    ASSERT_EQ(session().error, 0);
    const unsigned long count = FailingMalloc::disarm();
    ASSERT_GT(count, 20U);

    for (const FailMode mode : {FailMode::once, FailMode::from_here_on}) {
        for (unsigned long k = 1; k <= count; ++k) {
            const long live_before = FailingMalloc::live_blocks();
            FailingMalloc::arm(k, mode);
            const Outcome outcome = session();
            FailingMalloc::disarm();
            const long leaked = FailingMalloc::live_blocks() - live_before;
            ASSERT_EQ(leaked, 0) << "allocation " << k << " of " << count;
            if (outcome.error == 0)
                ASSERT_EQ(outcome.score, clean.score) << "allocation " << k << " of " << count;
            else
                ASSERT_EQ(outcome.error, -ENOMEM) << "allocation " << k << " of " << count;
        }
    }
    const Outcome after = session();
    EXPECT_EQ(after.error, 0);
    EXPECT_EQ(after.score, clean.score);
}

TEST(FailingAllocations, ModelSessionWithoutThreadsAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_model(0); });
}

TEST(FailingAllocations, ModelSessionWithTwoThreadsAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_model(2); });
}

TEST(FailingAllocations, CollectionSessionWithPoolAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_collection(0); });
}

TEST(FailingAllocations, CollectionSessionWithPoolAndThreadsAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_collection(2); });
}

TEST(FailingAllocations, SessionOfLentPicturesAnswersEnomemAndGivesEachBackOnce)
{
    fail_every_allocation([] { return score_with_lent_pictures(0); });
}

TEST(FailingAllocations, SessionOfScaledPicturesAnswersEnomemAndGivesEachBackOnce)
{
    for (const unsigned n_threads : {0U, 2U})
        fail_every_allocation([n_threads] { return score_with_lent_pictures(n_threads, true); });
}

TEST(FailingAllocations, SessionOfLentPicturesWithThreadsAnswersEnomemAndGivesEachBackOnce)
{
    fail_every_allocation([] { return score_with_lent_pictures(2); });
}

TEST(FailingAllocations, SharedReferenceAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_shared_reference(0); });
}

TEST(FailingAllocations, SharedReferenceWithThreadsAnswersEnomemAndLeaksNothing)
{
    fail_every_allocation([] { return score_with_shared_reference(2); });
}

TEST(FailingAllocations, MergedSegmentsAnswerEnomemAndLeakNothing)
{
    fail_every_allocation([] { return score_in_segments(0); });
}

// Number of allocations to score so many frames with pictures of a pool, once the session is under
// way.
unsigned long allocations_of_frames(const char *feature, unsigned n_threads, unsigned frames)
{
    constexpr unsigned kFirst = 16;
    const Clip &clip = Clip::get("tiles_256x192_12");
    const Context context = open_context(n_threads);
    VmafPictureConfiguration pool{{clip.spec().width, clip.spec().height, clip.spec().bits, clip.spec().pix_fmt}, 2};
    EXPECT_EQ(vmaf_preallocate_pictures(context.get(), pool), 0);
    EXPECT_EQ(vmaf_use_feature(context.get(), feature, nullptr), 0);
    for (unsigned frame = 0; frame < kFirst + frames; ++frame) {
        VmafPicture ref{}, dis{};
        if (frame == kFirst)
            FailingMalloc::arm(0, FailMode::once);
        EXPECT_EQ(vmaf_fetch_preallocated_picture(context.get(), &ref), 0);
        EXPECT_EQ(vmaf_fetch_preallocated_picture(context.get(), &dis), 0);
        fill_picture(ref, clip, Side::ref, frame % clip.spec().frames);
        fill_picture(dis, clip, Side::dis, frame % clip.spec().frames);
        EXPECT_EQ(vmaf_read_pictures(context.get(), &ref, &dis, frame), 0);
    }
    return FailingMalloc::disarm();
}

class FrameAllocations : public testing::TestWithParam<const VmafFeatureInfo *> {};

TEST_P(FrameAllocations, AreNoneOnceTheSessionHasGotGoing)
{
    EXPECT_EQ(allocations_of_frames(GetParam()->name, 0, 64), 0U);
    // With threads, a slot or a picture of the pool may be used late for the first time, but there
    // are few of them.
    EXPECT_LT(allocations_of_frames(GetParam()->name, 2, 100), 50U);
}

INSTANTIATE_TEST_SUITE_P(Every, FrameAllocations, testing::ValuesIn(listed_features()),
                         [](const testing::TestParamInfo<const VmafFeatureInfo *> &feature) {
                             return feature.param->name;
                         });

class FailingFeatureAllocations : public testing::TestWithParam<const VmafFeatureInfo *> {};

TEST_P(FailingFeatureAllocations, AnswerEnomemAndLeakNothing)
{
    fail_every_allocation([] { return score_with_feature(GetParam()->name); });
}

INSTANTIATE_TEST_SUITE_P(Every, FailingFeatureAllocations, testing::ValuesIn(listed_features()),
                         [](const testing::TestParamInfo<const VmafFeatureInfo *> &feature) {
                             return feature.param->name;
                         });

} // namespace
} // namespace vmaf::test
