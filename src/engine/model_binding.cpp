#include "engine/model_binding.h"

#include <algorithm>

#include "base/log.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

constexpr std::size_t kMostRemembered = 64;
// spec abi 4.6.
constexpr std::array kFigureSuffixes{"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"};

Result<ModelColumns> bind(const Model &model, Guarded<ScoreTable> &table)
{
    std::vector<std::string> names;
    for (const ModelFeature &input : model.features()) {
        VMAF_TRY_ASSIGN(std::string name, model_input_name(model, input));
        names.push_back(std::move(name));
    }
    ModelColumns columns{};
    columns.inputs.reserve(names.size());
    table.with([&](ScoreTable &scores) {
        for (const std::string &name : names)
            columns.inputs.push_back(&scores.column(name));
        columns.score = &scores.column(model.name());
    });
    return columns;
}

Result<CollectionColumns> bind(const ModelCollection &collection, Guarded<ScoreTable> &table)
{
    CollectionColumns columns{};
    for (const Model &member : collection.members) {
        VMAF_TRY_ASSIGN(ModelColumns bound, bind(member, table));
        columns.members.push_back(std::move(bound));
    }
    for (std::size_t i = 0; i < columns.figures.size(); ++i) {
        const std::string name = collection.name + kFigureSuffixes[i];
        columns.figures[i] = table.with([&](ScoreTable &scores) { return &scores.column(name); });
    }
    return columns;
}

std::uint64_t revision_of(const Model &model)
{
    return model.revision();
}

// The latest of its members': no other collection holds that one.
std::uint64_t revision_of(const ModelCollection &collection)
{
    std::uint64_t latest = 0;
    for (const Model &member : collection.members)
        latest = std::max(latest, member.revision());
    return latest;
}

template <class Bound, class Columns>
Result<std::shared_ptr<const Columns>> find_or_bind(const Bound &bound, auto &recent, Guarded<ScoreTable> &table)
{
    const std::uint64_t revision = revision_of(bound);
    if (std::shared_ptr<const Columns> known = recent.find(revision))
        return known;
    VMAF_TRY_ASSIGN(Columns columns, bind(bound, table));
    auto shared = std::make_shared<const Columns>(std::move(columns));
    recent.add(revision, shared);
    return std::shared_ptr<const Columns>(std::move(shared));
}

} // namespace

template <class Columns>
std::shared_ptr<const Columns> ModelBindings::Recent<Columns>::find(std::uint64_t revision) const
{
    const std::lock_guard lock(mutex_);
    for (const Entry &entry : entries_)
        if (entry.revision == revision)
            return entry.columns;
    return nullptr;
}

template <class Columns>
void ModelBindings::Recent<Columns>::add(std::uint64_t revision, std::shared_ptr<const Columns> columns)
{
    const std::lock_guard lock(mutex_);
    if (entries_.size() == kMostRemembered)
        entries_.erase(entries_.begin());
    entries_.push_back({revision, std::move(columns)});
}

Result<std::shared_ptr<const ModelColumns>> ModelBindings::of(const Model &model, Guarded<ScoreTable> &table)
{
    return find_or_bind<Model, ModelColumns>(model, models_, table);
}

Result<std::shared_ptr<const CollectionColumns>> ModelBindings::of(const ModelCollection &collection,
                                                                   Guarded<ScoreTable> &table)
{
    return find_or_bind<ModelCollection, CollectionColumns>(collection, collections_, table);
}

Result<std::string> model_input_name(const Model &model, const ModelFeature &input)
{
    const FeatureSpec *spec = find_feature_providing(input.name);
    if (spec != nullptr) {
        VMAF_TRY_ASSIGN(const OptionValues values, OptionValues::parse(*spec, input.options));
        return values.output_name(input.name);
    }
    if (input.options.entries().empty())
        return input.name;
    log(LogLevel::error, "model %s needs %s with options, which no feature of this build provides",
        model.name().c_str(), input.name.c_str());
    return Status::error(EINVAL);
}

} // namespace vmaf
