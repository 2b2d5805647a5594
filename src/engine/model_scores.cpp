#include "engine/model_scores.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/log.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

bool is_counted(const Session &session, unsigned index)
{
    return session.subsample() <= 1 || index % session.subsample() == 0;
}

struct ColumnScore {
    ScoreColumn *column;
    double value;
};

// If another thread has stored the score in the meantime, its value stays: it is the same.
Status store(Session &session, std::span<const ColumnScore> scores, unsigned index)
{
    const std::uint64_t call = session.next_call();
    return session.table().with([&](ScoreTable &table) -> Status {
        std::uint32_t place = 0;
        for (const ColumnScore &score : scores) {
            if (!score.column->at(index))
                VMAF_TRY(table.append(*score.column, index, score.value, {call, place}));
            ++place;
        }
        return {};
    });
}

/// The scores of that frame, if all columns hold one.
template <std::size_t kCount>
std::optional<std::array<double, kCount>> stored(Session &session, const std::array<ScoreColumn *, kCount> &columns,
                                                 unsigned index)
{
    return session.table().with([&](const ScoreTable &) -> std::optional<std::array<double, kCount>> {
        std::array<double, kCount> scores{};
        for (std::size_t i = 0; i < kCount; ++i) {
            const std::optional<double> score = columns[i]->at(index);
            if (!score)
                return std::nullopt;
            scores[i] = *score;
        }
        return scores;
    });
}

Result<double> raw_prediction(Session &session, const Model &model, const ModelColumns &columns, unsigned index)
{
    std::array<double, kMaxModelFeatures> scores;
    for (std::size_t i = 0; i < columns.inputs.size(); ++i) {
        const Result<double> score = session.score(*columns.inputs[i], index);
        if (!score.ok()) {
            if (score.status().code() == -EINVAL) // else a frame was lost, and that was said
                log(LogLevel::error, "model %s: frame %u has no score of %s", model.name().c_str(), index,
                    columns.inputs[i]->stored_name().c_str());
            return score.status();
        }
        scores[i] = score.value();
    }
    return model.predict_raw(std::span(scores).first(columns.inputs.size()));
}

Result<double> model_score(Session &session, const Model &model, const ModelColumns &columns, unsigned index)
{
    if (!is_counted(session, index))
        return Status::error(EINVAL);
    if (const auto score = stored<1>(session, {columns.score}, index))
        return score->front();
    VMAF_TRY_ASSIGN(const double raw, raw_prediction(session, model, columns, index));
    const ColumnScore score{columns.score, model.transformed_and_clipped(raw)};
    VMAF_TRY(store(session, {&score, 1}, index));
    return score.value;
}

Result<BootstrapScore> collection_score(Session &session, const ModelCollection &collection,
                                        const CollectionColumns &columns, unsigned index)
{
    if (!is_counted(session, index))
        return Status::error(EINVAL);
    if (const auto figures = stored(session, columns.figures, index))
        return BootstrapScore{(*figures)[0], (*figures)[1], (*figures)[2], (*figures)[3]};

    std::vector<double> raw;
    std::vector<ColumnScore> scores;
    for (std::size_t i = 0; i < collection.members.size(); ++i) {
        const Model &member = collection.members[i];
        VMAF_TRY_ASSIGN(const double prediction, raw_prediction(session, member, columns.members[i], index));
        raw.push_back(prediction);
        scores.push_back({columns.members[i].score, member.transformed_and_clipped(prediction)});
    }
    const BootstrapScore result = bootstrap(collection, raw);
    const std::array<double, 4> figures{result.bagging, result.stddev, result.ci_p95_lo, result.ci_p95_hi};
    for (std::size_t i = 0; i < figures.size(); ++i)
        scores.push_back({columns.figures[i], figures[i]});
    VMAF_TRY(store(session, scores, index));
    return result;
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
        VMAF_TRY(model_input_name(model, input).status());
    }
    for (const ModelFeature &input : model.features())
        VMAF_TRY(session.use_feature(*find_feature_providing(input.name), input.options));
    return {};
}

Result<double> model_score(Session &session, const Model &model, unsigned index)
{
    VMAF_TRY_ASSIGN(const auto columns, session.bindings().of(model, session.table()));
    return model_score(session, model, *columns, index);
}

Result<BootstrapScore> collection_score(Session &session, const ModelCollection &collection, unsigned index)
{
    VMAF_TRY_ASSIGN(const auto columns, session.bindings().of(collection, session.table()));
    return collection_score(session, collection, *columns, index);
}

Result<double> pooled_model_score(Session &session, const Model &model, PoolingMethod method, unsigned low,
                                  unsigned high)
{
    VMAF_TRY_ASSIGN(const auto columns, session.bindings().of(model, session.table()));
    VMAF_TRY(for_each_counted(session, low, high,
                              [&](unsigned index) { return model_score(session, model, *columns, index).status(); }));
    return session.pooled(*columns->score, method, low, high);
}

Result<BootstrapScore> pooled_collection_score(Session &session, const ModelCollection &collection,
                                               PoolingMethod method, unsigned low, unsigned high)
{
    VMAF_TRY_ASSIGN(const auto columns, session.bindings().of(collection, session.table()));
    VMAF_TRY(for_each_counted(session, low, high, [&](unsigned index) {
        return collection_score(session, collection, *columns, index).status();
    }));
    std::array<double, 4> pooled{};
    for (std::size_t i = 0; i < pooled.size(); ++i) {
        VMAF_TRY_ASSIGN(pooled[i], session.pooled(*columns->figures[i], method, low, high));
    }
    return BootstrapScore{pooled[0], pooled[1], pooled[2], pooled[3]};
}

} // namespace vmaf
