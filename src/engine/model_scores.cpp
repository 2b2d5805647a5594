#include "engine/model_scores.h"

#include <algorithm>
#include <array>
#include <climits>
#include <string>
#include <vector>

#include "base/log.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

using Keys = std::vector<std::string>;

// spec abi 4.6: what a collection stores after its members' scores.
constexpr std::array<const char *, 4> kBootstrapSuffixes{"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"};

std::array<std::string, 4> bootstrap_names(const ModelCollection &collection)
{
    std::array<std::string, 4> names;
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = collection.name + kBootstrapSuffixes[i];
    return names;
}

// spec models 2.6: the stored name of a model's input.
Result<std::string> input_key(const Model &model, const ModelFeature &input)
{
    const FeatureSpec *spec = find_feature_providing(input.name);
    if (spec != nullptr) {
        VMAF_TRY_ASSIGN(const OptionValues values, OptionValues::parse(spec->name, spec->options, input.options));
        return values.output_name(input.name);
    }
    if (input.options.entries().empty())
        return input.name;
    log(LogLevel::error, "model %s needs %s with options, which no feature of this build provides",
        model.name().c_str(), input.name.c_str());
    return Status::error(EINVAL);
}

Result<Keys> input_keys(const Model &model)
{
    Keys keys;
    for (const ModelFeature &input : model.features()) {
        VMAF_TRY_ASSIGN(std::string key, input_key(model, input));
        keys.push_back(std::move(key));
    }
    return keys;
}

bool is_counted(const Session &session, unsigned index)
{
    return session.subsample() <= 1 || index % session.subsample() == 0;
}

std::optional<double> stored_score(Session &session, const std::string &name, unsigned index)
{
    return session.board().score(name, index);
}

struct NamedScore {
    const std::string &name;
    double value;
};

// What another thread stored in the meantime stays: it is the same value.
Status store(Session &session, std::span<const NamedScore> scores, unsigned index)
{
    const std::uint64_t call = session.board().next_call();
    return session.board().write_table([&](ScoreTable &table) -> Status {
        std::uint32_t place = 0;
        for (const NamedScore &score : scores) {
            ScoreColumn &column = table.column(score.name);
            if (!column.at(index))
                VMAF_TRY(table.append(column, index, score.value, {call, place}));
            ++place;
        }
        return {};
    });
}

Result<double> raw_prediction(Session &session, const Model &model, const Keys &keys, unsigned index)
{
    std::array<double, kMaxModelFeatures> scores{};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Result<double> score = session.score(keys[i], index);
        if (!score.ok()) {
            log(LogLevel::error, "model %s: frame %u has no score of %s", model.name().c_str(), index, keys[i].c_str());
            return score.status();
        }
        scores[i] = score.value();
    }
    return model.predict_raw(std::span(scores).first(keys.size()));
}

Result<double> model_score(Session &session, const Model &model, const Keys &keys, unsigned index)
{
    if (!is_counted(session, index))
        return Status::error(EINVAL);
    if (const std::optional<double> stored = stored_score(session, model.name(), index))
        return *stored;
    VMAF_TRY_ASSIGN(const double raw, raw_prediction(session, model, keys, index));
    const NamedScore score{model.name(), model.finish(raw)};
    VMAF_TRY(store(session, {&score, 1}, index));
    return score.value;
}

Result<BootstrapScore> collection_score(Session &session, const ModelCollection &collection, std::span<const Keys> keys,
                                        unsigned index)
{
    if (!is_counted(session, index))
        return Status::error(EINVAL);
    const std::array<std::string, 4> names = bootstrap_names(collection);
    std::array<double, 4> stored{};
    if (std::equal(names.begin(), names.end(), stored.begin(), [&](const std::string &name, double &value) {
            const std::optional<double> score = stored_score(session, name, index);
            value = score.value_or(0);
            return score.has_value();
        }))
        return BootstrapScore{stored[0], stored[1], stored[2], stored[3]};

    std::vector<double> raw;
    std::vector<NamedScore> scores;
    for (std::size_t i = 0; i < collection.members.size(); ++i) {
        const Model &member = collection.members[i];
        VMAF_TRY_ASSIGN(const double prediction, raw_prediction(session, member, keys[i], index));
        raw.push_back(prediction);
        scores.push_back({member.name(), member.finish(prediction)});
    }
    const BootstrapScore result = bootstrap(collection, raw);
    const std::array<double, 4> figures{result.bagging, result.stddev, result.ci_p95_lo, result.ci_p95_hi};
    for (std::size_t i = 0; i < names.size(); ++i)
        scores.push_back({names[i], figures[i]});
    VMAF_TRY(store(session, scores, index));
    return result;
}

Result<std::vector<Keys>> member_keys(const ModelCollection &collection)
{
    std::vector<Keys> all;
    for (const Model &member : collection.members) {
        VMAF_TRY_ASSIGN(Keys keys, input_keys(member));
        all.push_back(std::move(keys));
    }
    return all;
}

// Calls score(index) for every frame of low..high that subsampling counts, until one fails.
template <class Score> Status for_each_counted(const Session &session, unsigned low, unsigned high, Score &&score)
{
    const std::uint64_t step = std::max(session.subsample(), 1U);
    for (std::uint64_t index = (low + step - 1) / step * step; index <= high; index += step)
        VMAF_TRY(score(static_cast<unsigned>(index)));
    return {};
}

} // namespace

Status use_model_features(Session &session, const Model &model)
{
    for (const ModelFeature &input : model.features()) {
        if (find_feature_providing(input.name) == nullptr) {
            log(LogLevel::error, "model %s needs %s, which no feature of this build provides", model.name().c_str(),
                input.name.c_str());
            return Status::error(EINVAL);
        }
        VMAF_TRY(input_key(model, input).status());
    }
    for (const ModelFeature &input : model.features())
        VMAF_TRY(session.use_feature(*find_feature_providing(input.name), input.options));
    return {};
}

Result<double> model_score(Session &session, const Model &model, unsigned index)
{
    VMAF_TRY_ASSIGN(const Keys keys, input_keys(model));
    return model_score(session, model, keys, index);
}

Result<BootstrapScore> collection_score(Session &session, const ModelCollection &collection, unsigned index)
{
    VMAF_TRY_ASSIGN(const std::vector<Keys> keys, member_keys(collection));
    return collection_score(session, collection, keys, index);
}

Result<double> pooled_model_score(Session &session, const Model &model, PoolingMethod method, unsigned low,
                                  unsigned high)
{
    VMAF_TRY_ASSIGN(const Keys keys, input_keys(model));
    VMAF_TRY(for_each_counted(session, low, high,
                              [&](unsigned index) { return model_score(session, model, keys, index).status(); }));
    return session.pooled(model.name(), method, low, high);
}

Result<BootstrapScore> pooled_collection_score(Session &session, const ModelCollection &collection,
                                               PoolingMethod method, unsigned low, unsigned high)
{
    VMAF_TRY_ASSIGN(const std::vector<Keys> keys, member_keys(collection));
    VMAF_TRY(for_each_counted(session, low, high, [&](unsigned index) {
        return collection_score(session, collection, keys, index).status();
    }));
    std::array<double, 4> pooled{};
    std::size_t i = 0;
    for (const std::string &name : bootstrap_names(collection)) {
        VMAF_TRY_ASSIGN(pooled[i], session.pooled(name, method, low, high));
        ++i;
    }
    return BootstrapScore{pooled[0], pooled[1], pooled[2], pooled[3]};
}

} // namespace vmaf
