#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vmaf::test {

/// Everything that a client saw of a run: each public call with its errno and the error lines that
/// it logged, and each answer about scores.

enum class CallKind {
    init,
    state_init,
    import,
    preallocate,
    allocate,
    use_feature,
    fetch,
    wrap,
    create_boxes,
    add_boxes,
    read_boxes,
    destroy_boxes,
    read,
    flush,
    feature_getter,
    model_getter,
    write_output,
    close,
    state_free,
    unref
};

struct PublicCall {
    CallKind kind;
    unsigned session = 0;
    unsigned index = 0; ///< number of the frame, or of the call among calls of its kind
    int error = 0;
    unsigned long first_driver_call = 0; ///< number of the first driver call that it could make, from 0
    unsigned long end_driver_call = 0;
    std::vector<std::string> lines = {};
    bool left_work = false; ///< whether work was still queued after it that was not queued before
    bool is_repeat = false; ///< repeats the call before it, which failed
};

/// Answer of a getter.
struct Answer {
    int error = 0;
    double value = 0;
};

/// Scores of a column by frame index, with one index more than frames were to be fed, and its
/// pooled score over the accepted frames.
struct ColumnAnswers {
    std::vector<Answer> at;
    Answer pooled;
};

struct SessionAccount {
    unsigned accepted = 0; ///< number of indices, from 0 on
    std::optional<int> flush;
    std::vector<ColumnAnswers> columns; ///< in the order of Script::columns()
    ColumnAnswers model;
    std::array<std::string, 4> files; ///< by format; empty if not asked for

    struct OnTheWay {
        std::size_t column;
        unsigned index;
        Answer answer;
    };
    std::vector<OnTheWay> on_the_way; ///< feature scores that were asked for between reads
};

struct Account {
    std::vector<PublicCall> calls;
    std::vector<SessionAccount> sessions;
    std::vector<std::string> broken; ///< broken promises that the client noticed itself
    unsigned long live_at_end = 0;   ///< driver objects after the last close and free, whether or not pictures are held
};

} // namespace vmaf::test
