#include "fault/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <regex>

#include "fault/session_judge.h"

namespace vmaf::test {
namespace {

constexpr int kOutOfMemory = 2, kIllegalAddress = 700, kUnknown = 999;

bool is_error_line_of_the_driver(const std::string &line)
{
    return line.starts_with("libvmaf ERROR cuda: ");
}

const char *name_of(int result)
{
    switch (result) {
    case kOutOfMemory:
        return "CUDA_ERROR_OUT_OF_MEMORY";
    case kIllegalAddress:
        return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case kUnknown:
        return "CUDA_ERROR_UNKNOWN";
    default:
        return "?";
    }
}

/// cuMemAlloc_v2 is called cuMemAlloc in the sources.
std::string name_in_sources(std::string symbol)
{
    if (symbol.ends_with("_v2"))
        symbol.resize(symbol.size() - 3);
    return symbol;
}

// `libvmaf ERROR cuda: FILE:LINE: CALL: NAME (CODE)`; while the driver fails on, NAME cannot be had.
void check_line(const std::string &line, const Fault &fault)
{
    const std::string name = fault.lasts == Fault::Lasts::from_here_on ? "unknown error" : name_of(fault.result);
    const std::regex form("libvmaf ERROR cuda: [a-z0-9_]+\\.(cpp|h):[0-9]+: " + name_in_sources(fault.name) +
                          "\\(.*\\): " + name + " \\(" + std::to_string(fault.result) + "\\)");
    EXPECT_TRUE(std::regex_match(line, form)) << line << "\nis not the line of " << fault.name;
}

bool is_in(const Fault &fault, const PublicCall &call)
{
    return fault.call >= call.first_driver_call && fault.call < call.end_driver_call;
}

// One line says what failed, in the call where it did. While the driver fails on, every call has one line at most.
void check_lines(const Account &account, const Fault &fault)
{
    bool first = true;
    for (const PublicCall &call : account.calls) {
        EXPECT_LE(call.lines.size(), 1U) << describe(call) << "\n" << call.lines[1];
        const bool documented =
            call.error == -EINVAL && (call.kind == CallKind::model_getter || call.kind == CallKind::flush);
        for (const std::string &line : call.lines) {
            EXPECT_TRUE(is_error_line_of_the_driver(line) || documented) << line;
            if (!is_error_line_of_the_driver(line))
                continue;
            if (first) {
                EXPECT_TRUE(is_in(fault, call)) << line << "\ncomes in another call than the fault: " << describe(call);
                check_line(line, fault);
            } else {
                EXPECT_NE(fault.lasts, Fault::Lasts::once) << "a second line: " << line;
            }
            first = false;
        }
    }
    EXPECT_FALSE(first) << "no line says what failed";
}

bool is_getter(CallKind kind)
{
    return kind == CallKind::feature_getter || kind == CallKind::model_getter;
}

// Getters are the sessions' business, and a flush without a frame is an error of the client's.
void check_errors(const Account &account, const Fault &fault, bool somebody_asks)
{
    const int expected = errno_of(fault.result);
    bool told = false;
    for (const PublicCall &call : account.calls) {
        told = told || call.error == expected;
        if (!somebody_asks && is_in(fault, call) &&
            (call.kind == CallKind::fetch || call.kind == CallKind::read || call.kind == CallKind::close))
            told = true; // it cost frames, and close reports no error of frames
        if (is_getter(call.kind))
            continue;
        const unsigned accepted = account.sessions.empty() ? 0 : account.sessions[call.session].accepted;
        const bool flushes_nothing = call.kind == CallKind::flush && accepted == 0 && call.error == -EINVAL;
        EXPECT_TRUE(call.error == 0 || call.error == expected || flushes_nothing) << describe(call);
        if (call.kind == CallKind::write_output || call.kind == CallKind::unref || call.kind == CallKind::init ||
            call.kind == CallKind::use_feature) {
            EXPECT_EQ(call.error, 0) << describe(call);
        }
    }
    EXPECT_TRUE(told) << "no call gives the errno";
}

void check_promises_kept(const Account &account, unsigned long live_before)
{
    for (const std::string &promise : account.broken)
        ADD_FAILURE() << "broken: " << promise;
    EXPECT_EQ(account.live_at_end, live_before) << "driver objects after the last close and free";
}

} // namespace

int errno_of(int result)
{
    return result == kOutOfMemory ? -ENOMEM : -EIO;
}

std::string describe(const PublicCall &call)
{
    constexpr const char *kNames[] = {"vmaf_init",
                                      "vmaf_cuda_state_init",
                                      "vmaf_cuda_import_state",
                                      "vmaf_cuda_preallocate_pictures",
                                      "vmaf_use_feature",
                                      "vmaf_cuda_fetch_preallocated_picture",
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

void Judge::check(const Account &account, const Fault &fault, unsigned long live_before) const
{
    check_promises_kept(account, live_before);
    check_lines(account, fault);
    check_errors(account, fault, script_.flushes || script_.asks_at_the_end);
    unsigned harmed = 0;
    for (unsigned i = 0; i < account.sessions.size(); ++i) {
        const SessionJudge session(script_, columns_, undisturbed_, account, i, fault);
        session.check();
        harmed += session.lost_frames() ? 1 : 0;
    }
    if (fault.lasts == Fault::Lasts::once) {
        EXPECT_LE(harmed, 1U) << "sessions that lost frames";
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

void check_states(const Account &account, const Fault &fault, unsigned long live_before)
{
    check_promises_kept(account, live_before);
    check_lines(account, fault);
    check_errors(account, fault, true);
    for (std::size_t i = 1; i < account.calls.size(); ++i)
        if (account.calls[i].is_repeat && fault.lasts == Fault::Lasts::once) {
            EXPECT_EQ(account.calls[i].error, 0) << "after a failure that passed: " << describe(account.calls[i]);
        }
}

} // namespace vmaf::test
