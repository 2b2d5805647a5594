#include "cuda/emulation/fibre.h"

#if defined(__x86_64__) && !defined(VMAF_PORTABLE_FIBRES)

// What the System V ABI wants kept across a call is pushed on the fibre's own stack; `from` takes
// its stack pointer. A hundred times as fast as swapcontext(), which asks the kernel for the signal
// mask. On Windows, whose functions keep more, the compiler saves the rest around the call.
extern "C" void __attribute__((sysv_abi)) vmaf_emulation_switch(void **from, void *to);
asm(R"(
    .text
    .globl vmaf_emulation_switch
vmaf_emulation_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

namespace vmaf::emulation {

void Fibre::start(std::byte *stack, std::size_t bytes, void (*entry)())
{
    // The stack looks as a switch leaves it: six registers, then the address to go on at. It is
    // aligned as after a call, and above it is room for a return address and, on Windows, for four
    // arguments.
    constexpr int kRegisters = 6, kRoom = 5;
    auto *top = reinterpret_cast<void **>(stack + bytes) - 1 - kRoom;
    *top = reinterpret_cast<void *>(entry);
    stack_pointer_ = top - kRegisters;
}

void Fibre::switch_between(Fibre &from, Fibre &to)
{
    vmaf_emulation_switch(&from.stack_pointer_, to.stack_pointer_);
}

} // namespace vmaf::emulation

#else

namespace vmaf::emulation {

void Fibre::start(std::byte *stack, std::size_t bytes, void (*entry)())
{
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = bytes;
    makecontext(&context_, entry, 0);
}

void Fibre::switch_between(Fibre &from, Fibre &to)
{
    swapcontext(&from.context_, &to.context_);
}

} // namespace vmaf::emulation

#endif
