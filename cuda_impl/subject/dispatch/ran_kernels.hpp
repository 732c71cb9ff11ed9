// Which kernels ran, as replies say it.
#pragma once

#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/subject/dispatch/objects.hpp"

namespace assay::cuda {

/// What starts on this thread from its construction to `stop`.
class RanList final : public dispatch::KernelTrace {
 public:
  RanList() = default;
  void started(const dispatch::KernelStart& start) override;
  /// What there is since it was last asked.
  List take() { return std::exchange(entries_, {}); }

 private:
  List entries_;
};

}  // namespace assay::cuda
