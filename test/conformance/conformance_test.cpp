#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "support/session.h"

// Every reference score of the features and models that this build has, as text with 17 digits, for several thread counts.
// The rows are test/golden/*.csv, or the goldens/ folder of the full set that VMAF_CONFORMANCE names.

namespace vmaf::test {
namespace {

struct Row {
    std::string frame, name, value;
};
using Items = std::map<std::string, std::vector<Row>>;

std::string golden_folder()
{
    const char *full_set = std::getenv("VMAF_CONFORMANCE");
    return full_set != nullptr ? std::string(full_set) + "/goldens" : VMAF_TEST_GOLDEN_DIR;
}

Items read_golden(const std::string &clip)
{
    Items items;
    std::ifstream file(golden_folder() + "/" + clip + ".csv");
    std::string line;
    std::getline(file, line); // header
    while (std::getline(file, line)) {
        std::stringstream fields(line);
        std::string item;
        Row row;
        std::getline(fields, item, ',');
        std::getline(fields, row.frame, ',');
        std::getline(fields, row.name, ',');
        std::getline(fields, row.value);
        items[item].push_back(row);
    }
    return items;
}

std::string text(double value)
{
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return buffer;
}

// One golden item: a model with its collection, or a feature with options.
struct Session {
    Context context;
    ModelHandle model;
    CollectionHandle collection;
};

bool use_feature_item(VmafContext *context, const std::string &item)
{
    std::stringstream fields(item);
    std::string name, option;
    std::getline(fields, name, ':');
    VmafFeatureDictionary *options = nullptr;
    while (std::getline(fields, option, ':')) {
        const std::size_t equals = option.find('=');
        if (vmaf_feature_dictionary_set(&options, option.substr(0, equals).c_str(),
                                        option.substr(equals + 1).c_str()) != 0)
            return false;
    }
    const bool used = vmaf_use_feature(context, name.c_str(), options) == 0;
    if (!used && options != nullptr)
        vmaf_feature_dictionary_free(&options);
    return used;
}

bool use_model_item(Session &session, const std::string &version)
{
    session.model = load_model(version.c_str());
    if (!session.model) {
        VmafModel *model = nullptr;
        VmafModelCollection *collection = nullptr;
        VmafModelConfig config{version.c_str(), 0};
        if (vmaf_model_collection_load(&model, &collection, &config, version.c_str()) != 0)
            return false;
        session.model.reset(model);
        session.collection.reset(collection);
        return vmaf_use_features_from_model_collection(session.context.get(), collection) == 0;
    }
    return vmaf_use_features_from_model(session.context.get(), session.model.get()) == 0;
}

std::string collection_text(const Session &session, unsigned frame)
{
    VmafModelCollectionScore score{};
    if (vmaf_score_at_index_model_collection(session.context.get(), session.collection.get(), &score, frame) != 0)
        return "error";
    return "bagging " + text(score.bootstrap.bagging_score) + " stddev " + text(score.bootstrap.stddev) + " lo " +
           text(score.bootstrap.ci.p95.lo) + " hi " + text(score.bootstrap.ci.p95.hi);
}

std::string value_of(const Session &session, const Row &row, unsigned frame_count)
{
    double score = 0;
    if (row.frame.rfind("pooled", 0) == 0) {
        const auto method = static_cast<VmafPoolingMethod>(row.frame.back() - '0');
        const int error =
            vmaf_score_pooled(session.context.get(), session.model.get(), method, &score, 0, frame_count - 1);
        return error == 0 ? text(score) : "error";
    }
    const auto frame = static_cast<unsigned>(std::stoul(row.frame));
    if (row.name == "collection[0]")
        return collection_text(session, frame);
    const int error = row.name == "vmaf[0]"
                          ? vmaf_score_at_index(session.context.get(), session.model.get(), &score, frame)
                          : score_by_shown_name(session.context.get(), row.name, frame, score);
    return error == 0 ? text(score) : "error";
}

// Rows "vmaf[0]" come first in a file, so the scores that they make the library store exist for the rows after them.
void check_item(const Clip &clip, const std::string &item, const std::vector<Row> &rows, unsigned n_threads,
                std::size_t &checked)
{
    Session session;
    session.context = open_context(n_threads);
    ASSERT_TRUE(session.context);
    const std::string model_prefix = "model=";
    const bool available = item.rfind(model_prefix, 0) == 0 ? use_model_item(session, item.substr(model_prefix.size()))
                                                            : use_feature_item(session.context.get(), item);
    if (!available) { // only the full set has rows of features that this version lacks
        ASSERT_NE(std::getenv("VMAF_CONFORMANCE"), nullptr) << item;
        return;
    }
    ASSERT_EQ(feed_all(session.context.get(), clip), 0) << item;
    for (const Row &row : rows)
        EXPECT_EQ(value_of(session, row, clip.spec().frames), row.value)
            << item << ", frame " << row.frame << ", " << row.name << ", " << n_threads << " threads";
    checked += rows.size();
}

class Conformance : public testing::TestWithParam<ClipSpec> {};

TEST_P(Conformance, EveryReferenceScoreIsEqualToTheLastDigit)
{
    const Clip &clip = Clip::get(GetParam().name);
    const Items items = read_golden(GetParam().name);
    ASSERT_FALSE(items.empty());
    std::size_t checked = 0;
    for (const unsigned n_threads : {0U, 4U})
        for (const auto &[item, rows] : items)
            check_item(clip, item, rows, n_threads, checked);
    EXPECT_GT(checked, 500U) << "rows that this build could not score were left out";
    RecordProperty("rows", static_cast<int>(checked));
}

std::string clip_name(const testing::TestParamInfo<ClipSpec> &info)
{
    return info.param.name;
}

std::vector<ClipSpec> clips(bool large)
{
    std::vector<ClipSpec> list;
    for (const ClipSpec &spec : clip_specs())
        if ((spec.width >= 960) == large)
            list.push_back(spec);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Small, Conformance, testing::ValuesIn(clips(false)), clip_name);
INSTANTIATE_TEST_SUITE_P(Large, Conformance, testing::ValuesIn(clips(true)), clip_name);

} // namespace
} // namespace vmaf::test
