#include "output/score_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

/// Two hyphens would end a comment. In JSON they stand in strings alone.
std::string without_double_hyphens(std::string json)
{
    for (std::size_t at = 0; (at = json.find("--", at)) != json.npos;)
        json.replace(at + 1, 1, "\\u002d");
    return json;
}

/// Text before and after a frame's number in its line.
struct FrameLine {
    std::string_view before, after;
    unsigned number;
};

/// Empty: the line is of no frame.
std::optional<FrameLine> frame_line(std::string_view line, std::string_view before_number)
{
    const std::size_t at = line.find_first_not_of(' ');
    if (at == line.npos || !line.substr(at).starts_with(before_number))
        return std::nullopt;
    const char *const first = line.data() + at + before_number.size();
    unsigned number = 0;
    const auto [end, error] = std::from_chars(first, line.data() + line.size(), number);
    if (error != std::errc())
        return std::nullopt;
    return FrameLine{line.substr(0, at + before_number.size()),
                     line.substr(static_cast<std::size_t>(end - line.data())), number};
}

/// A line of a score file, with the pair of its frame.
std::string paired_line(std::string_view line, VmafOutputFormat format, const SessionFrames &frames)
{
    const bool has_refs = frames.refs == SessionFrames::are_named;
    const bool is_csv = format == VMAF_OUTPUT_FORMAT_CSV;
    if (constexpr std::string_view kTitle = "Frame,"; is_csv && has_refs && line.starts_with(kTitle))
        return formatted("{}ref_frame,{}", kTitle, line.substr(kTitle.size()));
    const char *const before = is_csv                              ? ""
                               : format == VMAF_OUTPUT_FORMAT_JSON ? "\"frameNum\": "
                               : format == VMAF_OUTPUT_FORMAT_XML  ? "<frame frameNum=\""
                                                                   : "{";
    const auto found = frame_line(line, before);
    if (!found || found->number >= frames.pairs.size())
        return std::string(line);
    const auto [dis, ref] = frames.pairs[found->number];
    if (!has_refs && format != VMAF_OUTPUT_FORMAT_SUB)
        return formatted("{}{}{}", found->before, dis, found->after);
    if (is_csv)
        return formatted("{},{}{}", dis, ref, found->after);
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        return formatted("{}{},\n      \"ref_frame\": {}{}", found->before, dis, ref, found->after);
    if (format == VMAF_OUTPUT_FORMAT_XML)
        return formatted("{}{}\" ref_frame=\"{}{}", found->before, dis, ref, found->after);
    const std::size_t scores = line.find('|'); // {N}{N+1}frame: N|
    const std::string ref_frame = has_refs ? formatted("|ref_frame: {}", ref) : "";
    return formatted("{{{}}}{{{}}}frame: {}{}{}", dis, dis + 1, dis, ref_frame, line.substr(scores));
}

} // namespace

std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers)
{
    std::string text;
    pipe_scores(context, format, numbers, [&text](UniqueFd fd) {
        if (!read_all(fd.get(), text))
            throw Failure(kExitSetup, cannot_write("scores"));
    });
    return text;
}

std::string with_frame_pairs(const std::string &text, VmafOutputFormat format, const SessionFrames &frames)
{
    std::string changed;
    changed.reserve(text.size() + 32 * frames.pairs.size());
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        changed += paired_line(rest.substr(0, end), format, frames);
        rest.remove_prefix(end);
    }
    return changed;
}

void append_json_member(std::string &text, const std::string &member)
{
    const std::size_t root_end = text.rfind('}');
    const std::size_t last_member_end = text.find_last_not_of(" \n", root_end - 1) + 1;
    text.insert(last_member_end, formatted(",\n  {}", member));
}

void append_xml_comment(std::string &text, const std::string &comment)
{
    text.insert(text.rfind("</VMAF>"), formatted("  <!-- {} -->\n", comment));
}

std::string mark_incomplete(std::string text, VmafOutputFormat format, const Incomplete &incomplete)
{
    const char *const reason = reason_text(incomplete.reason);
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        append_json_member(
            text, formatted("\"incomplete\": {{\"reason\": \"{}\", \"frames\": {}}}", reason, incomplete.frames));
    if (format == VMAF_OUTPUT_FORMAT_XML)
        append_xml_comment(text, formatted("incomplete: reason=\"{}\" frames=\"{}\"", reason, incomplete.frames));
    return text;
}

std::string add_record(std::string text, VmafOutputFormat format, const std::string &name, std::string record)
{
    if (format == VMAF_OUTPUT_FORMAT_JSON)
        append_json_member(text, formatted("\"{}\": {}", name, record));
    if (format == VMAF_OUTPUT_FORMAT_XML)
        append_xml_comment(text, formatted("{}: {}", name, without_double_hyphens(std::move(record))));
    return text;
}

} // namespace vmaf::tool
