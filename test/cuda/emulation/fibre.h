#pragma once

#include <cstddef>

#if !defined(__x86_64__) || defined(VMAF_PORTABLE_FIBRES)
#include <ucontext.h>
#endif

namespace vmaf::emulation {

/// A flow of control with a stack of its own.
class Fibre {
  public:
    /// It begins in `entry`, which must not return.
    void start(std::byte *stack, std::size_t bytes, void (*entry)());
    /// Leaves `from`, the fibre that runs, and goes on in `to`; returns when another one switches
    /// back.
    static void switch_between(Fibre &from, Fibre &to);

  private:
#if defined(__x86_64__) && !defined(VMAF_PORTABLE_FIBRES)
    void *stack_pointer_ = nullptr;
#else
    ucontext_t context_{};
#endif
};

} // namespace vmaf::emulation
