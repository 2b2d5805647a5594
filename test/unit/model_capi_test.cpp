#include <algorithm>
#include <cerrno>
#include <string>

#include <gtest/gtest.h>

#include "capi/types.h"
#include "libvmaf/model.h"
#include "unit/model_json_text.h"

namespace vmaf {
namespace {

using namespace test;

/// A model of the C API, destroyed at the end of the scope.
struct LoadedModel {
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;

    LoadedModel() = default;
    LoadedModel(const LoadedModel &) = delete;
    LoadedModel &operator=(const LoadedModel &) = delete;
    ~LoadedModel()
    {
        vmaf_model_destroy(model);
        vmaf_model_collection_destroy(collection);
    }
};

VmafModel *const kDirtyModel = reinterpret_cast<VmafModel *>(8);
VmafModelCollection *const kDirtyCollection = reinterpret_cast<VmafModelCollection *>(8);

VmafFeatureDictionary *options(const char *key, const char *value)
{
    VmafFeatureDictionary *dict = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, key, value), 0);
    return dict;
}

template <class Call> std::string log_of(Call call)
{
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
}

void expect_same_options(const Model &a, const Model &b)
{
    ASSERT_EQ(a.features().size(), b.features().size());
    for (std::size_t i = 0; i < a.features().size(); ++i)
        EXPECT_TRUE(std::ranges::equal(a.features()[i].options.entries(), b.features()[i].options.entries())) << i;
}

// Spec abi 3.5.
TEST(FeatureDictionaryCapi, NormalisesNumbers)
{
    const std::pair<const char *, const char *> texts[] = {
        {"1.0", "1"},
        {"1.23456789", "1.23457"},
        {"1000000", "1e+06"},
        {"0x2", "2"},
        {"2,5", "2,5"},
        {"2x", "2x"},
        {" 2", "2"},
        {"2 ", "2"},
        {"+2", "2"},
        {"-0", "-0"},
        {".5", "0.5"},
        {"true", "true"},
        {"", ""},
        {"1 2", "1 2"},
        {"nan", "nan"},
        {"inf", "inf"},
        {"0.1", "0.1"},
        {"16777217", "1.67772e+07"},
    };
    for (const auto &[given, kept] : texts) {
        VmafFeatureDictionary *dict = options("key", given);
        EXPECT_EQ(*dict->options.find("key"), kept) << given;
        EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
        EXPECT_EQ(dict, nullptr);
    }
}

TEST(FeatureDictionaryCapi, OverwritingKeepsThePosition)
{
    VmafFeatureDictionary *dict = options("a", "1");
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, "b", "2"), 0);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, "a", "3"), 0);
    const OptionDict::Entry expected[] = {{"a", "3"}, {"b", "2"}};
    EXPECT_TRUE(std::ranges::equal(dict->options.entries(), expected));
    vmaf_feature_dictionary_free(&dict);
}

TEST(FeatureDictionaryCapi, NullArguments)
{
    VmafFeatureDictionary *dict = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(nullptr, "a", "1"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, nullptr, "1"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dict, "a", nullptr), -EINVAL);
    EXPECT_EQ(dict, nullptr);
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
    EXPECT_EQ(vmaf_feature_dictionary_free(nullptr), -EINVAL);
}

TEST(ModelCapi, LoadsByVersionWithNameAndFlags)
{
    std::string name = "mine";
    VmafModelConfig cfg{name.c_str(), VMAF_MODEL_FLAG_DISABLE_CLIP | VMAF_MODEL_FLAG_ENABLE_TRANSFORM};
    LoadedModel loaded;
    ASSERT_EQ(vmaf_model_load(&loaded.model, &cfg, "vmaf_v0.6.1"), 0);
    name = "over";
    EXPECT_EQ(loaded.model->model.name(), "mine");
    EXPECT_EQ(loaded.model->model.predict(std::vector<double>{1, 0, 1, 1, 1, 1}),
              102.96113796365687); // spec models 7.1
}

TEST(ModelCapi, DefaultNameAndIgnoredFlags)
{
    VmafModelConfig cfg{nullptr, VMAF_MODEL_FLAG_DISABLE_TRANSFORM | (std::uint64_t{1} << 40)};
    LoadedModel loaded;
    ASSERT_EQ(vmaf_model_load(&loaded.model, &cfg, "vmaf_v1.0.16_3d0h"), 0);
    EXPECT_EQ(loaded.model->model.name(), "vmaf");
    EXPECT_EQ(loaded.model->model.predict(std::vector<double>{8, 20, 0.7, 15}), 13.197275085468313); // spec models 7.1
}

