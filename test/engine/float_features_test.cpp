#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <unistd.h>

#include "support/session.h"

// Order of the columns (spec abi 4.2). Some columns get their first score with the first frame,
// others with the second, before the flush.

namespace vmaf::test {
namespace {

constexpr const char *kClip = "tiles_176x144_8";

/// Columns of the CSV output, without the frame number.
std::vector<std::string> columns(VmafContext *context)
{
    char path[] = "/tmp/vmaf_columns_test_XXXXXX";
    const int descriptor = mkstemp(path);
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    EXPECT_EQ(vmaf_write_output(context, path, VMAF_OUTPUT_FORMAT_CSV), 0);
    std::ifstream file(path);
    std::string header;
    std::getline(file, header);
    std::remove(path);
    std::vector<std::string> names;
    std::stringstream fields(header);
    for (std::string name; std::getline(fields, name, ',');)
        if (!name.empty() && name != "Frame")
            names.push_back(name);
    return names;
}

void use(const Context &context, const char *feature, const char *option = nullptr, const char *value = nullptr)
{
    VmafFeatureDictionary *options = nullptr;
    if (option != nullptr) {
        ASSERT_EQ(vmaf_feature_dictionary_set(&options, option, value), 0);
    }
    ASSERT_EQ(vmaf_use_feature(context.get(), feature, options), 0);
}

using Names = std::vector<std::string>;

TEST(ColumnOrder, OfFloatMotionAlone)
{
    for (const unsigned n_threads : {0U, 4U}) {
        const Context context = open_context(n_threads);
        use(context, "float_motion");
        ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
        EXPECT_EQ(columns(context.get()), (Names{"motion2", "motion", "motion3"})) << n_threads;
    }
}

TEST(ColumnOrder, OfFloatMotionForcedTo0)
{
    const Context context = open_context(0);
    use(context, "float_motion", "motion_force_zero", "true");
    ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
    EXPECT_EQ(columns(context.get()), (Names{"motion2_force_0", "motion3_force_0", "motion_force_0"}));
}

TEST(ColumnOrder, OfAFloatModel)
{
    for (const unsigned n_threads : {0U, 4U}) {
        const Context context = open_context(n_threads);
        const ModelHandle model = load_model("vmaf_float_v0.6.1", "vmaf");
        ASSERT_EQ(vmaf_use_features_from_model(context.get(), model.get()), 0);
        use(context, "psnr");
        ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
        double score = 0;
        ASSERT_EQ(vmaf_score_at_index(context.get(), model.get(), &score, 0), 0);
        EXPECT_EQ(columns(context.get()),
                  (Names{"adm2", "aim", "adm3", "adm_scale0", "adm_scale1", "adm_scale2", "adm_scale3", "motion2",
                         "motion", "vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3", "psnr_y", "psnr_cb",
                         "psnr_cr", "motion3", "vmaf"}))
            << n_threads;
    }
}

// Columns of the second frame come before columns of the flush.
TEST(ColumnOrder, OfBothMotions)
{
    for (const unsigned n_threads : {0U, 4U}) {
        const Context context = open_context(n_threads);
        use(context, "motion");
        use(context, "float_motion");
        ASSERT_EQ(feed_all(context.get(), Clip::get(kClip)), 0);
        EXPECT_EQ(columns(context.get()), (Names{"VMAF_integer_feature_motion_sad_score", "motion2", "motion",
                                                 "motion3", "integer_motion2", "integer_motion3"}))
            << n_threads;
    }
}

// The engine also keeps the chroma of the picture before (spec motion 7, step 5).
TEST(FloatMotionSession, MeasuresChromaWithAnyNumberOfThreads)
{
    const Clip &clip = Clip::get(kClip);
    std::vector<double> first;
    for (const unsigned n_threads : {0U, 4U}) {
        const Context context = open_context(n_threads);
        use(context, "float_motion");
        use(context, "float_motion", "motion_add_uv", "true");
        ASSERT_EQ(feed_all(context.get(), clip), 0);
        std::vector<double> scores;
        for (unsigned i = 0; i < clip.spec().frames; ++i) {
            double luma = -1, all = -1;
            ASSERT_EQ(vmaf_feature_score_at_index(context.get(), "VMAF_feature_motion_score", &luma, i), 0);
            ASSERT_EQ(vmaf_feature_score_at_index(context.get(), "motion_mau", &all, i), 0);
            EXPECT_TRUE(i == 0 ? all == 0 : all > luma) << i;
            scores.push_back(all);
        }
        if (first.empty())
            first = scores;
        EXPECT_EQ(scores, first);
    }
}

TEST(FloatAdmSession, DebugWithOtherParametersFailsAtTheFirstFrame)
{
    const Context context = open_context(0);
    use(context, "float_adm", "debug", "true");
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "debug", "true"), 0);
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "adm_p_norm", "2"), 0);
    ASSERT_EQ(vmaf_use_feature(context.get(), "float_adm", options), 0);
    EXPECT_EQ(feed(context.get(), Clip::get(kClip), 0, 0), -EINVAL);
}

} // namespace
} // namespace vmaf::test
