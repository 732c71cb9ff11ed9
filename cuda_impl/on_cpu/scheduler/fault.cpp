// Faults of kernels.
#include "cuda_impl/on_cpu/scheduler/fault.hpp"

#include <utility>

namespace assay::cuda::on_cpu {
namespace {

std::string shown(const Dim3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

}  // namespace

KernelFault::KernelFault(std::string reason, const Dim3& block_index)
    : std::runtime_error(reason + " (block " + shown(block_index) + ")"),
      reason_(std::move(reason)),
      block_index_(block_index) {}

KernelFault::KernelFault(std::string reason, const Dim3& block_index, const Dim3& thread_index)
    : std::runtime_error(reason + " (block " + shown(block_index) + ", thread " +
                         shown(thread_index) + ")"),
      reason_(std::move(reason)),
      block_index_(block_index) {}

}  // namespace assay::cuda::on_cpu
