#include "fault/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "fault/session_judge.h"

namespace vmaf::test {
namespace {

bool is_error_line_of_the_driver(const std::string &line)
{
    return line.starts_with("libvmaf ERROR cuda: ") || line.starts_with("libvmaf ERROR vulkan: ");
}

using Lines = std::vector<std::string>;
using Names = std::set<std::string>;

/// Source files with that name.
const std::vector<Lines> &sources(const std::string &file_name)
{
    static std::map<std::string, std::vector<Lines>> read;
    std::vector<Lines> &files = read[file_name];
    if (!files.empty())
        return files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(VMAF_TEST_SOURCE_DIR))
        if (entry.path().filename() == file_name) {
            files.emplace_back();
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                files.back().push_back(line);
        }
    return files;
}

/// Whether FILE:LINE has that call. A call may take several lines.
bool names_its_place(const std::string &line)
{
    static const std::regex place("libvmaf ERROR (?:cuda|vulkan): ([a-z0-9_]+\\.[a-z]+):([0-9]+): "
                                  "(?:[a-z_()]+(?:->|\\.))*([A-Za-z0-9]+)[(:].*");
    std::smatch part;
    if (!std::regex_match(line, part, place))
        return false;
    const std::size_t number = std::stoul(part[2]);
    const auto stands_there = [&](const Lines &source) {
        for (std::size_t i = number > 2 ? number - 2 : 0; i < std::min(number + 1, source.size()); ++i)
            if (source[i].find(part[3]) != std::string::npos)
                return true;
        return false;
    };
    const std::vector<Lines> &files = sources(part[1]);
    return std::any_of(files.begin(), files.end(), stands_there);
}

bool releases(const std::string &entry_point)
{
    static const std::regex names(
        "cuCtxP(op|ush)Current_v2|cu(Stream|Event)Synchronize|cu.*(Free|FreeHost|Destroy|Unload|Release)(_v2)?");
    return std::regex_match(entry_point, names);
}

/// The first failed release stands for all until a close reports it (adr/0007). A returned picture
/// may wait for an event first. Streams are waited for after any failure, too, and failures there
/// are only its consequences.
bool is_said_by_an_earlier_one(const Fault &fault, const Faults &faults)
{
    const bool settles = fault.name == "cuStreamSynchronize";
    return releases(fault.name) && std::any_of(faults.list().begin(), faults.list().end(), [&](const Fault &other) {
               return other.call < fault.call && (settles || releases(other.name));
           });
}

// One line reports the failure, in the call where it happened. Its consequences there are not
// reported again. Only while the driver goes on failing do other calls log lines, one each.
void check_lines(const Account &account, const Faults &faults, const Names &unheard)
{
    bool driver_fails_on = false;
    for (const PublicCall &call : account.calls) {
        EXPECT_LE(call.lines.size(), 1U) << describe(call) << "\n" << call.lines[1];
        const std::string line = call.lines.empty() ? "" : call.lines[0];
        const Fault *fault = faults.first_in(call.first_driver_call, call.end_driver_call);
        if (fault != nullptr && !driver_fails_on) {
            EXPECT_TRUE(std::regex_match(line, std::regex(faults.line_of(*fault))) ||
                        (line.empty() && unheard.contains(fault->name)) ||
                        ((line.empty() || faults.go_on_before(call.end_driver_call)) &&
                         is_said_by_an_earlier_one(*fault, faults)))
                << describe(call) << "\n"
                << line << "\nis not the line of " << fault->name;
        } else if (!line.empty()) {
            const bool documented =
                call.error == -EINVAL && (call.kind == CallKind::model_getter || call.kind == CallKind::flush);
            EXPECT_TRUE(documented || (driver_fails_on && is_error_line_of_the_driver(line))) << describe(call) << "\n"
                                                                                              << line;
        }
        if (is_error_line_of_the_driver(line)) {
            EXPECT_TRUE(names_its_place(line)) << line;
        }
        driver_fails_on = faults.go_on_before(call.end_driver_call);
    }
}

// Session judges check the getters. A flush without a frame is an error of the client.
void check_errors(const Account &account, const Faults &faults, const Names &unheard, bool somebody_asks)
{
    bool told = faults.all_pass() && std::all_of(faults.list().begin(), faults.list().end(),
                                                 [&](const Fault &fault) { return unheard.contains(fault.name); });
    for (const PublicCall &call : account.calls) {
        told = told || faults.explain(call.error);
        if (!somebody_asks && faults.first_in(call.first_driver_call, call.end_driver_call) != nullptr &&
            (call.kind == CallKind::fetch || call.kind == CallKind::read || call.kind == CallKind::close))
            told = true; // it lost frames, and close does not report errors of frames
        if (is_getter(call.kind))
            continue;
        const unsigned accepted = account.sessions.empty() ? 0 : account.sessions[call.session].accepted;
        const bool flushes_nothing = call.kind == CallKind::flush && accepted == 0 && call.error == -EINVAL;
        EXPECT_TRUE(call.error == 0 || faults.explain(call.error) || flushes_nothing) << describe(call);
        if (call.kind == CallKind::write_output || call.kind == CallKind::unref || call.kind == CallKind::init ||
            call.kind == CallKind::use_feature) {
            EXPECT_EQ(call.error, 0) << describe(call);
        }
    }
    EXPECT_TRUE(told) << "no call gives the errno";
}

// The client keeps the pictures of a refused read, so no copy from them may be under way.
void check_refused_reads(const Account &account, const Faults &faults)
{
    for (const PublicCall &call : account.calls) {
        const Fault *fault = faults.first_in(call.first_driver_call, call.end_driver_call);
        if (call.kind == CallKind::read && call.error != 0 && fault != nullptr && fault->name == "cuMemcpy2DAsync_v2" &&
            faults.all_pass() && faults.size() == 1) {
            EXPECT_FALSE(call.left_work) << describe(call);
        }
    }
}

void check_promises_kept(const Account &account, unsigned long live_before)
{
    for (const std::string &promise : account.broken)
        ADD_FAILURE() << "broken: " << promise;
    EXPECT_EQ(account.live_at_end, live_before) << "driver objects after the last close and free";
}

} // namespace

