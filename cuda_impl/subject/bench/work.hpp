// The device loops of `bench.run` and their results.
#pragma once

#include <memory>
#include <vector>

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// A loop with its data, on the current device.
class BenchWork {
 public:
  BenchWork() = default;
  virtual ~BenchWork() = default;
  BenchWork(const BenchWork&) = delete;
  BenchWork& operator=(const BenchWork&) = delete;

  /// Restores the initial state of the data after all queued work.
  virtual void restore() = 0;
  /// Queues one iteration on the current stream and returns its checksum step. Does not wait. May
  /// be captured; its step is then 1.
  virtual std::uint64_t queue() = 0;
  /// The written tensors in order; empty if there are none.
  virtual std::vector<Tensor> results() const = 0;
};

/// Reads the loop's arguments. Throws NotSupported for an unknown loop.
std::unique_ptr<BenchWork> make_bench_work(Call& call);

}  // namespace assay::cuda
