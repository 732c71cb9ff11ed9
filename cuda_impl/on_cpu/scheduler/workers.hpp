// Threads of the host that help to run grids, kept from grid to grid.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// Work that several threads may do at once, each call doing a part until nothing is left. Neither
/// throws.
class SharedWork {
 public:
  virtual void take_part() = 0;

 protected:
  ~SharedWork() = default;
};

/// Takes part in the work together with at most `helpers` others; returns when none is in it any
/// more. Helpers that have not woken by the time the caller is done are let off. Any number of
/// threads may call it at once; whoever finds no helper free works alone. Nothing here is a lock,
/// so that a child forked at any moment can use it: it starts helpers of its own.
void work_together(SharedWork& work, std::uint32_t helpers);

}  // namespace assay::cuda::on_cpu
