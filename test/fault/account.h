#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vmaf::test {

/// What a client saw of a run: every public call with its errno and the error lines that it logged,
/// and every answer about scores.

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
    unsigned index = 0; ///< of the frame, or of the call among its kind
    int error = 0;
    unsigned long first_driver_call = 0; ///< the number of the first driver call that it could make, from 0
    unsigned long end_driver_call = 0;
    std::vector<std::string> lines = {};
    bool left_work = false; ///< more was queued and had not run after it than before
    bool is_repeat = false; ///< of the call before it, which failed
};

/// A getter's answer.
struct Answer {
    int error = 0;
    double value = 0;
};

/// A column's scores by frame index, one index more than was to be fed, and its pooled score over
/// the accepted frames.
struct ColumnAnswers {
    std::vector<Answer> at;
    Answer pooled;
};

struct SessionAccount {
    unsigned accepted = 0; ///< frames: the first so many indices
    std::optional<int> flush;
    std::vector<ColumnAnswers> columns; ///< as Script::columns()
    ColumnAnswers model;
    std::array<std::string, 4> files; ///< by format; empty: not asked for

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
    std::vector<std::string> broken; ///< promises that the client itself saw broken
    unsigned long live_at_end = 0;   ///< driver objects after the last close and free, pictures held or not
};

} // namespace vmaf::test
