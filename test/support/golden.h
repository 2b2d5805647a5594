#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "libvmaf/libvmaf_ext.h"
#include "support/session.h"

/// Reference scores: test/golden/*.csv, or the goldens/ folder of the full set that
/// VMAF_CONFORMANCE names. Values are text with 17 digits.
namespace vmaf::test::golden {

struct Row {
    std::string frame, name, value;
};
using Items = std::map<std::string, std::vector<Row>>;

inline std::string folder()
{
    const char *full_set = std::getenv("VMAF_CONFORMANCE");
    return full_set != nullptr ? std::string(full_set) + "/goldens" : VMAF_TEST_GOLDEN_DIR;
}

inline void read(const std::string &path, Items &items)
{
    std::ifstream file(path);
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
}

inline Items read(const std::string &clip)
{
    Items items;
    read(folder() + "/" + clip + ".csv", items);
    // The full set has later features in folders of their own.
    if (const char *full_set = std::getenv("VMAF_CONFORMANCE"))
        for (const auto *feature = vmaf_feature_list(nullptr); feature != nullptr; feature = vmaf_feature_list(feature))
            read(std::string(full_set) + "/more/" + feature->name + "/" + clip + ".csv", items);
    return items;
}

inline std::string text(double value)
{
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return buffer;
}

// A golden item: a model with its collection, or a feature with options.
struct Session {
    Context context;
    ModelHandle model;
    CollectionHandle collection;
};

inline bool use_feature_item(VmafContext *context, const std::string &item)
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

inline bool use_model_item(Session &session, const std::string &version)
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

inline std::string collection_text(const Session &session, unsigned frame)
{
    VmafModelCollectionScore score{};
    if (vmaf_score_at_index_model_collection(session.context.get(), session.collection.get(), &score, frame) != 0)
        return "error";
    return "bagging " + text(score.bootstrap.bagging_score) + " stddev " + text(score.bootstrap.stddev) + " lo " +
           text(score.bootstrap.ci.p95.lo) + " hi " + text(score.bootstrap.ci.p95.hi);
}

/// A value of the whole clip, which only score files have.
inline std::string aggregate_text(VmafContext *context, const std::string &name)
{
    const std::string path = testing::TempDir() + "vmaf_golden_" + std::to_string(getpid()) + ".xml";
    if (vmaf_write_output_with_format(context, path.c_str(), VMAF_OUTPUT_FORMAT_XML, "%.17g") != 0)
        return "error";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path.c_str());
    const std::string attribute = " " + name + "=\"";
    const std::size_t start = text.find(attribute, text.find("<aggregate_metrics"));
    if (start == std::string::npos)
        return "none";
    const std::size_t value = start + attribute.size();
    return text.substr(value, text.find('"', value) - value);
}

inline std::string value_of(const Session &session, const Row &row, unsigned frame_count)
{
    double score = 0;
    if (row.frame == "aggregate")
        return aggregate_text(session.context.get(), row.name);
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

/// The references come from glibc's logarithms and exponentials. Another C library changes the last
/// digits (spec models 6).
#if !defined(__GLIBC__)
constexpr double kOtherMathematics = 1e-11;
#else
constexpr double kOtherMathematics = 0;
#endif

/// Largest allowed difference of a score of the item from its reference. 0: equal to the last
/// digit.
inline double tolerance(const std::string &item, const std::string &name, double expected)
{
    const auto starts_with = [&item](const char *prefix) { return item.rfind(prefix, 0) == 0; };
    if (starts_with("ssimulacra2")) // the reference is defined in real numbers (spec ssimulacra2 5.2)
        return expected >= 0 ? 2e-4 : 2e-5 * (100 - expected);
    if (starts_with("cvvdp")) // spec cvvdp 5.1
        return 1e-5;
    if (starts_with("butteraugli")) // defined in real numbers, too (spec butteraugli 5.1)
        return 5e-5 * (1 + expected);
    const bool float_model = starts_with("model=vmaf_float");
    if (float_model && (name.rfind("vmaf", 0) == 0 || name == "collection[0]")) // spec float_features 4, as all below
        return 1e-4;
    if (starts_with("float_adm") || (float_model && (name.rfind("adm", 0) == 0 || name.rfind("aim", 0) == 0)))
        return 5e-7;
    return kOtherMathematics * std::fabs(expected);
}

/// Whether both texts are equal, except for numbers that differ by at most `allowed(expected
/// number)`.
template <class Allowed> bool are_near(const std::string &actual, const std::string &expected, Allowed allowed)
{
    std::stringstream actual_words(actual), expected_words(expected);
    std::string a, e;
    while (expected_words >> e) {
        if (!(actual_words >> a))
            return false;
        char *actual_end = nullptr, *expected_end = nullptr;
        const double actual_number = std::strtod(a.c_str(), &actual_end);
        const double expected_number = std::strtod(e.c_str(), &expected_end);
        const bool numbers = *actual_end == '\0' && *expected_end == '\0';
        if (a != e && !(numbers && std::fabs(actual_number - expected_number) <= allowed(expected_number)))
            return false;
    }
    return !(actual_words >> a);
}

/// `slack` is added to the tolerance for a device.
inline testing::AssertionResult agrees(const std::string &item, const std::string &actual, const Row &row,
                                       double slack = 0)
{
    const auto allowed = [&](double expected) { return tolerance(item, row.name, expected) + slack; };
    if (actual == row.value || are_near(actual, row.value, allowed))
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << item << ", frame " << row.frame << ", " << row.name << ": " << actual
                                       << ", reference " << row.value;
}

/// Registers the item's model or feature. Returns false if the library lacks it.
inline bool use_item(Session &session, const std::string &item)
{
    const std::string model_prefix = "model=";
    return item.rfind(model_prefix, 0) == 0 ? use_model_item(session, item.substr(model_prefix.size()))
                                            : use_feature_item(session.context.get(), item);
}

} // namespace vmaf::test::golden
