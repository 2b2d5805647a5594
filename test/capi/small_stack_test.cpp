// Clients may call from threads with a small stack: 64 KiB are enough for every call.

#include <pthread.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "client.h"

namespace vmaf::test {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10;

std::string write_file(const char *name, const std::string &text)
{
    const std::string path = temp_path(name);
    std::ofstream(path) << text;
    return path;
}

void score_with_models(const std::string &model_path, const std::string &collection_path)
{
    OpenContext vmaf;
    VmafModelConfig config{"file", VMAF_MODEL_FLAGS_DEFAULT}, built_in_config{"vmaf", VMAF_MODEL_FLAGS_DEFAULT},
        collection_config{"collection", VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel *model = nullptr, *main_model = nullptr, *built_in = nullptr;
    VmafModelCollection *collection = nullptr;
    ASSERT_EQ(vmaf_model_load_from_path(&model, &config, model_path.c_str()), 0);
    ASSERT_EQ(vmaf_model_load(&built_in, &built_in_config, "vmaf_v1.0.16_3d0h"), 0);
    ASSERT_EQ(
        vmaf_model_collection_load_from_path(&main_model, &collection, &collection_config, collection_path.c_str()), 0);
    EXPECT_EQ(vmaf_model_feature_overload(model, "adm", dictionary({{"adm_enhn_gain_limit", "1.2"}})), 0);
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, built_in), 0);
    ASSERT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), 0);
    for (const char *feature :
         {"float_psnr", "float_ansnr", "float_adm", "float_vif", "float_motion", "float_moment", "speed_temporal",
          "float_ms_ssim", "float_ssim", "ciede", "psnr", "psnr_hvs", "vif", "ssimulacra2"})
        ASSERT_EQ(use_feature(vmaf, feature), 0) << feature;
    EXPECT_EQ(use_feature(vmaf, "no such feature"), -EINVAL);

    const Clip &clip = Clip::get("tiles_352x288_10");
    read_clip(vmaf, clip, 2);
    EXPECT_EQ(flush(vmaf), 0);
    double score = 0;
    VmafModelCollectionScore collection_score{};
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), 0);
    EXPECT_EQ(vmaf_score_pooled(vmaf, built_in, VMAF_POOL_METHOD_MEAN, &score, 0, 1), 0);
    EXPECT_EQ(vmaf_score_pooled_model_collection(vmaf, collection, VMAF_POOL_METHOD_MEAN, &collection_score, 0, 1), 0);
    const std::string output = temp_path("small_stack_output");
    for (const VmafOutputFormat format :
         {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV, VMAF_OUTPUT_FORMAT_SUB})
        EXPECT_EQ(vmaf_write_output(vmaf, output.c_str(), format), 0);
    vmaf_model_destroy(model);
    vmaf_model_destroy(built_in);
    vmaf_model_destroy(main_model);
    vmaf_model_collection_destroy(collection);
    EXPECT_EQ(vmaf.close(), 0);
}

struct Paths {
    std::string model, collection;
};

void *run_on_thread(void *paths)
{
    const Paths &files = *static_cast<const Paths *>(paths);
    score_with_models(files.model, files.collection);
    return nullptr;
}

[[noreturn]] void run_on_small_stack(Paths &paths)
{
    pthread_attr_t attributes;
    pthread_t thread{};
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
    EXPECT_EQ(pthread_create(&thread, &attributes, run_on_thread, &paths), 0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(SmallStack, HoldsASession)
{
#ifdef VMAF_TEST_OF_SANITIZED_CODE
    GTEST_SKIP() << "the sanitizer's own frames are larger";
#endif
    const std::string model = small_model_text();
    Paths paths{write_file("small_stack_model.json", model),
                write_file("small_stack_models.json", "{\"0\": " + model + ", \"1\": " + model + "}")};
    Clip::get("tiles_352x288_10"); // made here, because this thread has a large stack
    EXPECT_EXIT(run_on_small_stack(paths), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace vmaf::test
