// Kernels written down as they start, on one thread (DSP-709).
#pragma once

#include <span>
#include <string_view>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

/// A kernel about to run.
struct KernelStart {
  std::string_view label;
  const Entry& entry;
  KeySet keys;
  bool is_boxed;
  std::span<const Boxed> arguments;
};

/// Sees what starts on the thread that made it, from its construction to `stop`. Kernels that wish
/// to be seen say so themselves: a call pays nothing for it.
class KernelTrace {
 public:
  KernelTrace();
  virtual ~KernelTrace() { stop(); }
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;

  virtual void started(const KernelStart& start) = 0;
  void stop();

 private:
  bool is_on_ = true;
};

bool is_traced();
void tell_traces(const KernelStart& start);
/// For a boxed kernel of the runtime's own, before it does anything.
void tell_boxed_start(const Entry& entry, KeySet keys, const Stack& stack);

/// Calls are printed on standard error while the environment asks for it: RT_SHOW_DISPATCH_TRACE is
/// 1. For anything but 0 and 1 it is said once that it is neither.
bool are_calls_shown();
/// `[call] op=[ns::f], key=[AutogradCPU]` while it lives, indented by how many of them live.
class ShownCall {
 public:
  ShownCall(std::string_view how, const Table& table, KeySet keys);
  ~ShownCall();
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
};

}  // namespace assay::cuda::dispatch
