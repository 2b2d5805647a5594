#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include "libvmaf/libvmaf_ext.h"
#include "support/lists.h"
#include "support/session.h"

// Clips that are cut into segments with the overlap of vmaf_segment_overlap(). Every row equals the
// whole clip's. The segments are joined by vmaf_append_segment(), or saved and joined by
// vmaf_append_saved_segment(). The score file then equals the whole clip's, byte for byte (spec
// device_pictures 6).

namespace vmaf::test {
namespace {

/// The features or models of a session.
struct Selection {
    std::string feature; ///< empty for models
    std::vector<std::pair<const char *, const char *>> options;
    std::vector<const char *> models;
    unsigned before, after; ///< as the feature's chapter states it
    std::vector<const char *> collections = {};
    const char *clip = "tiles_352x288_10"; ///< a clip of five frames, which are fed in many orders
    std::string running = {};              ///< column whose values are of all frames so far: no segment has them
};

std::ostream &operator<<(std::ostream &out, const Selection &selection)
{
    out << selection.feature;
    for (const auto &[key, value] : selection.options)
        out << ' ' << key << '=' << value;
    for (const auto &names : {selection.models, selection.collections})
        for (const char *name : names)
            out << ' ' << name;
    return out;
}

/// Every option that makes a score, or a value of the clip, depend on other frames. The values make
/// it depend on many.
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
        {"psnr", {{"enable_apsnr", "true"}, {"enable_mse", "true"}}, {}, 0, 0},
        {"xpsnr", {}, {}, 1, 0},
        {"xpsnr", {{"fps", "50"}}, {}, 2, 0},
        {"cvvdp", {{"fps", "8"}}, {}, 2, 0, {}, "tiles_176x144_8", "cvvdp_run"},
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

/// A session with the selected features and models.
struct Scorer {
    Context context;
    unsigned subsample;
    std::string running;
    std::vector<ModelHandle> models;
    std::vector<CollectionHandle> collections;

    explicit Scorer(const Selection &selection, unsigned n_subsample = 0, unsigned n_threads = 0)
        : context(open_context(n_threads, n_subsample)), subsample(n_subsample), running(selection.running)
    {
        for (const char *version : selection.models) {
            models.push_back(load_model(version));
            EXPECT_EQ(vmaf_use_features_from_model(context.get(), models.back().get()), 0);
        }
        for (const char *version : selection.collections)
            use_collection(version);
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
    /// Reads the frames low..high-1 and flushes.
    void read(const Frames &frames, unsigned low, unsigned high)
    {
        for (unsigned i = low; i < high; ++i)
            EXPECT_EQ(feed(context.get(), frames.clip, frames.order[i], i - low), 0);
        flush();
    }
    void flush() { EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), 0); }
    /// Predicts the scored frames among first..end-1.
    void predict(unsigned first, unsigned end)
    {
        const unsigned step = std::max(subsample, 1U);
        double score = 0;
        VmafModelCollectionScore figures{};
        for (const ModelHandle &model : models)
            for (unsigned i = first; i < end; ++i)
                EXPECT_TRUE(i % step != 0 || vmaf_score_at_index(context.get(), model.get(), &score, i) == 0);
        for (const CollectionHandle &collection : collections)
            EXPECT_EQ(vmaf_score_pooled_model_collection(context.get(), collection.get(), VMAF_POOL_METHOD_MEAN,
                                                         &figures, first, end - 1),
                      0);
    }
    /// The score file with all digits.
    std::string file(VmafOutputFormat format) const
    {
        const std::string path = testing::TempDir() + "vmaf_segment_" + std::to_string(getpid()) + ".scores";
        EXPECT_EQ(vmaf_write_output_with_format(context.get(), path.c_str(), format, "%.17g"), 0);
        std::ifstream file(path);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        std::remove(path.c_str());
        return text;
    }

  private:
    void use_collection(const char *version)
    {
        VmafModelConfig config{version, 0};
        VmafModel *model = nullptr;
        VmafModelCollection *collection = nullptr;
        ASSERT_EQ(vmaf_model_collection_load(&model, &collection, &config, version), 0);
        models.emplace_back(model);
        collections.emplace_back(collection);
        EXPECT_EQ(vmaf_use_features_from_model(context.get(), model), 0);
        EXPECT_EQ(vmaf_use_features_from_model_collection(context.get(), collection), 0);
    }
};

/// The header of a score file and its rows by frame of the clip, without the frame number.
struct Scores {
    std::string columns;
    std::map<unsigned, std::string> rows;

