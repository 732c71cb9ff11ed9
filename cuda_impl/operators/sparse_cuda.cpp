// Coalesces on a device: sorts the entries, finds runs of equal indices, and adds their values.
#include "cuda_impl/operators/sparse_cuda.hpp"

#include <cstring>
#include <span>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/reduction/reduction.cuh"
#include "cuda_impl/kernels/sparse/entries.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

/// The memory of `SortMemory`. The sorted order is in it.
struct SortTensors {
  explicit SortTensors(std::int64_t entries, Device device)
      : arrays(empty({4, entries}, Dtype::kInt64, device)),
        scratch(empty({static_cast<std::int64_t>(sort_scratch_bytes(entries))}, Dtype::kUInt8,
                      device)) {}

  SortMemory memory() const {
    const std::int64_t entries = arrays.sizes()[1];
    auto* const keys = arrays.data_as<std::uint64_t>();
    auto* const order = arrays.data_as<std::int64_t>() + 2 * entries;
    return {{keys, keys + entries}, {order, order + entries}, scratch.data(), scratch.size_bytes()};
  }

  Tensor arrays;
  Tensor scratch;
};

/// Waits for the device.
std::int64_t last_integer(const Tensor& integers) {
  const Tensor last = as_strided(integers, {}, {}, integers.numel() - 1);
  std::int64_t integer = 0;
  std::memcpy(&integer, read_elements(last).data(), sizeof integer);
  return integer;
}

Tensor sums_of(const Tensor& values, const Runs& found, std::int64_t runs) {
  Shape sizes = values.sizes();
  sizes[0] = runs;
  const Tensor sums = empty(sizes, values.dtype(), values.device());
  const Tensor rows = contiguous(values);
  launch_segment_sum(values.dtype(), {.rows = rows.data(),
                                      .sums = sums.data(),
                                      .order = found.order,
                                      .begin = found.begin,
                                      .segments = runs,
                                      .row_elements = sums.numel() / runs});
  return sums;
}

}  // namespace

Tensor coalesce_on_cuda(const Tensor& sparse) {
  const SparseParts& parts = *sparse->sparse;
  const Device device = parts.indices.device();
  const DeviceScope scope(device.index);
  const Tensor indices = contiguous(parts.indices);
  const std::int64_t dims = indices.sizes()[0];
  const std::int64_t entries = indices.sizes()[1];
  const SortTensors sort(entries, device);
  const Tensor begin = empty({entries + 1}, Dtype::kInt64, device);
  const Tensor counts = empty({run_counts(entries)}, Dtype::kInt64, device);

  Runs found{.indices = {indices.data_as<const std::int64_t>(), dims, entries},
             .order = nullptr,
             .begin = begin.data_as<std::int64_t>(),
             .counts = counts.data_as<std::int64_t>()};
  found.order =
      launch_sort(found.indices, std::span(sparse.sizes()).first(static_cast<std::size_t>(dims)),
                  sort.memory());
  launch_find_runs(found);
  const std::int64_t runs = last_integer(counts);

  const Tensor merged = empty({dims, runs}, Dtype::kInt64, device);
  launch_indices_of_runs(found, runs, merged.data_as<std::int64_t>());
  return sparse_coo(merged, sums_of(parts.values, found, runs), sparse.sizes(), true);
}

}  // namespace assay::cuda
