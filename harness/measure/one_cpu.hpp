// Processes that are compared start on the same CPU.
#pragma once

#include <sched.h>

#include <optional>

namespace assay::measure {

/// The calling thread, and all processes that it starts, run on one of the CPUs that it may use
/// while this lives: on the `turn`-th, counted round. Nothing is changed without a `turn`, where
/// there is one CPU only, or where the system refuses.
class OnOneCpu {
 public:
  explicit OnOneCpu(std::optional<int> turn);
  ~OnOneCpu();
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  std::optional<cpu_set_t> before_;
};

}  // namespace assay::measure
