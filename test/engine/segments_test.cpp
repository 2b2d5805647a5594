#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include <unistd.h>

#include "libvmaf/libvmaf_ext.h"
#include "support/registry.h"
#include "support/session.h"

// Clips that are cut into parts with the overlap that vmaf_segment_overlap() says: every row equals the whole clip's (spec device_pictures 6).

namespace vmaf::test {
namespace {

/// What a session computes.
struct Selection {
    std::string feature; ///< empty: models
    std::vector<std::pair<const char *, const char *>> options;
    std::vector<const char *> models;
    unsigned before, after; ///< by the feature's chapter
};

std::ostream &operator<<(std::ostream &out, const Selection &selection)
{
    out << selection.feature;
    for (const auto &[key, value] : selection.options)
        out << ' ' << key << '=' << value;
    for (const char *model : selection.models)
        out << ' ' << model;
    return out;
}

/// Every option by which a score depends on other frames, and values that make it depend on more of them.
const std::vector<Selection> &temporal_selections()
{
    static const std::vector<Selection> all{
        {"motion", {}, {}, 1, 1},
        {"motion", {{"debug", "true"}, {"motion_blend_factor", "0.5"}, {"motion_blend_offset", "3"}}, {}, 1, 1},
        {"motion", {{"motion_moving_average", "true"}}, {}, 2, 1},
        {"motion", {{"motion_five_frame_window", "true"}}, {}, 3, 2},
        {"motion", {{"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}}, {}, 4, 2},
        {"motion", {{"motion_force_zero", "true"}}, {}, 0, 1},
        {"float_motion", {}, {}, 1, 1},
        {"float_motion", {{"motion_add_scale1", "true"}, {"motion_fps_weight", "2"}}, {}, 1, 1},
        {"float_motion", {{"motion_force_zero", "true"}}, {}, 0, 0},
        {"speed_temporal", {}, {}, 1, 0},
        {"speed_temporal", {{"speed_use_ref_diff", "true"}}, {}, 1, 0},
    };
    return all;
}

/// Frames of a clip in some order.
struct Frames {
    const Clip &clip;
    std::vector<unsigned> order;
};
Frames all_of(const Clip &clip)
{
    Frames frames{clip, {}};
    for (unsigned i = 0; i < clip.spec().frames; ++i)
        frames.order.push_back(i);
    return frames;
}

/// A session with the selection, and its models.
struct Scorer {
    Context context;
    std::vector<ModelHandle> models;

    explicit Scorer(const Selection &selection, unsigned subsample = 0, unsigned n_threads = 0)
        : context(open_context(n_threads, subsample))
    {
        for (const char *version : selection.models) {
            models.push_back(load_model(version));
            EXPECT_EQ(vmaf_use_features_from_model(context.get(), models.back().get()), 0);
        }
        if (selection.feature.empty())
            return;
        VmafFeatureDictionary *options = nullptr;
        for (const auto &[key, value] : selection.options)
            EXPECT_EQ(vmaf_feature_dictionary_set(&options, key, value), 0);
        EXPECT_EQ(vmaf_use_feature(context.get(), selection.feature.c_str(), options), 0);
    }
    std::pair<unsigned, unsigned> overlap() const
    {
        std::pair<unsigned, unsigned> overlap{~0U, ~0U};
        EXPECT_EQ(vmaf_segment_overlap(context.get(), &overlap.first, &overlap.second), 0);
        return overlap;
    }
};

/// A score file's header and its rows, by frame of the clip, without the frame's number.
struct Scores {
    std::string columns;
    std::map<unsigned, std::string> rows;

    bool operator==(const Scores &) const = default;
};

/// Scores of the frames first..end-1, from a session that reads frames low..high-1.
Scores scores_of(Scorer &run, const Frames &frames, unsigned low, unsigned high, unsigned first, unsigned end,
                 unsigned subsample)
{
    for (unsigned i = low; i < high; ++i)
        EXPECT_EQ(feed(run.context.get(), frames.clip, frames.order[i], i - low), 0);
    EXPECT_EQ(vmaf_read_pictures(run.context.get(), nullptr, nullptr, 0), 0);
    for (const ModelHandle &model : run.models)
        for (unsigned i = first; i < end; ++i) {
            double score = 0;
            const bool is_scored = (i - low) % std::max(subsample, 1U) == 0;
            EXPECT_TRUE(!is_scored || vmaf_score_at_index(run.context.get(), model.get(), &score, i - low) == 0);
        }
    const std::string path = testing::TempDir() + "vmaf_segment_" + std::to_string(getpid()) + ".csv";
    EXPECT_EQ(vmaf_write_output_with_format(run.context.get(), path.c_str(), VMAF_OUTPUT_FORMAT_CSV, "%.17g"), 0);
    std::ifstream file(path);
    Scores scores;
    std::getline(file, scores.columns);
    for (std::string line; std::getline(file, line);) {
        const unsigned frame = low + static_cast<unsigned>(std::stoul(line));
        if (frame >= first && frame < end)
            scores.rows[frame] = line.substr(line.find(','));
    }
    std::remove(path.c_str());
    return scores;
}

Scores whole(const Selection &selection, const Frames &frames, unsigned subsample = 0)
{
    Scorer run(selection, subsample);
    const auto count = static_cast<unsigned>(frames.order.size());
    return scores_of(run, frames, 0, count, 0, count, subsample);
}

struct Segment {
    unsigned first, end;
};

/// The part's scores. @param less of the overlap is left out.
Scores part(const Selection &selection, const Frames &frames, const Segment &segment, unsigned subsample = 0,
            std::pair<unsigned, unsigned> less = {0, 0}, unsigned n_threads = 0)
{
    Scorer run(selection, subsample, n_threads);
    const auto [before, after] = run.overlap();
    const unsigned low = segment.first - std::min(segment.first, before - less.first);
    const unsigned high =
        std::min<unsigned>(segment.end + after - less.second, static_cast<unsigned>(frames.order.size()));
    const Scores scores = scores_of(run, frames, low, high, segment.first, segment.end, subsample);
    EXPECT_EQ(run.overlap(), std::pair(before, after)) << "the same before the first frame and after the last";
    return scores;
}

void expect_equal_when_cut_anywhere(const Selection &selection, const Frames &frames)
{
    SCOPED_TRACE(testing::Message() << selection);
    const Scores uncut = whole(selection, frames);
    ASSERT_EQ(uncut.rows.size(), frames.order.size());
    const auto count = static_cast<unsigned>(frames.order.size());
    for (unsigned cut = 1; cut < count; ++cut) {
        Scores merged = part(selection, frames, {0, cut});
        merged.rows.merge(part(selection, frames, {cut, count}).rows);
        EXPECT_EQ(merged, uncut) << "cut before frame " << cut;
    }
}

class CutClips : public testing::TestWithParam<ClipSpec> {};

TEST_P(CutClips, EveryTemporalOptionAtEveryFrame)
{
    const Clip &clip = Clip::get(GetParam().name);
    for (const Selection &selection : temporal_selections())
        expect_equal_when_cut_anywhere(selection, all_of(clip));
}

std::vector<ClipSpec> clips(bool large)
{
    std::vector<ClipSpec> list;
    for (const ClipSpec &spec : clip_specs())
        if ((spec.width >= 960) == large)
            list.push_back(spec);
    return list;
}
std::string clip_name(const testing::TestParamInfo<ClipSpec> &info)
{
    return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Small, CutClips, testing::ValuesIn(clips(false)), clip_name);
INSTANTIATE_TEST_SUITE_P(Large, CutClips, testing::ValuesIn(clips(true)), clip_name);

/// Frames of which no two neighbours are alike, more than any feature looks at, and large enough for all of them.
Frames ten_frames()
{
    return {Clip::get("tiles_352x288_10"), {0, 3, 1, 4, 2, 0, 4, 1, 3, 2}};
}

TEST(Segments, HaveTheClipsScoresWhereverTheyBeginAndEnd)
{
    const Frames frames = ten_frames();
    for (const Selection &selection : temporal_selections()) {
        SCOPED_TRACE(testing::Message() << selection);
        const Scores uncut = whole(selection, frames);
        for (unsigned first = 0; first < 10; ++first)
            for (unsigned end = first + 1; end <= 10; ++end) {
                Scores merged = part(selection, frames, {first, end});
                ASSERT_EQ(merged.rows.size(), end - first);
                Scores expected = uncut;
                std::erase_if(expected.rows, [&](const auto &row) { return row.first < first || row.first >= end; });
                EXPECT_EQ(merged, expected) << first << ".." << end - 1;
            }
    }
}

TEST(Segments, OverlapByWhatTheChaptersSay)
{
    for (const Selection &selection : temporal_selections())
        EXPECT_EQ(Scorer(selection).overlap(), std::pair(selection.before, selection.after)) << selection;
    const Selection both{"speed_temporal", {}, {"vmaf_v1.0.16_hfr_3d0h"}, 4, 2};
    EXPECT_EQ(Scorer(both).overlap(), std::pair(4U, 2U)) << "the most of all features";
}

// One frame less on either side, and some part has other scores: a declaration that is too large would cost every client.
TEST(Segments, NeedTheWholeOverlap)
{
    const Frames frames = ten_frames();
    for (const Selection &selection : temporal_selections()) {
        const Scores uncut = whole(selection, frames);
        const bool zero = uncut.columns.find("force_0") != std::string::npos;
        for (const bool from_before : {true, false}) {
            if (zero || (from_before ? selection.before : selection.after) == 0)
                continue;
            unsigned differing = 0;
            for (unsigned first = 0; first < 10; ++first)
                for (unsigned end = first + 1; end <= 10; ++end)
                    for (const auto &[frame, row] :
                         part(selection, frames, {first, end}, 0, {from_before, !from_before}).rows)
                        differing += row != uncut.rows.at(frame);
            EXPECT_GT(differing, 0U) << selection << (from_before ? ": before" : ": after");
        }
    }
}

TEST(Segments, NeedNothingElseForFeaturesThatLookAtOneFrame)
{
    const Clip &clip = Clip::get("tiles_352x288_10");
    for (const FeatureSpec *spec : scoring_features()) {
        if (!takes(*spec, clip.format()))
            continue;
        const bool is_temporal = std::ranges::any_of(
            temporal_selections(), [spec](const Selection &selection) { return selection.feature == spec->name; });
        const Selection selection{spec->name, {}, {}, 0, 0};
        if (!is_temporal) {
            EXPECT_EQ(Scorer(selection).overlap(), std::pair(0U, 0U)) << spec->name;
        }
        expect_equal_when_cut_anywhere(selection, all_of(clip));
    }
}

TEST(Segments, HaveTheClipsModelScores)
{
    const Selection models{"", {}, {"vmaf_v0.6.1", "vmaf_v1.0.16_hfr_3d0h", "vmaf_float_v0.6.1"}, 4, 2};
    expect_equal_when_cut_anywhere(models, ten_frames());
    expect_equal_when_cut_anywhere(models, all_of(Clip::get("cut_352x288_8")));
}

TEST(Segments, HaveTheClipsScoresWithThreads)
{
    const Frames frames = ten_frames();
    const Selection models{"speed_temporal", {}, {"vmaf_v1.0.16_hfr_3d0h"}, 4, 2};
    const Scores uncut = whole(models, frames);
    for (unsigned first = 0; first < 10; first += 2)
        for (const auto &[frame, row] : part(models, frames, {first, first + 2}, 0, {0, 0}, 3).rows)
            EXPECT_EQ(row, uncut.rows.at(frame)) << frame;
}

TEST(Segments, OfASubsampledClipBeginWhereItScores)
{
    const Frames frames = ten_frames();
    for (const unsigned subsample : {2U, 3U, 5U, 7U}) {
        const Selection models{"psnr", {}, {"vmaf_v1.0.16_hfr_3d0h"}, 0, 0};
        const Scores uncut = whole(models, frames, subsample);
        EXPECT_EQ(Scorer(models, subsample).overlap().first, (3 / subsample + 1) * subsample);
        for (unsigned first = 0; first < 10; first += subsample) {
            const unsigned end = std::min(first + subsample, 10U);
            const Scores cut = part(models, frames, {first, end}, subsample);
            EXPECT_EQ(cut.columns, uncut.columns);
            ASSERT_EQ(cut.rows.size(), 1U);
            EXPECT_EQ(cut.rows.at(first), uncut.rows.at(first)) << subsample << ' ' << first;
        }
        EXPECT_EQ(Scorer({"psnr", {}, {}, 0, 0}, subsample).overlap(), std::pair(0U, 0U));
    }
}

TEST(Segments, RefuseBadArguments)
{
    const Context context = open_context(0);
    unsigned before = 7, after = 7;
    EXPECT_EQ(vmaf_segment_overlap(nullptr, &before, &after), -EINVAL);
    EXPECT_EQ(vmaf_segment_overlap(context.get(), nullptr, &after), -EINVAL);
    EXPECT_EQ(vmaf_segment_overlap(context.get(), &before, nullptr), -EINVAL);
    EXPECT_EQ(before, 7U);
    EXPECT_EQ(after, 7U);
    EXPECT_EQ(vmaf_segment_overlap(context.get(), &before, &after), 0);
    EXPECT_EQ(before, 0U) << "nothing is registered";
    EXPECT_EQ(after, 0U);
}

} // namespace
} // namespace vmaf::test
