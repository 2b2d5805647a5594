#include "cuda/emulation/fibre.h"

#if defined(__x86_64__) && !defined(VMAF_PORTABLE_FIBRES)

// Pushes the registers that the System V ABI preserves across calls onto the fibre's own stack, and
// stores its stack pointer in `from`. This is a hundred times as fast as swapcontext(), which asks
// the kernel for the signal mask.
extern "C" void vmaf_emulation_switch(void **from, void *to);
asm(R"(
    .text
    .globl vmaf_emulation_switch
    .hidden vmaf_emulation_switch
    .type vmaf_emulation_switch, @function
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
    .size vmaf_emulation_switch, . - vmaf_emulation_switch
)");

namespace vmaf::emulation {

void Fibre::start(unsigned char *stack, std::size_t bytes, void (*entry)())
{
    // The stack looks as after a switch: six registers, then the address to continue at. It is
    // aligned as after a call.
    constexpr int kRegisters = 6;
    auto *top = reinterpret_cast<void **>(stack + bytes) - 2;
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

void Fibre::start(unsigned char *stack, std::size_t bytes, void (*entry)())
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
