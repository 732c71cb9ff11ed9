// The list of executed kernels in replies.
#pragma once

#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// Collects kernel starts on this thread from construction to `stop`.
class RanKernels final : public dispatch::KernelTrace {
 public:
  RanKernels() = default;
  void started(const dispatch::KernelStart& start) override;
  /// Removes and returns the entries so far.
  List take() { return std::exchange(entries_, {}); }

 private:
  List entries_;
};

}  // namespace assay::cuda
