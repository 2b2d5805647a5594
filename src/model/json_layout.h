#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The layout of model files (spec models 3).

namespace vmaf {

/// JSON types as a set.
enum JsonType : unsigned { kObject = 1, kArray = 2, kText = 4, kNumber = 8, kBoolean = 16, kNull = 32, kAnything = 63 };

/// The places in a model file where a value may stand.
enum class Slot : std::uint8_t {
    skipped,
    collection,
    model,
    model_dict,
    model_type,
    norm_type,
    feature_names,
    feature_name,
    slopes,
    slope,
    intercepts,
    intercept,
    option_dicts,
    option_dict,
    option,
    score_clip,
    clip_bound,
    transform,
    enabled,
    p0,
    p1,
    p2,
    knots,
    knot,
    knot_coordinate,
    out_lte_in,
    out_gte_in,
    chroma_correction,
    svm_text,
    count
};

/// Allowed contents of a slot, and the slot's place: the member `key` of the object in slot
/// `parent`, or with an empty key each element of the array there.
struct SlotRule {
    const char *label; ///< for error lines
    unsigned types;
    Slot parent;
    std::string_view key;
    std::size_t max_size = 0; ///< elements or members of the value itself; 0: any number
};
constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::count);

const SlotRule &rule(Slot slot);

/// The member `key` of the object in slot `parent`, or with an empty key the elements of the array
/// there.
Slot child_slot(Slot parent, std::string_view key);

} // namespace vmaf
