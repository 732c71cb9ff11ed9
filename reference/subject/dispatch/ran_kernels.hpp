// The executed kernels, as listed in replies.
#pragma once

#include <vector>

#include "reference/dispatch/watch/watch.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Records kernel starts on this thread.
class RanKernels {
 public:
  explicit RanKernels(Call& call);

  List take() { return List{std::exchange(entries_, {})}; }
  void stop() { watch_.stop(); }

 private:
  std::vector<Value> entries_;
  KernelWatch watch_;
};

}  // namespace assay::reference