TEST(ModelCapi, FailedLoadsLeaveNull)
{
    VmafModelConfig cfg{};
    const auto expect_refused = [](int code, VmafModel *const &model) {
        EXPECT_EQ(code, -EINVAL);
        EXPECT_EQ(model, nullptr);
    };
    VmafModel *model = kDirtyModel;
    expect_refused(vmaf_model_load(&model, &cfg, "nope"), model);
    model = kDirtyModel;
    expect_refused(vmaf_model_load(&model, nullptr, "vmaf_v0.6.1"), model);
    model = kDirtyModel;
    expect_refused(vmaf_model_load(&model, &cfg, nullptr), model);
    model = kDirtyModel;
    expect_refused(vmaf_model_load_from_path(&model, &cfg, "/dev/null"), model);
    model = kDirtyModel;
    expect_refused(vmaf_model_load_from_path(&model, &cfg, nullptr), model);
    EXPECT_EQ(vmaf_model_load(nullptr, &cfg, "vmaf_v0.6.1"), -EINVAL);
    EXPECT_EQ(vmaf_model_load_from_path(nullptr, &cfg, "/dev/null"), -EINVAL);
}

TEST(ModelCapi, FailedCollectionLoadsLeaveBothNull)
{
    VmafModelConfig cfg{};
    const auto expect_refused = [&](VmafModelConfig *config, const char *version) {
        VmafModel *model = kDirtyModel;
        VmafModelCollection *collection = kDirtyCollection;
        EXPECT_EQ(vmaf_model_collection_load(&model, &collection, config, version), -EINVAL);
        EXPECT_EQ(model, nullptr);
        EXPECT_EQ(collection, nullptr);
    };
    expect_refused(&cfg, "vmaf_v0.6.1");
    expect_refused(&cfg, "nope");
    expect_refused(&cfg, nullptr);
    expect_refused(nullptr, "vmaf_b_v0.6.3");

    VmafModel *model = kDirtyModel;
    EXPECT_EQ(vmaf_model_collection_load(&model, nullptr, &cfg, "vmaf_b_v0.6.3"), -EINVAL);
    EXPECT_EQ(model, nullptr);
    VmafModelCollection *collection = kDirtyCollection;
    EXPECT_EQ(vmaf_model_collection_load_from_path(nullptr, &collection, &cfg, "/dev/null"), -EINVAL);
    EXPECT_EQ(collection, nullptr);
}

// Clients try the call for single models first, so a collection's name is not logged as an error
// (spec abi 3.6).
TEST(ModelCapi, LogsUnknownVersionsButNotTheOtherKind)
{
    VmafModelConfig cfg{};
    LoadedModel loaded;
    const std::string unknown = log_of([&] { vmaf_model_load(&loaded.model, &cfg, "nope"); });
    EXPECT_NE(unknown.find("WARNING"), std::string::npos);
    EXPECT_NE(unknown.find("nope"), std::string::npos);
    EXPECT_EQ(log_of([&] { vmaf_model_load(&loaded.model, &cfg, "vmaf_b_v0.6.3"); }), "");
    EXPECT_EQ(log_of([&] { vmaf_model_collection_load(&loaded.model, &loaded.collection, &cfg, "vmaf_v0.6.1"); }), "");
}

