/// Writes the tables in documents that are generated from the library's lists: the lines between
/// "<!-- generated: BLOCK -->" and "<!-- /generated -->".
///
/// usage: reference check|renew FILE...
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "library/lists.h"

namespace {

using namespace vmaf;

std::string code(const char *text)
{
    return text != nullptr && *text != '\0' ? '`' + std::string(text) + '`' : "";
}

std::string row(std::initializer_list<std::string> cells)
{
    std::string line = "|";
    for (const std::string &cell : cells)
        line += cell.empty() ? " |" : " " + cell + " |";
    return line + '\n';
}

std::string head(std::initializer_list<std::string> cells)
{
    std::string line = "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += " --- |";
    return row(cells) + line + '\n';
}

std::string number(double value)
{
    std::ostringstream text;
    text.precision(9);
    text << value;
    return text.str();
}

std::string range(double least, double most)
{
    const bool open_below = std::isinf(least), open_above = std::isinf(most);
    if (open_below && open_above)
        return "";
    return open_above   ? "from " + number(least)
           : open_below ? "up to " + number(most)
                        : number(least) + " to " + number(most);
}

std::string range_of(const VmafOptionInfo &option)
{
    std::string text = tool::range_text(option);
    const std::size_t dots = text.find("..");
    if (text.empty())
        return "";
    if (dots + 2 == text.size())
        return "from " + text.substr(0, dots);
    return text.replace(dots, 2, " to ");
}

std::string better(const VmafOutputInfo &output)
{
    return output.direction == VMAF_DIRECTION_HIGHER  ? "higher"
           : output.direction == VMAF_DIRECTION_LOWER ? "lower"
                                                      : "";
}

std::string outputs_table(const VmafFeatureInfo &feature)
{
    std::string text = head({"output", "needs", "better", "range", "meaning"});
    for (const VmafOutputInfo *output : listed(feature.outputs)) {
        const std::string values = range(output->least, output->most), unit = output->unit;
        text += row({code(output->log_name), code(output->option), better(*output),
                     values + (values.empty() || unit.empty() ? "" : " ") + unit,
                     output->help + std::string(output->scope == VMAF_SCOPE_CLIP ? "; one value for the clip" : "")});
    }
    return text;
}

std::string options_table(const VmafFeatureInfo &feature)
{
    std::string text = head({"option", "alias in names", "default", "range", "meaning"});
    for (const VmafOptionInfo *option : listed(feature.options)) {
        const std::string value = tool::default_text(*option);
        const char *in_names = option->alias != nullptr ? option->alias : option->name;
        text += row({code(option->name), code(option->in_names != 0 ? in_names : nullptr),
                     option->type == VMAF_OPTION_TEXT ? code(value.c_str()) : value, range_of(*option), option->help});
    }
    return text;
}

std::string feature_block(const std::string &name)
{
    const VmafFeatureInfo *feature = tool::find_feature_info(name);
    if (feature == nullptr)
        return "there is no feature " + name + '\n';
    return outputs_table(*feature) + (feature->options[0] != nullptr ? '\n' + options_table(*feature) : "");
}

std::string features_block()
{
    std::string text = head({"feature", "what", "reads", "at least", "GPU against CPU"});
    for (const VmafFeatureInfo *feature : tool::library_features()) {
        const char *planes = feature->reads_chroma != 0 ? "all planes"
                             : feature->chroma_option   ? "luma; chroma by option"
                                                        : "luma";
        text += row({"[`" + std::string(feature->name) + "`](features.md#" + feature->name + ")", feature->help, planes,
                     std::to_string(feature->min_width_px) + "x" + std::to_string(feature->min_height_px),
                     feature->gpu_tolerance > 0 ? "within " + number(feature->gpu_tolerance) : "equal"});
    }
    return text;
}

std::string maps_block()
{
    std::string text = head({"feature", "value"});
    for (const VmafFeatureInfo *feature : tool::library_features())
        if (feature->map != nullptr)
            text += row({"[`" + std::string(feature->name) + "`](features.md#" + feature->name + ")", feature->map});
    return text;
}

std::string models_block()
{
    std::string text = head({"version", "for", "features"});
    for (const VmafModelInfo *model : tool::library_models()) {
        std::string features;
        for (const VmafFeatureInfo *feature : listed(model->features))
            features += (features.empty() ? "" : ", ") + code(feature->name);
        text += row(
            {code(model->version), model->help + std::string(model->is_default != 0 ? "; the default" : ""), features});
    }
    return text;
}

std::string stored_names_block()
{
    std::string text = head({"shown", "stored"});
    for (const VmafFeatureInfo *feature : tool::library_features())
        for (const VmafOutputInfo *output : listed(feature->outputs))
            if (output->log_name != std::string(output->name))
                text += row({code(output->log_name), code(output->name)});
    return text;
}

std::string provided_names_block()
{
    std::string text = head({"extractor", "sees every frame", "provided feature names (stored base names)", "with"});
    for (const VmafFeatureInfo *feature : tool::library_features()) {
        std::map<std::string, std::string> names; // these outputs exist only with the option that switches them on
        for (const VmafOutputInfo *output : listed(feature->outputs))
            if (output->for_models != 0) {
                std::string &list = names[output->option != nullptr ? output->option : ""];
                list += (list.empty() ? "" : ", ") + code(output->name);
            }
        if (names.empty())
            text += row({code(feature->name), "", "none", ""});
        for (const auto &[option, list] : names)
            text += row({code(feature->name), feature->sees_every_frame != 0 ? "yes" : "", list, code(option.c_str())});
    }
    return text;
}

std::string block(const std::string &name)
{
    const std::string feature = "feature ";
    if (name.starts_with(feature))
        return feature_block(name.substr(feature.size()));
    if (name == "features")
        return features_block();
    if (name == "maps")
        return maps_block();
    if (name == "models")
        return models_block();
    if (name == "provided names")
        return provided_names_block();
    return name == "stored names" ? stored_names_block() : "there is no block " + name + '\n';
}

std::string renewed(const std::string &text)
{
    const std::string start = "<!-- generated: ", end = "<!-- /generated -->";
    std::istringstream lines(text);
    std::string result;
    bool is_kept = true;
    for (std::string line; std::getline(lines, line);) {
        is_kept = is_kept || line == end;
        if (is_kept)
            result += line + '\n';
        if (line.starts_with(start)) {
            result += block(line.substr(start.size(), line.find(" -->") - start.size()));
            is_kept = false;
        }
    }
    return result;
}

} // namespace

int main(int argc, char **argv)
{
    int differ = 0;
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i]);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const std::string wanted = renewed(text);
        if (text == wanted)
            continue;
        if (argv[1] == std::string("renew")) {
            std::ofstream(argv[i]) << wanted;
            continue;
        }
        std::cerr << argv[i] << ": a table is not what the library says; ninja -C BUILD renew_reference writes it\n";
        differ = 1;
    }
    return differ;
}
