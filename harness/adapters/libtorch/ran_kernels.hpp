// Records which of the client's kernels ran, for replies.
#pragma once

#include <memory>

#include "harness/adapters/libtorch/dispatch/kernels.hpp"

namespace assay::libtorch {

/// Called when a kernel starts: adds an entry to every open recording of this thread. `schema`
/// shows which ints are dtypes; null if there is none.
void write_ran(const Run& run, bool boxed, const c10::FunctionSchema* schema);

/// Records kernels that start on this thread, until it is stopped.
class RanKernels {
 public:
  RanKernels();
  ~RanKernels() { stop(); }
  RanKernels(const RanKernels&) = delete;
  RanKernels& operator=(const RanKernels&) = delete;

  List take();
  void stop();

 private:
  std::shared_ptr<List> entries_;
};

}  // namespace assay::libtorch
