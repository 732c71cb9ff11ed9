// Stack switching on x86-64 with the System V calling convention.
#include "cuda_impl/on_cpu/scheduler/fibers/context_switch.hpp"

#ifndef __x86_64__
#error "The context switch is written for the x86-64: add one for this machine here"
#endif

extern "C" void assay_switch_stack(void** save, void* to);

// Saves the callee-saved registers on the old stack.
asm(R"(
.pushsection .text
.p2align 4
.hidden assay_switch_stack
.globl assay_switch_stack
.type assay_switch_stack, @function
assay_switch_stack:
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
.size assay_switch_stack, . - assay_switch_stack
.popsection
)");

namespace assay::cuda::on_cpu {

void switch_stack(void** save, void* to) { assay_switch_stack(save, to); }

void* fresh_stack(std::byte* top, void (*entry)()) {
  constexpr int kSavedRegisters = 6;
  auto** slot = reinterpret_cast<void**>(top);
  *--slot = nullptr;  // return address of `entry`: ends a debugger's backtrace
  *--slot = reinterpret_cast<void*>(entry);
  for (int i = 0; i < kSavedRegisters; ++i) *--slot = nullptr;
  return slot;
}

}  // namespace assay::cuda::on_cpu
