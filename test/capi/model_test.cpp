// Models and collections: loading, overloading, ownership (spec abi 3.4, 3.6, 9).

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "client.h"

namespace vmaf::test {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

constexpr const char *kCollection = "vmaf_b_v0.6.3";

/// A stale pointer, which a failed load must overwrite with NULL.
template <class Handle> Handle *stale()
{
    static long storage;
    return reinterpret_cast<Handle *>(&storage);
}

TEST(ModelContract, LoadRefusesNull)
{
    VmafModel *model = nullptr;
    VmafModelConfig cfg{};
    EXPECT_EQ(vmaf_model_load(nullptr, &cfg, "vmaf_v0.6.1"), -EINVAL);
    EXPECT_EQ(vmaf_model_load(&model, nullptr, "vmaf_v0.6.1"), -EINVAL);
    EXPECT_EQ(vmaf_model_load(&model, &cfg, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_model_load_from_path(nullptr, &cfg, "/dev/null"), -EINVAL);
    EXPECT_EQ(vmaf_model_load_from_path(&model, nullptr, "/dev/null"), -EINVAL);
    EXPECT_EQ(vmaf_model_load_from_path(&model, &cfg, nullptr), -EINVAL);
    EXPECT_EQ(model, nullptr);
}

TEST(ModelContract, FailedLoadsSetTheHandleToNull)
{
    VmafModelConfig cfg{};
    for (const char *version : {"nope", "", "VMAF_V0.6.1", kCollection}) {
        VmafModel *model = stale<VmafModel>();
        EXPECT_EQ(vmaf_model_load(&model, &cfg, version), -EINVAL) << version;
        EXPECT_EQ(model, nullptr) << version;
    }
    for (const char *path : {"/nonexistent/model.json", "/dev/null", "/"}) {
        VmafModel *model = stale<VmafModel>();
        EXPECT_EQ(vmaf_model_load_from_path(&model, &cfg, path), -EINVAL) << path;
        EXPECT_EQ(model, nullptr) << path;
    }
}

/// Writes a text to a pipe at `path` while somebody reads it, in pieces that end anywhere. A second
/// reader gets nothing, and neither does one who goes back.
class PipedFile {
  public:
    PipedFile(const std::string &path, std::string text)
    {
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        writer_ = std::thread([path, text = std::move(text)] {
            std::ofstream pipe(path, std::ios::binary);
            for (std::size_t done = 0; done < text.size(); done += 1000)
                pipe << text.substr(done, 1000) << std::flush;
        });
    }
    PipedFile(const PipedFile &) = delete;
    PipedFile &operator=(const PipedFile &) = delete;
    ~PipedFile() { writer_.join(); }

  private:
    std::thread writer_;
};

TEST(ModelContract, AFileMayBeAPipe)
{
    const std::string path = temp_path("model_pipe");
    VmafModelConfig cfg{};
    VmafModel *model = nullptr, *main_model = nullptr;
    VmafModelCollection *collection = nullptr;
    {
        const PipedFile file(path, small_model_text() + std::string(200000, ' '));
        EXPECT_EQ(vmaf_model_load_from_path(&model, &cfg, path.c_str()), 0);
    }
    std::remove(path.c_str());
    {
        const PipedFile file(path, "{\"0\": " + small_model_text() + ", \"1\": " + small_model_text() + "}");
        EXPECT_EQ(vmaf_model_collection_load_from_path(&main_model, &collection, &cfg, path.c_str()), 0);
    }
    std::remove(path.c_str());
    vmaf_model_destroy(model);
    vmaf_model_destroy(main_model);
    vmaf_model_collection_destroy(collection);
}

TEST(ModelContract, AllMembersOfACollectionHaveTheirFeatures)
{
    const std::string path = temp_path("collection_of_different_members.json");
    const char *const inputs[] = {"VMAF_integer_feature_adm2_score", "VMAF_integer_feature_vif_scale1_score",
                                  "VMAF_integer_feature_motion2_score"};
    std::string text;
    for (unsigned number = 0; number < std::size(inputs); ++number) {
        std::string member = small_model_text();
        member.replace(member.find(inputs[0]), std::strlen(inputs[0]), inputs[number]);
        text += (number > 0 ? ", \"" : "{\"") + std::to_string(number) + "\": " + member;
    }
    std::ofstream(path) << text + "}";
    VmafModelConfig cfg{};
    VmafModel *main_model = nullptr;
    VmafModelCollection *collection = nullptr;
    ASSERT_EQ(vmaf_model_collection_load_from_path(&main_model, &collection, &cfg, path.c_str()), 0);
    const OpenContext vmaf;
    EXPECT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), 0);
    read_clip(vmaf, Clip::get("tiles_176x144_8"), 2);
    EXPECT_EQ(flush(vmaf), 0);
    for (const char *input : {inputs[1], inputs[2]})
        EXPECT_TRUE(has_score(vmaf, input, 1)) << input;
    VmafModelCollectionScore score{};
    EXPECT_EQ(vmaf_score_at_index_model_collection(vmaf, collection, &score, 1), 0);
    vmaf_model_destroy(main_model);
    vmaf_model_collection_destroy(collection);
    std::remove(path.c_str());
}

