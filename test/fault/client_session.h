#pragma once

#include <cerrno>
#include <vector>

#include "fault/lent_surfaces.h"
#include "fault/recorder.h"
#include "fault/script.h"
#include "libvmaf/libvmaf.h"
#include "support/clips.h"

namespace vmaf::test {

/// One session of a script.
class ClientSession {
  public:
    /// @param columns columns_of(script).
    ClientSession(const Script &script, const std::vector<ScoreColumn> &columns, unsigned number, Recorder &recorder,
                  SessionAccount &account)
        : script_(script), columns_(columns), number_(number), recorder_(recorder), account_(account)
    {
    }

    // Call these in this order: init() first, and in any case close() and give_up_pictures() at the
    // end.
    void init();
    void open(void *state);
    void feed(unsigned frame);
    void hold_pictures();
    void flush();
    void ask_all();
    void close();
    void give_up_pictures();

  private:
    /// Repeats the call once if it fails.
    template <class Body> bool call(CallKind kind, unsigned index, Body &&body)
    {
        return recorder_.twice({kind, number_, index}, body) == 0;
    }

    bool preallocate(unsigned time);
    bool use_feature(const char *name);
    bool use_features();
    bool lends() const { return script_.pictures == Pictures::lent_host || script_.pictures == Pictures::lent_device; }
    bool fetch(VmafPicture &picture, unsigned frame);
    bool wrap(VmafPicture &picture, Side side, unsigned frame);
    void create_boxes();
    void sum_luma(const VmafPicture &picture, unsigned frame);
    bool obtain(VmafPicture &picture, Side side, unsigned frame);
    bool read_pair(unsigned frame);
    bool read(VmafPicture (&pair)[2], unsigned frame);
    void unref(VmafPicture &picture);

    template <class Body> int ask(const PublicCall &what, Body &&body)
    {
        return script_.asks_again ? recorder_.twice(what, body) : recorder_.once(what, body);
    }
    template <class Get> Answer answer(CallKind kind, unsigned index, Get &&get)
    {
        Answer answer;
        answer.error = ask({kind, number_, index}, [&] { return get(answer.value); });
        return answer;
    }
    template <class Get> Answer pooled(CallKind kind, Get &&get)
    {
        return account_.accepted > 0 ? answer(kind, 0, get) : Answer{-EINVAL, 0};
    }

    Answer feature_score(const ScoreColumn &column, unsigned index);
    Answer model_score(unsigned index);
    void ask_on_the_way(unsigned frame);
    void ask_model();
    void write_files();

    const Script &script_;
    const std::vector<ScoreColumn> &columns_;
    const unsigned number_;
    Recorder &recorder_;
    SessionAccount &account_;
    VmafContext *vmaf_ = nullptr;
    bool started_over_ = false;
    bool open_ = false; ///< the pictures to read
    std::vector<VmafPicture> held_;
    LentSurfaces lent_;
    VmafLumaBoxes *boxes_ = nullptr;
};

} // namespace vmaf::test
