#include "model/json_model.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/platform.h"
#include "model/json_layout.h"
#include "model/model_dict.h"

namespace vmaf {
namespace {

// Spec models 3.
constexpr std::size_t kMaxNesting = 64;
constexpr std::size_t kMaxMembers = 9999;

/// A value that is no object or array.
struct Scalar {
    JsonType type;
    bool flag = false;
    std::string text = {}; ///< a number as it is written
};

/// Follows a file's events through the slots and collects its models. An event returns whether to
/// go on; when not, the reason has been logged.
class ModelJsonReader {
  public:
    ModelJsonReader(const ModelFile &file, JsonLayout layout)
        : file_(file), root_(layout == JsonLayout::single ? Slot::model : Slot::collection)
    {
    }

    std::vector<ModelParameters> &models() { return models_; }

    // The events, named by nlohmann::json_sax.
    bool null() { return scalar({kNull}); }
    bool boolean(bool flag) { return scalar({kBoolean, flag}); }
    // A zero that is no unsigned one was written "-0".
    bool number_integer(std::int64_t number)
    {
        return scalar({kNumber, false, number == 0 ? "-0" : std::to_string(number)});
    }
    bool number_unsigned(std::uint64_t number) { return scalar({kNumber, false, std::to_string(number)}); }
    bool number_float(double, const std::string &text) { return scalar({kNumber, false, text}); }
    bool string(std::string &text) { return scalar({kText, false, std::move(text)}); }
    bool binary(nlohmann::json::binary_t &) { return false; } // JSON has none
    bool start_object(std::size_t) { return open(kObject); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(kArray); }
    bool end_array() { return close(); }
    bool key(const std::string &name);
    bool parse_error(std::size_t position, const std::string &, const nlohmann::json::exception &error);

  private:
    /// An object or array that is being read.
    struct Level {
        Slot slot;
        Slot next;                     ///< where the next value in it stands
        std::size_t size = 0;          ///< values so far
        std::bitset<kSlots> members{}; ///< recognised ones so far
    };

    Slot member_slot(Slot object, const std::string &name) const;
    Status begin_value(JsonType type);
    Slot next_slot() const { return levels_.empty() ? root_ : levels_.back().next; }
    bool open(JsonType type);
    void make_room(Slot slot);
    bool close();
    bool close_model_dict();

    bool scalar(Scalar value);
    Status store(Slot slot, Scalar &value);
    Status store_model_type(std::string_view text);
    Status store_norm_type(std::string_view text);
    Status store_option(const Scalar &value);