/// The start of VmafModel as clients of the reference read it through the handle, such as pyvmaf
/// 1.0.0a1.
struct ModelHead {
    const char *path;
    const char *name;
};

ModelHead head_of(const VmafModel *model)
{
    return *reinterpret_cast<const ModelHead *>(model);
}

TEST(ModelContract, BeginsWithItsPathAndName)
{
    const std::string path = temp_path("model_with_a_head_and_a_name_longer_than_a_string_holds_in_itself.json");
    std::ofstream(path) << small_model_text();
    const std::string collection_path = temp_path("collection_with_a_head.json");
    std::ofstream(collection_path) << "{\"0\": " + small_model_text() + ", \"1\": " + small_model_text() + "}";
    for (const std::string name : {"", "short", "a name that is longer than a string holds in itself"}) {
        VmafModelConfig cfg{name.c_str(), 0};
        VmafModel *built_in = nullptr, *from_file = nullptr, *main_model = nullptr, *main_from_file = nullptr;
        VmafModelCollection *collection = nullptr, *collection_from_file = nullptr;
        ASSERT_EQ(vmaf_model_load(&built_in, &cfg, "vmaf_v0.6.1"), 0);
        ASSERT_EQ(vmaf_model_load_from_path(&from_file, &cfg, std::string(path).c_str()), 0);
        ASSERT_EQ(vmaf_model_collection_load(&main_model, &collection, &cfg, kCollection), 0);
        ASSERT_EQ(vmaf_model_collection_load_from_path(&main_from_file, &collection_from_file, &cfg,
                                                       std::string(collection_path).c_str()),
                  0);
        const ModelHead before = head_of(from_file);
        EXPECT_EQ(vmaf_model_feature_overload(from_file, "adm", dictionary({{"adm_enhn_gain_limit", "1"}})), 0);
        EXPECT_EQ(vmaf_model_collection_feature_overload(main_from_file, &collection_from_file, "adm",
                                                         dictionary({{"adm_enhn_gain_limit", "1"}})),
                  0);
        EXPECT_EQ(head_of(from_file).path, before.path);
        EXPECT_EQ(head_of(from_file).name, before.name);

        EXPECT_EQ(head_of(built_in).path, nullptr);
        EXPECT_STREQ(head_of(built_in).name, name.c_str());
        EXPECT_STREQ(head_of(from_file).path, path.c_str());
        EXPECT_STREQ(head_of(from_file).name, name.c_str());
        EXPECT_EQ(head_of(main_model).path, nullptr);
        EXPECT_STREQ(head_of(main_model).name, name.c_str());
        EXPECT_STREQ(head_of(main_from_file).path, collection_path.c_str());
        EXPECT_STREQ(head_of(main_from_file).name, name.c_str());
        for (VmafModel *model : {built_in, from_file, main_model, main_from_file})
            vmaf_model_destroy(model);
        vmaf_model_collection_destroy(collection);
        vmaf_model_collection_destroy(collection_from_file);
    }
}