TEST(ModelCapi, LoadsFromPath)
{
    const TemporaryFile single(single_text(small_model()));
    const std::string member = single_text(with(small_model(), "model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""));
    const TemporaryFile pair(object_text({{"0", member}, {"1", member}}));
    VmafModelConfig cfg{"n", 0};
    LoadedModel a;
    ASSERT_EQ(vmaf_model_load_from_path(&a.model, &cfg, single.path().c_str()), 0);
    EXPECT_EQ(a.model->model.predict(std::vector{0.9, 6.5}), 45.840508991437275); // spec models 7.3
    LoadedModel b;
    ASSERT_EQ(vmaf_model_collection_load_from_path(&b.model, &b.collection, &cfg, pair.path().c_str()), 0);
    EXPECT_EQ(b.model->model.name(), "n");
    EXPECT_EQ(b.collection->collection.members.front().name(), "n_0001");
}

TEST(ModelCapi, DestroyAcceptsNull)
{
    vmaf_model_destroy(nullptr);
    vmaf_model_collection_destroy(nullptr);
}

// Spec models 2.5.
TEST(ModelOverloadCapi, GainLimitsGiveTheNegModel)
{
    VmafModelConfig cfg{};
    LoadedModel plain;
    LoadedModel neg;
    ASSERT_EQ(vmaf_model_load(&plain.model, &cfg, "vmaf_v0.6.1"), 0);
    ASSERT_EQ(vmaf_model_load(&neg.model, &cfg, "vmaf_v0.6.1neg"), 0);
    EXPECT_EQ(vmaf_model_feature_overload(plain.model, "adm", options("adm_enhn_gain_limit", "1.0")), 0);
    EXPECT_EQ(vmaf_model_feature_overload(plain.model, "vif", options("vif_enhn_gain_limit", "1")), 0);
    expect_same_options(plain.model->model, neg.model->model);
}

TEST(ModelOverloadCapi, ReplacesAnOptionThatIsThere)
{
    VmafModelConfig cfg{};
    LoadedModel neg;
    ASSERT_EQ(vmaf_model_load(&neg.model, &cfg, "vmaf_v0.6.1neg"), 0);
    EXPECT_EQ(vmaf_model_feature_overload(neg.model, "adm", options("adm_enhn_gain_limit", "2")), 0);
    const OptionDict::Entry expected[] = {{"adm_enhn_gain_limit", "2"}};
    EXPECT_TRUE(std::ranges::equal(neg.model->model.features()[0].options.entries(), expected));
    EXPECT_EQ(*neg.model->model.features()[2].options.find("vif_enhn_gain_limit"), "1");
}

TEST(ModelOverloadCapi, NoMatchChangesNothing)
{
    VmafModelConfig cfg{};
    LoadedModel changed;
    LoadedModel plain;
    ASSERT_EQ(vmaf_model_load(&changed.model, &cfg, "vmaf_v0.6.1"), 0);
    ASSERT_EQ(vmaf_model_load(&plain.model, &cfg, "vmaf_v0.6.1"), 0);
    for (const char *name : {"nope", "psnr", "ADM", "VMAF_integer_feature_adm2_score", "float_adm", ""})
        EXPECT_EQ(vmaf_model_feature_overload(changed.model, name, options("a", "1")), 0) << name;
    expect_same_options(changed.model->model, plain.model->model);
}

TEST(ModelOverloadCapi, NullArgumentsLeaveTheOptionsToTheCaller)
{
    VmafModelConfig cfg{};
    LoadedModel loaded;
    ASSERT_EQ(vmaf_model_collection_load(&loaded.model, &loaded.collection, &cfg, "vmaf_b_v0.6.3"), 0);
    VmafFeatureDictionary *dict = options("a", "1");
    VmafModelCollection *none = nullptr;
    EXPECT_EQ(vmaf_model_feature_overload(nullptr, "adm", dict), -EINVAL);
    EXPECT_EQ(vmaf_model_feature_overload(loaded.model, nullptr, dict), -EINVAL);
    EXPECT_EQ(vmaf_model_feature_overload(loaded.model, "adm", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_feature_overload(nullptr, &loaded.collection, "adm", dict), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, nullptr, "adm", dict), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &none, "adm", dict), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.collection, nullptr, dict), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.collection, "adm", nullptr), -EINVAL);
    EXPECT_EQ(*dict->options.find("a"), "1");
    EXPECT_EQ(vmaf_feature_dictionary_free(&dict), 0);
}

TEST(ModelOverloadCapi, CollectionOverloadReachesEveryModel)
{
    VmafModelConfig cfg{};
    LoadedModel loaded;
    ASSERT_EQ(vmaf_model_collection_load(&loaded.model, &loaded.collection, &cfg, "vmaf_b_v0.6.3"), 0);
    EXPECT_EQ(vmaf_model_collection_feature_overload(loaded.model, &loaded.collection, "vif",
                                                     options("vif_enhn_gain_limit", "1")),
              0);
    const auto expect_overloaded = [](const Model &model) {
        EXPECT_EQ(model.features()[0].options.find("vif_enhn_gain_limit"), nullptr);
        for (std::size_t i = 2; i < 6; ++i)
            EXPECT_EQ(*model.features()[i].options.find("vif_enhn_gain_limit"), "1");
    };
    expect_overloaded(loaded.model->model);
    for (const Model &member : loaded.collection->collection.members)
        expect_overloaded(member);
}

} // namespace
} // namespace vmaf
