/// Prints feature_table()'s and model_table()'s definitions in C++. Run at build time, linked with the library's own parts.
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "feature/registry.h"
#include "model/builtin/builtin_table.h"

namespace vmaf {
namespace {

std::string quoted(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

struct TypeAndDefault {
    const char *type;
    std::string text;
};

/// A number outside the option's range stands for none and cannot be given.
TypeAndDefault type_and_default(const VmafOptionInfo &option)
{
    const double value = option.default_number;
    const bool can_be_given = option.least <= value && value <= option.most;
    if (option.type == VMAF_OPTION_BOOL)
        return {"bool", value != 0 ? "true" : "false"};
    if (option.type == VMAF_OPTION_TEXT)
        return {"text", option.default_text};
    return {option.type == VMAF_OPTION_INT ? "int" : "real", can_be_given ? number(value) : ""};
}

/// An end that is the type's own is none.
std::string range_of(const VmafOptionInfo &option)
{
    const bool is_integer = option.type == VMAF_OPTION_INT;
    if (!is_integer && option.type != VMAF_OPTION_DOUBLE)
        return "";
    const double largest = is_integer ? std::numeric_limits<int>::max() : std::numeric_limits<double>::max();
    const std::string least = option.least <= -largest ? "" : number(option.least);
    const std::string most = option.most >= largest ? "" : number(option.most);
    return least + ".." + most;
}

struct Outputs {
    std::set<std::string> names;
    bool has_clip_values = false;
};

Outputs outputs_of(const FeatureSpec &feature)
{
    Outputs outputs;
    for (const VmafOutputInfo *output : listed(feature.outputs)) {
        outputs.names.emplace(output->log_name);
        outputs.has_clip_values = outputs.has_clip_values || output->scope == VMAF_SCOPE_CLIP;
    }
    return outputs;
}

const char *text_of(bool value)
{
    return value ? "true" : "false";
}

void print_texts(const char *array, std::size_t i, const std::set<std::string> &texts)
{
    if (texts.empty())
        return;
    std::printf("constexpr const char *%s%zu[] = {\n", array, i);
    for (const std::string &text : texts)
        std::printf("    %s,\n", quoted(text).c_str());
    std::printf("};\n");
}

/// C++ has no empty arrays.
std::string span_of(const char *array, std::size_t i, bool empty)
{
    return empty ? "{}" : array + std::to_string(i);
}

void print_features()
{
    std::string rows;
    std::size_t i = 0;
    for (const FeatureSpec *feature : feature_registry()) {
        if (feature->options[0] != nullptr) {
            std::printf("constexpr FeatureOptionRow kOptions%zu[] = {\n", i);
            for (const VmafOptionInfo *shown : listed(feature->options)) {
                const VmafOptionInfo &option = *shown;
                const auto [type, text] = type_and_default(option);
                std::printf("    {%s, \"%s\", %s, \"%s\", %s, %.17g, %.17g, %s},\n", quoted(option.name).c_str(), type,
                            quoted(text).c_str(), range_of(option).c_str(), quoted(option.help).c_str(), option.least,
                            option.most, text_of(option.role == VMAF_ROLE_FRAME_RATE));
            }
            std::printf("};\n");
        }
        const Outputs outputs = outputs_of(*feature);
        print_texts("kOutputs", i, outputs.names);
        rows += "    {" + quoted(feature->name) + ", " + quoted(feature->help) + ", " +
                span_of("kOptions", i, feature->options[0] == nullptr) + ", " +
                span_of("kOutputs", i, outputs.names.empty()) + ", " + text_of(outputs.has_clip_values) + ", " +
                text_of(feature->gpu_tolerance > 0) + "},\n";
        ++i;
    }
    std::printf("constexpr FeatureRow kFeatures[] = {\n%s};\n\n", rows.c_str());
}

void print_models()
{
    std::string rows;
    std::size_t i = 0;
    for (const BuiltinModel &model : builtin_models()) {
        std::set<std::string> features;
        for (const BuiltinFeature &input : model.features)
            if (const FeatureSpec *feature = find_feature_providing(input.name))
                features.emplace(feature->name);
        print_texts("kModelFeatures", i, features);
        rows += "    {" + quoted(model.version) + ", " + span_of("kModelFeatures", i, features.empty()) + "},\n";
        ++i;
    }
    std::printf("constexpr ModelRow kModels[] = {\n%s};\n\n", rows.c_str());
}

} // namespace
} // namespace vmaf

int main()
{
    std::printf("#include \"listing/feature_table.h\"\n\nnamespace vmaf::tool {\nnamespace {\n\n");
    vmaf::print_features();
    vmaf::print_models();
    std::printf("} // namespace\n\n"
                "std::span<const FeatureRow> feature_table()\n{\n    return kFeatures;\n}\n\n"
                "std::span<const ModelRow> model_table()\n{\n    return kModels;\n}\n\n"
                "} // namespace vmaf::tool\n");
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