    bool operator==(const Scores &) const = default;
};

/// A line of a score file without field number `place`, counted from 0.
std::string without_field(std::string line, std::size_t place)
{
    std::size_t start = 0;
    for (; place > 0; --place)
        start = line.find(',', start) + 1;
    return line.erase(start, line.find(',', start) + 1 - start);
}

/// Scores of the clip's frames first..end-1. The session has read the clip from `low` on.
Scores scores_of(Scorer &run, unsigned low, unsigned first, unsigned end)
{
    run.predict(first - low, end - low);
    std::istringstream file(run.file(VMAF_OUTPUT_FORMAT_CSV));
    Scores scores;
    std::getline(file, scores.columns);
    const std::size_t running = run.running.empty() ? std::string::npos : scores.columns.find(',' + run.running + ',');
    const auto place = running == std::string::npos
                           ? 0
                           : 1 + std::count(scores.columns.begin(),
                                            scores.columns.begin() + static_cast<std::ptrdiff_t>(running), ',');
    for (std::string line; std::getline(file, line);) {
        if (place > 0)
            line = without_field(line, static_cast<std::size_t>(place));
        const unsigned frame = low + static_cast<unsigned>(std::stoul(line));
        if (frame >= first && frame < end)
            scores.rows[frame] = line.substr(line.find(','));
    }
    return scores;
}

unsigned count_of(const Frames &frames)
{
    return static_cast<unsigned>(frames.order.size());
}

/// A session that has read the whole clip.
Scorer scored(const Selection &selection, const Frames &frames, unsigned subsample = 0)
{
    Scorer run(selection, subsample);
    run.read(frames, 0, count_of(frames));
    return run;
}

Scores whole(const Selection &selection, const Frames &frames, unsigned subsample = 0)
{
    Scorer run = scored(selection, frames, subsample);
    return scores_of(run, 0, 0, count_of(frames));
}

struct Segment {
    unsigned first, end;
};

/// A session that has read a segment and its overlap.
struct Part {
    Scorer run;
    Segment segment;
    unsigned low; ///< the first frame of the clip that it read

