// Host threads that help to run grids; they are reused by later grids.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// Work for several threads: each call does a part until nothing is left. The functions do not
/// throw.
class SharedWork {
 public:
  virtual void take_part() = 0;

 protected:
  ~SharedWork() = default;
};

/// Runs the work on this thread and at most `helpers` others; returns when all have finished.
/// Helpers that have not started by the time the caller is done are released. May be called by
/// several threads at once; without a free helper, a caller works alone. Uses no lock, so that a
/// child forked at any moment can call it, with helpers of its own.
void work_together(SharedWork& work, std::uint32_t helpers);

}  // namespace assay::cuda::on_cpu