TEST(ModelContract, ANameThatIsNotGivenIsVmaf)
{
    VmafModelConfig cfg{};
    VmafModel *model = nullptr;
    ASSERT_EQ(vmaf_model_load(&model, &cfg, "vmaf_v0.6.1"), 0);
    EXPECT_STREQ(head_of(model).name, "vmaf");
    vmaf_model_destroy(model);
}

TEST(ModelContract, ACollectionIsRefusedQuietlyAndAnUnknownVersionWithAWarning)
{
    const OpenContext warnings(0, 0, VMAF_LOG_LEVEL_WARNING);
    VmafModel *model = nullptr;
    VmafModelConfig cfg{};
    CaptureStderr();
    EXPECT_EQ(vmaf_model_load(&model, &cfg, kCollection), -EINVAL);
    EXPECT_EQ(GetCapturedStderr(), "");
    CaptureStderr();
    EXPECT_EQ(vmaf_model_load(&model, &cfg, "nope"), -EINVAL);
    const std::string text = GetCapturedStderr();
    EXPECT_NE(text.find("WARNING"), text.npos) << text;
    EXPECT_NE(text.find("nope"), text.npos) << text;
}

TEST(ModelContract, DestroyAcceptsNull)
{
    vmaf_model_destroy(nullptr);
    vmaf_model_collection_destroy(nullptr);
}

TEST(ModelContract, CollectionLoadGivesTwoHandles)
{
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;
    VmafModelConfig cfg{};
    ASSERT_EQ(vmaf_model_collection_load(&model, &collection, &cfg, kCollection), 0);
    EXPECT_NE(model, nullptr);
    EXPECT_NE(collection, nullptr);
    vmaf_model_collection_destroy(collection);
    vmaf_model_destroy(model);
}

TEST(ModelContract, CollectionLoadRefusesBadArguments)
{
    VmafModelConfig cfg{};
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;
    EXPECT_EQ(vmaf_model_collection_load(nullptr, &collection, &cfg, kCollection), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(&model, nullptr, &cfg, kCollection), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(&model, &collection, nullptr, kCollection), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(&model, &collection, &cfg, nullptr), -EINVAL);
    for (const char *version : {"vmaf_v0.6.1", "nope"}) {
        model = stale<VmafModel>();
        collection = stale<VmafModelCollection>();
        EXPECT_EQ(vmaf_model_collection_load(&model, &collection, &cfg, version), -EINVAL) << version;
        EXPECT_EQ(model, nullptr);
        EXPECT_EQ(collection, nullptr);
    }
    model = stale<VmafModel>();
    collection = stale<VmafModelCollection>();
    EXPECT_EQ(vmaf_model_collection_load_from_path(&model, &collection, &cfg, "/nonexistent/model.json"), -EINVAL);
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(collection, nullptr);
    EXPECT_EQ(vmaf_model_collection_load_from_path(&model, &collection, &cfg, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load_from_path(&model, &collection, &cfg, "/dev/null"), -EINVAL);
}

TEST(ModelContract, OverloadRefusesNullAndLeavesTheDictionary)
{
    BuiltinModel model("vmaf_v0.6.1");
    VmafFeatureDictionary *dict = dictionary({{"adm_enhn_gain_limit", "1"}});
    EXPECT_EQ(vmaf_model_feature_overload(nullptr, "adm", dict), -EINVAL);
    EXPECT_EQ(vmaf_model_feature_overload(model, nullptr, dict), -EINVAL);
    EXPECT_EQ(vmaf_model_feature_overload(model, "adm", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
}

TEST(ModelContract, CollectionOverloadRefusesNullAndLeavesTheDictionary)
{
    BuiltinCollection collection(kCollection);
    VmafFeatureDictionary *dict = dictionary({{"adm_enhn_gain_limit", "1"}});
    VmafModelCollection *none = nullptr;
    const auto overload = vmaf_model_collection_feature_overload;
    EXPECT_EQ(overload(nullptr, collection.where(), "adm", dict), -EINVAL);
    EXPECT_EQ(overload(collection.main_model(), nullptr, "adm", dict), -EINVAL);
    EXPECT_EQ(overload(collection.main_model(), &none, "adm", dict), -EINVAL);
    EXPECT_EQ(overload(collection.main_model(), collection.where(), nullptr, dict), -EINVAL);
    EXPECT_EQ(overload(collection.main_model(), collection.where(), "adm", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
}

TEST(ModelContract, OverloadThatMatchesNothingChangesNothing)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    EXPECT_EQ(vmaf_model_feature_overload(model, "no_such_feature", dictionary({{"adm_enhn_gain_limit", "999"}})), 0);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, model), 0);
}

TEST(ModelContract, OverloadedValuesAreCheckedAtRegistration)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    EXPECT_EQ(vmaf_model_feature_overload(model, "adm", dictionary({{"adm_enhn_gain_limit", "999"}})), 0);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, model), -EINVAL);

    BuiltinCollection collection(kCollection);
    EXPECT_EQ(vmaf_model_collection_feature_overload(collection.main_model(), collection.where(), "vif",
                                                     dictionary({{"vif_enhn_gain_limit", "999"}})),
              0);
    EXPECT_EQ(vmaf_use_features_from_model_collection(vmaf, collection), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, collection.main_model()), -EINVAL);
}

