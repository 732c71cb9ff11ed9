// Faults that end a grid: traps, invalid accesses and deadlocks.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

/// `what()` has the reason and the position: "trap (block (2,0,0), thread (31,0,0))". For a fault
/// of a whole block, such as a deadlock, only the block.
class KernelFault : public std::runtime_error {
 public:
  KernelFault(std::string reason, const Dim3& block_index);
  KernelFault(std::string reason, const Dim3& block_index, const Dim3& thread_index);

  const std::string& reason() const { return reason_; }
  const Dim3& block_index() const { return block_index_; }

 private:
  std::string reason_;
  Dim3 block_index_;
};

}  // namespace assay::cuda::on_cpu