    /// @param less number of overlap frames to leave out.
    Part(const Selection &selection, const Frames &frames, const Segment &part, unsigned subsample = 0,
         std::pair<unsigned, unsigned> less = {0, 0}, unsigned n_threads = 0)
        : run(selection, subsample, n_threads), segment(part)
    {
        const auto [before, after] = run.overlap();
        low = segment.first - std::min(segment.first, before - less.first);
        run.read(frames, low, std::min(segment.end + after - less.second, count_of(frames)));
        EXPECT_EQ(run.overlap(), std::pair(before, after)) << "the same before the first frame and after the last";
    }
    Scores scores() { return scores_of(run, low, segment.first, segment.end); }
    int append_to(Scorer &merged) const
    {
        return vmaf_append_segment(merged.context.get(), run.context.get(), segment.first - low,
                                   segment.end - segment.first);
    }
};

std::string saved(const Part &part)
{
    void *data = nullptr;
    std::size_t bytes = 0;
    EXPECT_EQ(vmaf_segment_save(part.run.context.get(), part.segment.first - part.low,
                                part.segment.end - part.segment.first, &data, &bytes),
              0);
    const std::string copy(static_cast<const char *>(data), bytes);
    vmaf_segment_free(data);
    return copy;
}

Scores part(const Selection &selection, const Frames &frames, const Segment &segment, unsigned subsample = 0,
            std::pair<unsigned, unsigned> less = {0, 0}, unsigned n_threads = 0)
{
    return Part(selection, frames, segment, subsample, less, n_threads).scores();
}

/// The score file of a session with all scores, without the rate.
std::string final_file(Scorer &run, unsigned count)
{
    run.predict(0, count);
    const std::string text = run.file(VMAF_OUTPUT_FORMAT_JSON);
    return text.substr(text.find("\"frames\""));
}

/// Returns the score file of a session to which the saved segments were appended.
std::string merged_file(const Selection &selection, std::span<const std::string> saved, unsigned subsample,
                        unsigned end)
{
    Scorer merged(selection, subsample);
    unsigned frames = 0;
    for (const std::string &bytes : saved) {
        unsigned count = 0;
        EXPECT_EQ(vmaf_append_saved_segment(merged.context.get(), bytes.data(), bytes.size(), &count), 0);
        frames += count;
    }
    EXPECT_EQ(frames, end);
    merged.flush();
    return final_file(merged, end);
}

/// The file is the same whether segments are appended or saved first.
std::string merged_file(const Selection &selection, std::span<const Part> parts, unsigned subsample = 0)
{
    Scorer merged(selection, subsample);
    std::vector<std::string> all_saved;
    for (const Part &part : parts) {
        EXPECT_EQ(part.append_to(merged), 0) << part.segment.first << ".." << part.segment.end - 1;
        all_saved.push_back(saved(part));
    }
    merged.flush();
    const unsigned end = parts.back().segment.end;
    std::string file = final_file(merged, end);
    EXPECT_EQ(merged_file(selection, all_saved, subsample, end), file);
    return file;
}

void expect_equal_when_cut_anywhere(const Selection &selection, const Frames &frames)
{
    SCOPED_TRACE(testing::Message() << selection);
    const unsigned count = count_of(frames);
    Scorer run = scored(selection, frames);
    const Scores uncut = scores_of(run, 0, 0, count);
    const std::string uncut_file = final_file(run, count);
    ASSERT_EQ(uncut.rows.size(), count);
    for (unsigned cut = 1; cut < count; ++cut) {
        SCOPED_TRACE(testing::Message() << "cut before frame " << cut);
        std::vector<Part> parts;
        parts.emplace_back(selection, frames, Segment{0, cut});
        parts.emplace_back(selection, frames, Segment{cut, count});
        Scores rows = parts[0].scores();
        rows.rows.merge(parts[1].scores().rows);
        EXPECT_EQ(rows, uncut);
        EXPECT_EQ(merged_file(selection, parts), uncut_file);
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

/// Frames without equal neighbours, more than any feature here looks at.
Frames ten_frames(const Selection &selection)
{
    return {Clip::get(selection.clip), {0, 3, 1, 4, 2, 0, 4, 1, 3, 2}};
}
/// Large enough for every feature.
Frames ten_frames()
{
    return ten_frames(Selection{});
}

TEST(Segments, HaveTheClipsScoresWhereverTheyBeginAndEnd)
{
    for (const Selection &selection : temporal_selections()) {
        const Frames frames = ten_frames(selection);
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

// With one frame less on either side, some segment has other scores. A larger overlap than
// necessary would cost every client.
TEST(Segments, NeedTheWholeOverlap)
{
    for (const Selection &selection : temporal_selections()) {
        const Frames frames = ten_frames(selection);
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
    for (const VmafFeatureInfo *spec : listed_features()) {
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

/// All features that look at other frames at once, with models, a collection, and values of the
/// clip.
Selection everything()
{
    return {"psnr", {{"enable_apsnr", "true"}}, {"vmaf_v1.0.16_hfr_3d0h", "vmaf_float_v0.6.1"}, 4,
            2,      {"vmaf_b_v0.6.3"}};
}

std::vector<unsigned> random_cuts(std::mt19937 &random, unsigned count, unsigned step)
{
    std::vector<unsigned> cuts{0};
    for (unsigned i = step; i < count; i += step)
        if (random() % 2 == 0)
            cuts.push_back(i);
    cuts.push_back(count);
    return cuts;
}

void expect_equal_when_cut_at(const Selection &selection, const Frames &frames, const std::vector<unsigned> &cuts,
                              const std::string &uncut, unsigned subsample, unsigned n_threads)
{
    std::vector<Part> parts;
    for (std::size_t i = 1; i < cuts.size(); ++i)
        parts.emplace_back(selection, frames, Segment{cuts[i - 1], cuts[i]}, subsample, std::pair(0U, 0U), n_threads);
    EXPECT_EQ(merged_file(selection, parts, subsample), uncut)
        << selection << ": " << testing::PrintToString(cuts) << " of every " << subsample;
}

TEST(MergedSegments, HaveTheClipsScoreFileHoweverManyThereAre)
{
    std::mt19937 random(20261123);
    const Frames frames = ten_frames();
    for (const unsigned subsample : {0U, 2U, 3U}) {
        std::vector<Selection> selections = temporal_selections();
        selections.push_back(everything());
        for (const Selection &selection : selections) {
            Scorer run = scored(selection, frames, subsample);
            const std::string uncut = final_file(run, 10);
            for (const unsigned n_threads : {0U, 2U})
                expect_equal_when_cut_at(selection, frames, random_cuts(random, 10, std::max(subsample, 1U)), uncut,
                                         subsample, n_threads);
        }
    }
    Scorer run = scored(everything(), frames);
    expect_equal_when_cut_at(everything(), frames, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, final_file(run, 10), 0, 0);
}

TEST(MergedSegments, OfAClipThatEndedAnywhereHaveItsScoreFile)
{
    for (unsigned count = 1; count < 7; ++count) {
        for (const Selection &selection : temporal_selections()) {
            Frames frames = ten_frames(selection);
            frames.order.resize(count);
            Scorer run = scored(selection, frames);
            const std::string uncut = final_file(run, count);
            std::vector<unsigned> cuts;
            for (unsigned cut = 0; cut <= count; ++cut)
                cuts.push_back(cut);
            expect_equal_when_cut_at(selection, frames, cuts, uncut, 0, 0);
        }
    }
}

/// The segments of a clip that another process scores and saves.
std::vector<std::string> saved_elsewhere(const Selection &selection, const Frames &frames,
                                         const std::vector<unsigned> &cuts, unsigned subsample)
{
    std::vector<std::string> all_saved;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const std::string path = testing::TempDir() + "vmaf_saved_" + std::to_string(getpid());
        const pid_t child = fork();
        if (child == 0) {
            std::ofstream(path, std::ios::binary) << saved(Part(selection, frames, {cuts[i - 1], cuts[i]}, subsample));
            _exit(testing::Test::HasFailure() ? 1 : 0);
        }
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        std::ifstream file(path, std::ios::binary);
        all_saved.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        std::remove(path.c_str());
    }
    return all_saved;
}

TEST(MergedSegments, OfOtherProcessesHaveTheClipsScoreFile)
{
    std::mt19937 random(20261125);
    std::vector<Selection> selections = temporal_selections();
    for (const VmafFeatureInfo *spec : listed_features())
        selections.push_back({spec->name, {}, {}, 0, 0});
    selections.push_back(everything());
    for (const Selection &selection : selections)
        for (const unsigned subsample : {0U, 3U}) {
            const Frames frames = ten_frames(selection);
            Scorer run = scored(selection, frames, subsample);
            const std::string uncut = final_file(run, 10);
            const std::vector<unsigned> cuts = random_cuts(random, 10, std::max(subsample, 1U));
            EXPECT_EQ(merged_file(selection, saved_elsewhere(selection, frames, cuts, subsample), subsample, 10), uncut)
                << selection << ": " << testing::PrintToString(cuts) << " of every " << subsample;
        }
}

// Segments of 25 frames, of which every third is scored. 25 is no multiple of 3. The second segment
// has the right number of scored frames.
TEST(MergedSegments, RefuseFramesThatAreScoredElsewhereInTheClip)
{
    const Selection selection{"vif", {}, {}, 0, 0};
    Frames frames{Clip::get(selection.clip), {}};
    for (unsigned i = 0; i < 50; ++i)
        frames.order.push_back(i % 5);
    Scorer merged(selection, 3);
    EXPECT_EQ(Part(selection, frames, {0, 25}, 3).append_to(merged), 0);
    const Part second(selection, frames, {25, 49}, 3);
    EXPECT_EQ(second.append_to(merged), -EINVAL);
    const std::string bytes = saved(second);
    EXPECT_EQ(vmaf_append_saved_segment(merged.context.get(), bytes.data(), bytes.size(), nullptr), -EINVAL);
}

TEST(MergedSegments, MayBeASegmentThemselves)
{
    const Selection selection = everything();
    const Frames frames = ten_frames();
    Scorer run = scored(selection, frames), halves(selection), clip(selection);
    EXPECT_EQ(Part(selection, frames, {0, 4}).append_to(halves), 0);
    EXPECT_EQ(Part(selection, frames, {4, 10}).append_to(halves), 0);
    halves.flush();
    EXPECT_EQ(vmaf_append_segment(clip.context.get(), halves.context.get(), 0, 10), 0);
    clip.flush();
    EXPECT_EQ(final_file(clip, 10), final_file(run, 10));
}

TEST(MergedSegments, NeedTheWholeOverlap)
{
    const Frames frames = ten_frames();
    for (const Selection &selection : temporal_selections())
        for (const bool from_before : {true, false}) {
            if ((from_before ? selection.before : selection.after) == 0)
                continue;
            const std::pair<unsigned, unsigned> less{from_before, !from_before};
            Scorer merged(selection);
            EXPECT_EQ(Part(selection, frames, {0, 5}, 0, {0, less.second}).append_to(merged), 0);
            EXPECT_EQ(Part(selection, frames, {5, 10}, 0, {less.first, 0}).append_to(merged), -EINVAL) << selection;
            if (from_before) {
                EXPECT_EQ(Part(selection, frames, {5, 10}).append_to(merged), 0) << "nothing had changed";
            }
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
