#pragma once

#include <functional>
#include <span>
#include <string>

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf.h"
#include "scores/score_columns.h"

/// A score file as text, and what is added to it.
namespace vmaf::tool {

/// The score file as the library writes it. Throws Failure.
std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers);

/// The score file of a session that has pairs as its frames 0, 1, ...: with the distorted frames'
/// numbers, and those of the reference's as `ref_frame` if they are named.
std::string with_frame_pairs(const std::string &text, VmafOutputFormat format, const SessionFrames &frames);

/// @param member a name and a value, behind the last member of the root.
void append_json_member(std::string &text, const std::string &member);

/// Before the root's end.
void append_xml_comment(std::string &text, const std::string &comment);

/// The mark in a score file of a run that ended early.
struct Incomplete {
    StopReason reason;
    unsigned frames;
};

/// A score file's text with the mark put into it (spec cli 10.4), XML and JSON only: CSV and SUB
/// stay as they are.
std::string mark_incomplete(std::string text, VmafOutputFormat format, const Incomplete &incomplete);

/// Whether score files of that kind have room for more than scores.
constexpr bool has_room_for_details(VmafOutputFormat format)
{
    return format == VMAF_OUTPUT_FORMAT_XML || format == VMAF_OUTPUT_FORMAT_JSON;
}

/// A score file's text with more about its run (spec cli 10.2, comparison 11): JSON as a member,
/// XML as a comment.
/// @param record a JSON value.
std::string add_record(std::string text, VmafOutputFormat format, const std::string &name, std::string record);

/// The library writes its score file while `read`, on a thread of its own, takes it in from the
/// descriptor: when that cannot go on, the library gets an error instead of waiting. Throws
/// Failure, or what `read` throws.
void pipe_scores(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                 const std::function<void(UniqueFd)> &read);

} // namespace vmaf::tool