TEST(ModelContract, OverloadedModelScoresLikeTheNegModel)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    OpenContext vmaf;
    BuiltinModel overloaded("vmaf_v0.6.1", "overloaded"), neg("vmaf_v0.6.1neg", "neg");
    EXPECT_EQ(vmaf_model_feature_overload(overloaded, "adm", dictionary({{"adm_enhn_gain_limit", "1"}})), 0);
    EXPECT_EQ(vmaf_model_feature_overload(overloaded, "vif", dictionary({{"vif_enhn_gain_limit", "1.0"}})), 0);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, overloaded), 0);
    read_clip(vmaf, clip, 2);
    EXPECT_EQ(flush(vmaf), 0);
    double a = 0, b = 1;
    EXPECT_EQ(vmaf_score_at_index(vmaf, overloaded, &a, 1), 0);
    EXPECT_EQ(vmaf_score_at_index(vmaf, neg, &b, 1), 0);
    EXPECT_EQ(a, b);
}

TEST(ModelContract, UseFeaturesRefusesNull)
{
    OpenContext vmaf;
    BuiltinModel model("vmaf_v0.6.1");
    BuiltinCollection collection(kCollection);
    EXPECT_EQ(vmaf_use_features_from_model(nullptr, model), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf, nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model_collection(nullptr, collection), -EINVAL);
    EXPECT_EQ(vmaf_use_features_from_model_collection(vmaf, nullptr), -EINVAL);
}

TEST(ModelContract, NameIsCopiedAndDefaultsToVmaf)
{
    std::string name = "first";
    BuiltinModel named("vmaf_v0.6.1", name.c_str()), unnamed("vmaf_v0.6.1");
    name.assign("XXXXX");
    OpenContext vmaf;
    ASSERT_EQ(vmaf_use_features_from_model(vmaf, named), 0);
    read_clip(vmaf, Clip::get("tiles_176x144_8"), 2);
    double a = 0, b = 0;
    ASSERT_EQ(vmaf_score_at_index(vmaf, named, &a, 0), 0);
    ASSERT_EQ(vmaf_score_at_index(vmaf, unnamed, &b, 0), 0);
    EXPECT_EQ(score_of(vmaf, "first", 0), a);
    EXPECT_EQ(score_of(vmaf, "vmaf", 0), b);
}

} // namespace
} // namespace vmaf::test