bool is_getter(CallKind kind)
{
    return kind == CallKind::feature_getter || kind == CallKind::model_getter;
}

bool can_succeed(const PublicCall &call, const Faults &faults)
{
    return !faults.go_on_before(call.end_driver_call) &&
           faults.first_in(call.first_driver_call, call.end_driver_call) == nullptr;
}

std::string describe(const PublicCall &call)
{
    constexpr const char *kNames[] = {"vmaf_init",
                                      "vmaf_cuda_state_init",
                                      "vmaf_cuda_import_state",
                                      "vmaf_cuda_preallocate_pictures",
                                      "vmaf_picture_alloc",
                                      "vmaf_use_feature",
                                      "vmaf_cuda_fetch_preallocated_picture",
                                      "vmaf_picture_wrap",
                                      "vmaf_luma_boxes_create",
                                      "vmaf_luma_boxes_add",
                                      "vmaf_luma_boxes_read",
                                      "vmaf_luma_boxes_destroy",
                                      "vmaf_read_pictures",
                                      "the flush",
                                      "vmaf_feature_score_...",
                                      "vmaf_score_...",
                                      "vmaf_write_output",
                                      "vmaf_close",
                                      "vmaf_cuda_state_free",
                                      "vmaf_picture_unref"};
    return std::string(kNames[static_cast<std::size_t>(call.kind)]) + " (session " + std::to_string(call.session) +
           ", index " + std::to_string(call.index) + (call.is_repeat ? ", repeated" : "") +
           "): " + std::to_string(call.error);
}

void Judge::check(const Account &account, const Faults &faults, unsigned long live_before) const
{
    check_promises_kept(account, live_before);
    check_lines(account, faults, script_.unheard);
    check_errors(account, faults, script_.unheard, script_.flushes || script_.asks_at_the_end);
    check_refused_reads(account, faults);
    unsigned harmed = 0;
    for (unsigned i = 0; i < account.sessions.size(); ++i) {
        const SessionJudge session(script_, columns_, undisturbed_, account, i, faults);
        session.check();
        harmed += session.lost_frames() ? 1 : 0;
    }
    if (faults.all_pass()) {
        EXPECT_LE(harmed, faults.size()) << "sessions that lost frames";
    }
}

void Judge::check_undisturbed(const Account &account, unsigned long live_before) const
{
    check_undisturbed_states(account, live_before);
    for (unsigned i = 0; i < account.sessions.size(); ++i)
        SessionJudge(script_, columns_, undisturbed_, account, i, {}).check_undisturbed();
}

void check_undisturbed_states(const Account &account, unsigned long live_before)
{
    check_promises_kept(account, live_before);
    for (const PublicCall &call : account.calls) {
        if (!is_getter(call.kind)) {
            EXPECT_EQ(call.error, 0) << describe(call);
        }
        for (const std::string &line : call.lines)
            EXPECT_FALSE(is_error_line_of_the_driver(line)) << line;
    }
}

void check_states(const Account &account, const Faults &faults, unsigned long live_before)
{
    check_promises_kept(account, live_before);
    check_lines(account, faults, {});
    check_errors(account, faults, {}, true);
    for (const PublicCall &call : account.calls)
        if (call.is_repeat && can_succeed(call, faults)) {
            EXPECT_EQ(call.error, 0) << "after a failure that passed: " << describe(call);
        }
}

} // namespace vmaf::test