    const ModelFile &file_;
    Slot root_;
    std::vector<Level> levels_;
    std::string option_name_;
    ModelDict dict_;
    std::vector<ModelParameters> models_;
};

Slot ModelJsonReader::member_slot(Slot object, const std::string &name) const
{
    if (object == Slot::collection)
        return name == std::to_string(models_.size()) ? Slot::model : Slot::skipped;
    return object == Slot::option_dict ? Slot::option : child_slot(object, name);
}

bool ModelJsonReader::key(const std::string &name)
{
    Level &level = levels_.back();
    level.next = member_slot(level.slot, name);
    if (level.next == Slot::option)
        option_name_ = name;
    else if (level.next == Slot::model && models_.size() > kMaxMembers)
        return file_.fail("more than %zu models in the collection", kMaxMembers).ok();
    else if (level.next != Slot::skipped && level.next != Slot::model) {
        const std::size_t member = static_cast<std::size_t>(level.next);
        if (level.members.test(member))
            return file_.fail("%s twice", rule(level.next).label).ok();
        level.members.set(member);
    }
    return true;
}

/// Whether a value of that type may stand in the next slot.
Status ModelJsonReader::begin_value(JsonType type)
{
    const SlotRule &expected = rule(next_slot());
    if ((expected.types & type) == 0)
        return file_.fail("%s is of the wrong type", levels_.empty() ? "the top level" : expected.label);
    if (levels_.empty())
        return {};
    Level &level = levels_.back();
    const std::size_t max_size = rule(level.slot).max_size;
    if (++level.size > max_size && max_size != 0)
        return file_.fail("%s holds more than %zu values", rule(level.slot).label, max_size);
    return {};
}

bool ModelJsonReader::open(JsonType type)
{
    if (!begin_value(type).ok())
        return false;
    if (levels_.size() == kMaxNesting)
        return file_.fail("nested deeper than %zu", kMaxNesting).ok();
    const Slot slot = next_slot();
    make_room(slot);
    levels_.push_back({slot, type == kArray ? child_slot(slot, {}) : Slot::skipped});
    return true;
}

/// Makes room for the values of the object or array that begins.
void ModelJsonReader::make_room(Slot slot)
{
    switch (slot) {
    case Slot::model_dict:
        dict_ = {};
        break;
    case Slot::feature_names:
        dict_.feature_names.emplace();
        break;
    case Slot::slopes:
        dict_.slopes.emplace();
        break;
    case Slot::intercepts:
        dict_.intercepts.emplace();
        break;
    case Slot::option_dict:
        dict_.feature_options.emplace_back();
        break;
    case Slot::score_clip:
        dict_.clip.emplace();
        break;
    case Slot::transform:
        dict_.transform.emplace();
        break;
    case Slot::knot:
        dict_.transform->knots.push_back({});
        break;
    default:
        break;
    }
}

bool ModelJsonReader::close()
{
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.slot == Slot::model && !level.members.test(static_cast<std::size_t>(Slot::model_dict)))
        return file_.fail("no model_dict").ok();
    if (level.slot == Slot::option_dict) // a copy, without the room for more that the list has made
        dict_.feature_options.back() = OptionDict(dict_.feature_options.back());
    if (level.slot == Slot::knot && level.size != 2)
        return file_.fail("score_transform: a knot holds %zu numbers, should be 2", level.size).ok();
    return level.slot != Slot::model_dict || close_model_dict();
}

bool ModelJsonReader::close_model_dict()
{
    Result<ModelParameters> parameters = make_parameters(file_, std::move(dict_));
    if (!parameters.ok())
        return false;
    models_.push_back(std::move(parameters).value());
    return true;
}

bool ModelJsonReader::scalar(Scalar value)
{
    return begin_value(value.type).ok() && (value.type == kNull || store(next_slot(), value).ok());
}

Status ModelJsonReader::store(Slot slot, Scalar &value)
{
    const double number = value.type == kNumber ? parse_double(value.text.c_str(), nullptr) : 0;
    const bool is_true = value.type == kBoolean ? value.flag : value.text == "true";
    switch (slot) {
    case Slot::model_type:
        return store_model_type(value.text);
    case Slot::norm_type:
        return store_norm_type(value.text);
    case Slot::feature_name:
        dict_.feature_names->push_back(std::move(value.text));
        break;
    case Slot::slope:
        dict_.slopes->push_back(number);
        break;
    case Slot::intercept:
        dict_.intercepts->push_back(number);
        break;
    case Slot::option:
        return store_option(value);
    case Slot::clip_bound:
        dict_.clip->push_back(number);
        break;
    case Slot::enabled:
        dict_.transform->enabled = is_true;
        break;
    case Slot::p0:
        dict_.transform->p0 = number;
        break;
    case Slot::p1:
        dict_.transform->p1 = number;
        break;
    case Slot::p2:
        dict_.transform->p2 = number;
        break;
    case Slot::knot_coordinate:
        (levels_.back().size == 1 ? dict_.transform->knots.back().x : dict_.transform->knots.back().y) = number;
        break;
    case Slot::out_lte_in:
        dict_.transform->out_lte_in = is_true;
        break;
    case Slot::out_gte_in:
        dict_.transform->out_gte_in = is_true;
        break;
    case Slot::chroma_correction:
        dict_.chroma_correction = number;
        break;
    case Slot::svm_text:
        dict_.svm_text = std::move(value.text);
        break;
    default:
        break;
    }
    return {};
}

Status ModelJsonReader::store_model_type(std::string_view text)
{
    if (text == "LIBSVMNUSVR")
        dict_.type = ModelType::nu_svr;
    else if (text == "BOOTSTRAP_LIBSVMNUSVR")
        dict_.type = ModelType::bootstrap_nu_svr;
    else if (text == "RESIDUEBOOTSTRAP_LIBSVMNUSVR")
        dict_.type = ModelType::residue_bootstrap_nu_svr;
    else
        return file_.fail("model_type is not supported");
    return {};
}

Status ModelJsonReader::store_norm_type(std::string_view text)
{
    if (text != "linear_rescale" && text != "none")
        return file_.fail("norm_type is not supported");
    dict_.rescales = text == "linear_rescale";
    return {};
}

/// Numbers become option texts by way of float (spec models 3).
Status ModelJsonReader::store_option(const Scalar &value)
{
    std::string text = value.text;
    if (value.type == kBoolean)
        text = value.flag ? "true" : "false";
    else if (value.type == kNumber)
        text = format_general(static_cast<double>(parse_float(value.text.c_str(), nullptr)));
    OptionDict &options = dict_.feature_options.back();
    const std::string *earlier = options.find(option_name_);
    if (earlier != nullptr && *earlier != text)
        return file_.fail("an option of feature %zu has two values", dict_.feature_options.size());
    options.set(option_name_, text);
    return {};
}

bool ModelJsonReader::parse_error(std::size_t position, const std::string &, const nlohmann::json::exception &error)
{
    constexpr int kNumberOverflow = 406; // the library's number for it
    if (error.id == kNumberOverflow)
        return file_.fail("a number near byte %zu is not finite", position).ok();
    return file_.fail("not JSON, or cut short: near byte %zu", position).ok();
}

} // namespace

Result<std::vector<ModelParameters>> parse_model_json(const ModelFile &file, std::string_view text, JsonLayout layout)
{
    const CLocale numbers; // the JSON library reads them by the thread's locale; a model file does not depend on it
    ModelJsonReader reader(file, layout);
    constexpr bool kToTheEnd = false; // text after the top-level object is ignored
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &reader, nlohmann::json::input_format_t::json, kToTheEnd))
        return Status::error(EINVAL);
    return std::move(reader.models());
}

} // namespace vmaf
