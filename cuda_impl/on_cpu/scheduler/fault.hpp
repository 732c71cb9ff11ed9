// What ends a grid early: a trap, an access that is not allowed, threads that wait for each other.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda_impl/on_cpu/scheduler/place.hpp"

namespace assay::cuda::on_cpu {

/// `what()` is the reason and the place: "trap (block (2,0,0), thread (31,0,0))". A fault of a
/// whole block, such as a deadlock, names the block alone.
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
