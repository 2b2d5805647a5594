#pragma once

#include "cuda/driver_double/control.h"
#include "fault/account.h"
#include "fault/error_lines.h"

namespace vmaf::test {

/// What a test does around every public call; null for nothing.
struct AroundCalls {
    void (*before)() = nullptr;
    void (*after)() = nullptr;
};

/// Records every public call of a client.
class Recorder {
  public:
    Recorder(Account &account, const VmafDoubleControl &driver, ErrorLines &lines, AroundCalls around)
        : account_(account), driver_(driver), lines_(lines), around_(around)
    {
    }

    template <class Call> int once(const PublicCall &what, Call &&body)
    {
        PublicCall call = what;
        const unsigned long pushes = driver_.live(VMAF_DOUBLE_PUSH);
        const unsigned long pending = driver_.pending();
        call.first_driver_call = driver_.calls();
        if (around_.before != nullptr)
            around_.before();
        call.error = body();
        if (around_.after != nullptr)
            around_.after();
        call.end_driver_call = driver_.calls();
        call.left_work = driver_.pending() > pending;
        call.lines = lines_.take();
        if (driver_.live(VMAF_DOUBLE_PUSH) != pushes)
            broken("the current context is another one after the call");
        account_.calls.push_back(call);
        return call.error;
    }

    /// Makes the call, and repeats it once if it fails. @return the last call's error.
    template <class Call> int twice(const PublicCall &what, Call &&body)
    {
        if (once(what, body) == 0)
            return 0;
        PublicCall again = what;
        again.is_repeat = true;
        return once(again, body);
    }

    void broken(const char *promise) { account_.broken.emplace_back(promise); }
    void expect(bool kept, const char *promise)
    {
        if (!kept)
            broken(promise);
    }

    const VmafDoubleControl &driver() const { return driver_; }

  private:
    Account &account_;
    const VmafDoubleControl &driver_;
    ErrorLines &lines_;
    AroundCalls around_;
};

} // namespace vmaf::test
