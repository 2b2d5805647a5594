#pragma once

#include <map>
#include <set>
#include <vector>

#include "fault/judge.h"

namespace vmaf::test {

/// Checks the library's promises for one session of a run: each answer is the true one or the
/// errno, and nothing is lost without need.
class SessionJudge {
  public:
    /// Arguments are those of Judge.
    SessionJudge(const Script &script, const std::vector<ScoreColumn> &columns, const std::vector<Account> &undisturbed,
                 const Account &account, unsigned number, const Faults &faults);

    void check() const;
    void check_undisturbed() const;
    /// Checks only that there is no wrong score.
    void check_survivors() const;

    /// Whether the flush or a request for a score reported a lost frame.
    bool lost_frames() const { return !lost_.empty() || (got_.flush && faults_.explain(*got_.flush)); }

  private:
    bool is_counted(unsigned index) const;
    /// Whether a score of that index depends on a lost frame.
    bool is_lost(unsigned index, const ScoreColumn &column) const;

    void check_progress() const;
    void check_later_reads() const;
    void check_column(std::size_t column) const;
    void check_on_the_way() const;
    void check_model() const;
    void check_files() const;
    void check_equal_files() const;

    const Script &script_;
    const Account &account_;
    const unsigned number_;
    const Faults &faults_;
    const std::vector<ScoreColumn> &columns_;
    const SessionAccount &got_;
    const SessionAccount &want_;   ///< an undisturbed run of as many frames
    std::map<unsigned, int> lost_; ///< indices of frames and their errnos
};

} // namespace vmaf::test
