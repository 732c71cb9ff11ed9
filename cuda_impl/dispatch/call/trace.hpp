// Traces of the kernels that start on a thread (DSP-709).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

/// A kernel that is about to run.
struct KernelStart {
  std::string_view label;
  const Entry& entry;
  KeySet keys;
  bool is_boxed;
  std::span<const Boxed> arguments;
};

/// Receives the kernel starts of the constructing thread until `stop`. Kernels report themselves,
/// so calls of other kernels have no cost.
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

/// How many traces there are of the calling thread.
extern thread_local constinit std::uint32_t traces_of_thread [[gnu::tls_model("initial-exec")]];
inline bool is_traced() { return traces_of_thread != 0; }
void report_to_traces(const KernelStart& start);
/// Call at the start of a boxed built-in kernel.
void report_boxed_start(const Entry& entry, KeySet keys, const Stack& stack);

/// Whether the environment requests a printout of calls on standard error:
/// RT_SHOW_DISPATCH_TRACE=1. Values other than 0 and 1 give one warning.
bool are_calls_shown();
/// Prints `[call] op=[ns::f], key=[AutogradCPU]`, indented by the number of living instances.
class ShownCall {
 public:
  ShownCall(std::string_view how, const Table& table, KeySet keys);
  ~ShownCall();
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
};

}  // namespace assay::cuda::dispatch
