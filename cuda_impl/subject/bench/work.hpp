// What the loops of `bench.run` do on a device, and what they leave there.
#pragma once

#include <memory>
#include <vector>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// One loop with all that it works on, on the current device.
class BenchWork {
 public:
  BenchWork() = default;
  virtual ~BenchWork() = default;
  BenchWork(const BenchWork&) = delete;
  BenchWork& operator=(const BenchWork&) = delete;

  /// Makes everything what it is before the first iteration, behind what was queued before.
  virtual void restore() = 0;
  /// One iteration, on the current stream; the step that it takes. Waits for nothing, and may be
  /// captured, then with 1 as its step.
  virtual std::uint64_t queue() = 0;
  /// What the iterations have written, in order; nothing where they write nothing.
  virtual std::vector<Tensor> results() const = 0;
};

/// Reads the loop's arguments. Throws NotSupported for one that is not there.
std::unique_ptr<BenchWork> make_bench_work(Call& call);

}  // namespace assay::cuda
