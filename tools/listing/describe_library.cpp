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
#include "listing/gpu_tolerance.h"
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
TypeAndDefault type_and_default(const OptionSpec &option)
{
    const OptionValue &value = option.default_value;
    const auto can_be_given = [&option](double number) { return option.min <= number && number <= option.max; };
    if (const bool *flag = std::get_if<bool>(&value))
        return {"bool", *flag ? "true" : "false"};
    if (const int *integer = std::get_if<int>(&value))
        return {"int", can_be_given(*integer) ? std::to_string(*integer) : ""};
    if (const double *real = std::get_if<double>(&value))
        return {"real", can_be_given(*real) ? number(*real) : ""};
    return {"text", std::string(std::get<std::string_view>(value))};
}

/// An end that is the type's own is none.
std::string range_of(const OptionSpec &option)
{
    const bool is_integer = std::holds_alternative<int>(option.default_value);
    if (!is_integer && !std::holds_alternative<double>(option.default_value))
        return "";
    const double largest = is_integer ? std::numeric_limits<int>::max() : std::numeric_limits<double>::max();
    const std::string least = option.min <= -largest ? "" : number(option.min);
    const std::string most = option.max >= largest ? "" : number(option.max);
    return least + ".." + most;
}

struct Outputs {
    std::set<std::string> names;
    bool has_clip_values = false;
};

void add_outputs(Outputs &outputs, const FeatureSpec &feature, const OptionDict &dict)
{
    const auto values = OptionValues::parse(feature.name, feature.options, dict);
    if (!values.ok())
        return;
    const std::unique_ptr<Feature> made = feature.create(values.value());
    for (const OutputSpec &output : made->outputs({VMAF_PIX_FMT_YUV420P, 8, 1920, 1080})) {
        outputs.names.emplace(output_alias(output.name));
        outputs.has_clip_values = outputs.has_clip_values || output.kind == OutputKind::aggregate;
    }
}

/// Whatever flags switch it on: each flag is tried as its default is not, and all at once.
Outputs outputs_of(const FeatureSpec &feature)
{
    Outputs outputs;
    for (const char *name : feature.provided)
        outputs.names.emplace(output_alias(name));
    OptionDict all;
    add_outputs(outputs, feature, all);
    for (const OptionSpec &option : feature.options) {
        const bool *flag = std::get_if<bool>(&option.default_value);
        if (!flag)
            continue;
        OptionDict one;
        one.set(option.name, *flag ? "false" : "true");
        add_outputs(outputs, feature, one);
        all.set(option.name, "true");
    }
    add_outputs(outputs, feature, all);
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
        if (!feature->options.empty()) {
            std::printf("constexpr FeatureOptionRow kOptions%zu[] = {\n", i);
            for (const OptionSpec &option : feature->options) {
                const auto [type, text] = type_and_default(option);
                std::printf("    {%s, \"%s\", %s, \"%s\", %s, %.17g, %.17g, %s},\n", quoted(option.name).c_str(), type,
                            quoted(text).c_str(), range_of(option).c_str(), quoted(option.help).c_str(), option.min,
                            option.max, text_of(std::string_view(option.name) == kFrameRateOption));
            }
            std::printf("};\n");
        }
        const Outputs outputs = outputs_of(*feature);
        print_texts("kOutputs", i, outputs.names);
        rows += "    {" + quoted(feature->name) + ", " + quoted(feature->help) + ", " +
                span_of("kOptions", i, feature->options.empty()) + ", " +
                span_of("kOutputs", i, outputs.names.empty()) + ", " + text_of(outputs.has_clip_values) + ", " +
                text_of(gpu_tolerance(*feature) > 0) + "},\n";
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
