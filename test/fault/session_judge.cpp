#include "fault/session_judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>

#include "fault/score_files.h"
#include "feature/registry.h"

namespace vmaf::test {
namespace {

bool same(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

} // namespace

SessionJudge::SessionJudge(const Script &script, const std::vector<ScoreColumn> &columns,
                           const std::vector<Account> &undisturbed, const Account &account, unsigned number,
                           const Faults &faults)
    : script_(script), account_(account), number_(number), faults_(faults), columns_(columns),
      got_(account.sessions[number]), want_(undisturbed[got_.accepted].sessions[number])
{
    for (std::size_t i = 0; i < got_.columns.size(); ++i)
        for (unsigned index = 0; index < got_.accepted && !columns_[i].delayed; ++index)
            if (want_.columns[i].at[index].error == 0 && got_.columns[i].at[index].error != 0)
                lost_.insert({index, got_.columns[i].at[index].error});
}

void SessionJudge::check() const
{
    check_progress();
    check_later_reads();
    for (std::size_t i = 0; i < got_.columns.size(); ++i) {
        SCOPED_TRACE(columns_[i].name + " of session " + std::to_string(number_));
        check_column(i);
    }
    check_on_the_way();
    if (!got_.model.at.empty())
        check_model();
    if (script_.asks_at_the_end)
        lost_.empty() ? check_equal_files() : check_files();
}

void SessionJudge::check_undisturbed() const
{
    EXPECT_TRUE(lost_.empty());
    for (std::size_t i = 0; i < got_.columns.size(); ++i)
        for (unsigned index = 0; index < got_.accepted; ++index) {
            EXPECT_EQ(got_.columns[i].at[index].error, want_.columns[i].at[index].error) << columns_[i].name;
            EXPECT_TRUE(same(got_.columns[i].at[index].value, want_.columns[i].at[index].value)) << columns_[i].name;
        }
    check_equal_files();
}

void SessionJudge::check_survivors() const
{
    const auto check = [](const std::string &name, const ColumnAnswers &got, const ColumnAnswers &want) {
        for (unsigned index = 0; index < got.at.size(); ++index)
            EXPECT_TRUE(got.at[index].error != 0 || same(got.at[index].value, want.at[index].value)) << name << index;
        EXPECT_TRUE(got.pooled.error != 0 || same(got.pooled.value, want.pooled.value)) << name;
    };
    for (std::size_t i = 0; i < got_.columns.size(); ++i)
        check(columns_[i].name, got_.columns[i], want_.columns[i]);
    check("model", got_.model, want_.model);
}

bool SessionJudge::is_counted(unsigned index) const
{
    return index % std::max(script_.subsample, 1U) == 0;
}

bool SessionJudge::is_lost(unsigned index, const ScoreColumn &column) const
{
    if (!column.delayed)
        return lost_.contains(index);
    return !lost_.empty() && lost_.begin()->first <= index + column.frames_after;
}

// A call that failed once succeeds when it is repeated, unless accepted frames were lost.
void SessionJudge::check_progress() const
{
    if (got_.flush && got_.accepted > 0 && script_.asks_at_the_end) {
        EXPECT_TRUE(lost_.empty() ? *got_.flush == 0 : faults_.explain(*got_.flush)) << *got_.flush;
    }
    EXPECT_TRUE(lost_.empty() || !faults_.all_pass() || !faults_.only_acquire()) << "lost a frame for want of memory";
    bool went_on = true;
    for (const PublicCall &call : account_.calls) {
        const bool concerns_it = call.session == number_ || call.kind == CallKind::state_init;
        if (!concerns_it || !call.is_repeat || call.error == 0 || is_getter(call.kind))
            continue;
        went_on = false;
        if (can_succeed(call, faults_)) {
            EXPECT_TRUE(lost_frames() || !script_.asks_at_the_end) << "after a failure that passed: " << describe(call);
        }
    }
    if (went_on && !lost_frames() && faults_.all_pass() && script_.asks_at_the_end) {
        EXPECT_EQ(got_.accepted, script_.frames);
    }
}

// Once the library knows that a frame was lost, it refuses reads. If the device finishes at once,
// the frame's own read already knows.
void SessionJudge::check_later_reads() const
{
    bool known = false;
    for (const PublicCall &call : account_.calls) {
        if (call.session != number_ || call.kind != CallKind::read)
            continue;
        EXPECT_TRUE(!known || call.error != 0) << "after a loss: " << describe(call);
        known = known || (script_.time == VMAF_DOUBLE_AT_ONCE && call.error == 0 && lost_.contains(call.index) &&
                          faults_.first_in(call.first_driver_call, call.end_driver_call) != nullptr);
    }
}

void SessionJudge::check_column(std::size_t column) const
{
    const ColumnAnswers &got = got_.columns[column], &want = want_.columns[column];
    bool whole = true;
    for (unsigned index = 0; index < got.at.size(); ++index) {
        const Answer &is = got.at[index], &should = want.at[index];
        if (should.error != 0) {
            const bool may_be_lost =
                !lost_.empty() && (columns_[column].delayed || !is_counted(index) || lost_.contains(index));
            EXPECT_TRUE(is.error == -EINVAL || (may_be_lost && faults_.explain(is.error))) << index << ": " << is.error;
        } else if (is.error == 0) {
            EXPECT_TRUE(same(is.value, should.value)) << index << ": " << is.value << " is not " << should.value;
        } else {
            EXPECT_TRUE(faults_.explain(is.error)) << index << ": " << is.error;
            EXPECT_TRUE(is_lost(index, columns_[column])) << index << " is missing, but what it needs is there";
        }
        if (const auto lost = lost_.find(index);
            lost != lost_.end() && !columns_[column].delayed && should.error == 0) {
            EXPECT_EQ(is.error, lost->second) << index << " is lost in another column";
        }
        whole = whole && (is.error == 0 || !is_counted(index) || index >= got_.accepted);
    }
    if (whole && want.pooled.error == 0)
        EXPECT_TRUE(got.pooled.error == 0 && same(got.pooled.value, want.pooled.value)) << got.pooled.error;
    else
        EXPECT_TRUE(faults_.explain(got.pooled.error) || (want.pooled.error != 0 && got.pooled.error == -EINVAL))
            << got.pooled.error;
}

void SessionJudge::check_on_the_way() const
{
    for (const SessionAccount::OnTheWay &asked : got_.on_the_way) {
        const std::string &name = columns_[asked.column].name;
        const Answer &now = got_.columns[asked.column].at[asked.index];
        if (asked.answer.error != 0)
            EXPECT_EQ(now.error, asked.answer.error) << name << ' ' << asked.index << " came back";
        else
            EXPECT_TRUE(now.error == 0 && same(now.value, asked.answer.value))
                << name << ' ' << asked.index << " could be read before";
    }
}

// A model's score exists if its inputs do.
void SessionJudge::check_model() const
{
    bool whole = true;
    for (unsigned index = 0; index < got_.model.at.size(); ++index) {
        bool has_inputs = true;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            has_inputs = has_inputs && got_.columns[i].at[index].error == 0;
        const Answer &is = got_.model.at[index], &should = want_.model.at[index];
        if (should.error != 0)
            EXPECT_TRUE(is.error == -EINVAL || (!lost_.empty() && faults_.explain(is.error)))
                << index << ": " << is.error;
        else if (has_inputs)
            EXPECT_TRUE(is.error == 0 && same(is.value, should.value)) << index << ": " << is.error;
        else
            EXPECT_TRUE(faults_.explain(is.error) || (is.error == 0 && same(is.value, should.value)))
                << index << ": " << is.error;
        whole = whole && (is.error == 0 || index >= got_.accepted);
    }
    if (whole && want_.model.pooled.error == 0)
        EXPECT_TRUE(got_.model.pooled.error == 0 && same(got_.model.pooled.value, want_.model.pooled.value));
    else
        EXPECT_TRUE(faults_.explain(got_.model.pooled.error) ||
                    (want_.model.pooled.error != 0 && got_.model.pooled.error == -EINVAL))
            << got_.model.pooled.error;
}

void SessionJudge::check_equal_files() const
{
    for (unsigned format = 0; format < got_.files.size(); ++format)
        EXPECT_EQ(without_speed(got_.files[format]), without_speed(want_.files[format])) << "format " << format + 1;
}

// Score files hold the remaining scores. They pool no column with a missing score.
void SessionJudge::check_files() const
{
    constexpr unsigned kXml = 0, kJson = 1, kCsv = 2;
    FileRows expected = rows_of_file(want_.files[kJson], kJson);
    std::set<std::string> with_holes;
    const auto take_out = [&](const std::string &alias, const ColumnAnswers &answers) {
        for (auto row = expected.begin(); row != expected.end();) {
            if (answers.at[row->first].error != 0)
                if (std::erase_if(row->second, [&](const auto &cell) { return cell.starts_with(alias + "="); }) > 0)
                    with_holes.insert(alias);
            row = row->second.empty() ? expected.erase(row) : std::next(row);
        }
    };
    for (std::size_t i = 0; i < columns_.size(); ++i)
        take_out(std::string(output_alias(columns_[i].name)), got_.columns[i]);
    if (script_.model != nullptr)
        take_out("model", got_.model);
    FileRows values;
    for (const auto &[index, cells] : expected)
        for (const std::string &cell : cells)
            values[index].insert(cell.substr(cell.find('=') + 1));
    for (unsigned format = 0; format < got_.files.size(); ++format)
        EXPECT_EQ(rows_of_file(got_.files[format], format), format == kCsv ? values : expected)
            << "format " << format + 1 << "\n"
            << got_.files[format];

    auto pooled = pooled_lines(want_.files[kXml]);
    for (const auto &[alias, line] : pooled_lines(got_.files[kXml]))
        EXPECT_EQ(line, with_holes.contains(alias) ? "    <metric name=\"" + alias + "\" />" : pooled[alias]);
}

} // namespace vmaf::test
