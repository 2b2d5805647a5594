#include "model/json_layout.h"

#include <iterator>

#include "model/model.h"

namespace vmaf {
namespace {

// Spec models 3.
constexpr std::size_t kMaxKnots = 10;
constexpr std::size_t kMaxSlopes = kMaxModelFeatures + 1;
// No feature has nearly as many; keeps the search for repeated ones short.
constexpr std::size_t kMaxOptions = 256;

// By number of the slot.
constexpr SlotRule kRules[] = {
    {"", kAnything, Slot::skipped, {}},
    {"the collection", kObject, Slot::skipped, {}},
    {"a model of the collection", kObject, Slot::skipped, {}},
    {"model_dict", kObject, Slot::model, "model_dict"},
    {"model_type", kText, Slot::model_dict, "model_type"},
    {"norm_type", kText, Slot::model_dict, "norm_type"},
    {"feature_names", kArray, Slot::model_dict, "feature_names", kMaxModelFeatures},
    {"an element of feature_names", kText, Slot::feature_names, {}},
    {"slopes", kArray | kNull, Slot::model_dict, "slopes", kMaxSlopes},
    {"an element of slopes", kNumber, Slot::slopes, {}},
    {"intercepts", kArray | kNull, Slot::model_dict, "intercepts", kMaxSlopes},
    {"an element of intercepts", kNumber, Slot::intercepts, {}},
    {"feature_opts_dicts", kArray | kNull, Slot::model_dict, "feature_opts_dicts", kMaxModelFeatures},
    {"an element of feature_opts_dicts", kObject, Slot::option_dicts, {}, kMaxOptions},
    {"an option of a feature", kText | kNumber | kBoolean, Slot::skipped, {}},
    {"score_clip", kArray | kNull, Slot::model_dict, "score_clip", 2},
    {"an element of score_clip", kNumber, Slot::score_clip, {}},
    {"score_transform", kObject | kNull, Slot::model_dict, "score_transform"},
    {"score_transform: enabled", kBoolean | kNull, Slot::transform, "enabled"},
    {"score_transform: p0", kNumber | kNull, Slot::transform, "p0"},
    {"score_transform: p1", kNumber | kNull, Slot::transform, "p1"},
    {"score_transform: p2", kNumber | kNull, Slot::transform, "p2"},
    {"score_transform: knots", kArray | kNull, Slot::transform, "knots", kMaxKnots},
    {"score_transform: a knot", kArray, Slot::knots, {}, 2},
    {"score_transform: a knot's coordinate", kNumber, Slot::knot, {}},
    {"score_transform: out_lte_in", kText | kBoolean | kNull, Slot::transform, "out_lte_in"},
    {"score_transform: out_gte_in", kText | kBoolean | kNull, Slot::transform, "out_gte_in"},
    {"chroma_correction_parameter", kNumber | kNull, Slot::model_dict, "chroma_correction_parameter"},
    {"model", kText, Slot::model_dict, "model"},
};
static_assert(std::size(kRules) == kSlots);

} // namespace

const SlotRule &rule(Slot slot)
{
    return kRules[static_cast<std::size_t>(slot)];
}

Slot child_slot(Slot parent, std::string_view key)
{
    for (std::size_t i = 0; i < kSlots; ++i)
        if (kRules[i].parent == parent && parent != Slot::skipped && kRules[i].key == key)
            return static_cast<Slot>(i);
    return Slot::skipped;
}

} // namespace vmaf
