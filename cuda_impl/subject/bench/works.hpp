// The device loops of `bench.run` and their results: loops by theme, their arguments, and their
// input numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cuda_impl/core/tensor.hpp"
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

struct NamedWork {
  std::string_view name;
  std::unique_ptr<BenchWork> (*make)(Call& call);
};

template <typename Work>
std::unique_ptr<BenchWork> make_work(Call& call) {
  if constexpr (std::is_constructible_v<Work, Call&>) {
    return std::make_unique<Work>(call);
  } else {
    return std::make_unique<Work>();
  }
}

std::span<const NamedWork> kernel_works();
std::span<const NamedWork> update_works();
std::span<const NamedWork> copy_works();
std::span<const NamedWork> step_works();
/// Streams, events and guards: host calls without results.
std::span<const NamedWork> runtime_works();

/// Element i is ((i + seed) * 40503 mod 65536 - 32768) / 1024, rounded to the tensor's type, with
/// the seed of the loop.
class BenchNumbers {
 public:
  BenchNumbers(Dtype dtype, Device device);

  /// Fills a contiguous tensor of this dtype and device on the current stream.
  void fill(const Tensor& target) const;

 private:
  Tensor period_;  ///< one period of the repeating sequence
};

/// Returns the CRC-32 of the elements' bytes: of all tensors in order, or of the first elements of
/// the first and the last elements of the last one. Waits.
std::uint32_t bench_result(std::span<const Tensor> tensors, bool whole);

/// The argument `dtype`. Throws NotSupported for a type without loops.
Dtype bench_dtype(Call& call);
/// The argument `N`. Throws NotSupported if a simulated device would take too long.
std::int64_t bench_elements(Call& call);
/// The tensors' element counts: `sizes`, or `tensors` times `N`. Throws like `bench_elements`.
std::vector<std::int64_t> bench_sizes(Call& call);
/// The argument `alignment`: a power of two up to 256, which is the default.
std::int64_t bench_alignment(Call& call);

/// Returns a device tensor whose address is an odd multiple of `alignment` bytes. Throws
/// NotSupported if the dtype does not permit this.
Tensor bench_tensor(std::int64_t elements, Dtype dtype, std::int64_t alignment);

}  // namespace assay::cuda
