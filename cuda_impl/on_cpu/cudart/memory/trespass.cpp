// Explains segmentation faults in or near device memory.
#include "cuda_impl/on_cpu/cudart/memory/trespass.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace assay::cuda::on_cpu {
namespace {

/// Must not allocate or take a lock, since the process is crashing.
void explain(int, siginfo_t* info, void*) {
  char where[160];
  Memory::get().describe(info->si_addr, where, sizeof where);
  char text[256];
  const int length = std::snprintf(text, sizeof text,
                                   "Simulated CUDA: %s: touched by the host outside a copy, or by "
                                   "a kernel that has no right to it\n",
                                   where);
  if (length > 0 && write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) return;
}

}  // namespace

void watch_for_trespass() {
  if (__asan_init != nullptr || __tsan_init != nullptr) return;
  struct sigaction action = {};
  action.sa_sigaction = explain;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);  // a second fault ends the process
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace assay::cuda::on_cpu
