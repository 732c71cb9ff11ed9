// Coalesces on the host, or on a device: sorts the entries, finds runs of equal indices, and adds
// their values.
#include "cuda_impl/operators/sparse.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/reduction/reduction.cuh"
#include "cuda_impl/kernels/sparse/entries.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {

// On a device.

/// Like `coalesce`, for a tensor with entries whose indices and values are on one CUDA device and
/// that is not coalesced. Waits once, for the number of distinct indices.
Tensor coalesce_on_cuda(const Tensor& sparse);

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

// On the host.

namespace {

std::vector<std::int64_t> integers_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = read_elements(tensor);
  std::vector<std::int64_t> integers(bytes.size() / sizeof(std::int64_t));
  if (!bytes.empty()) std::memcpy(integers.data(), bytes.data(), bytes.size());
  return integers;
}

Tensor host_tensor_of(const std::vector<std::int64_t>& integers, Shape sizes) {
  Tensor made = empty(std::move(sizes), Dtype::kInt64, kCpu);
  write_elements(made, reinterpret_cast<const std::byte*>(integers.data()));
  return made;
}

/// Maps the original entries to those of the result.
struct Merge {
  std::vector<std::int64_t> order;  ///< entries sorted by index; stable
  std::vector<std::int64_t> begin;  ///< of each run of equal indices in `order`; ends with its size
  std::int64_t runs() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

/// `indices` is row-major [dims, entries].
Merge merge_of(const std::vector<std::int64_t>& indices, std::int64_t dims, std::int64_t entries) {
  const auto coordinate = [&](std::int64_t dim, std::int64_t entry) {
    return indices[static_cast<std::size_t>(dim * entries + entry)];
  };
  const auto is_before = [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t dim = 0; dim < dims; ++dim) {
      if (coordinate(dim, a) != coordinate(dim, b)) return coordinate(dim, a) < coordinate(dim, b);
    }
    return false;
  };
  Merge merge;
  merge.order.resize(static_cast<std::size_t>(entries));
  std::iota(merge.order.begin(), merge.order.end(), 0);
  std::stable_sort(merge.order.begin(), merge.order.end(), is_before);
  for (std::size_t i = 0; i < merge.order.size(); ++i) {
    const bool is_new = i == 0 || is_before(merge.order[i - 1], merge.order[i]);
    if (is_new) merge.begin.push_back(static_cast<std::int64_t>(i));
  }
  merge.begin.push_back(entries);
  return merge;
}

std::vector<std::int64_t> merged_indices(const std::vector<std::int64_t>& indices,
                                         std::int64_t dims, const Merge& merge) {
  const std::size_t entries = merge.order.size();
  std::vector<std::int64_t> merged;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(dims); ++dim) {
    for (std::size_t run = 0; run + 1 < merge.begin.size(); ++run) {
      const auto entry = merge.order[static_cast<std::size_t>(merge.begin[run])];
      merged.push_back(indices[dim * entries + static_cast<std::size_t>(entry)]);
    }
  }
  return merged;
}

/// Rounds after each addition, unlike the kernel (SCL-207).
template <typename Real>
void sum_on_host(const SegmentSum& work) {
  const auto* rows = static_cast<const Real*>(work.rows);
  auto* sums = static_cast<Real*>(work.sums);
  for (std::int64_t segment = 0; segment < work.segments; ++segment) {
    for (std::int64_t column = 0; column < work.row_elements; ++column) {
      const auto value = [&](std::int64_t at) {
        return rows[work.order[at] * work.row_elements + column];
      };
      Real sum = value(work.begin[segment]);
      for (auto at = work.begin[segment] + 1; at < work.begin[segment + 1]; ++at) {
        sum = convert<Real>(convert<WideOf<Real>>(sum) + convert<WideOf<Real>>(value(at)));
      }
      sums[segment * work.row_elements + column] = sum;
    }
  }
}

Tensor merged_values(const Tensor& values, const Merge& merge) {
  Shape sizes = values.sizes();
  sizes[0] = merge.runs();
  const Tensor sums = empty(sizes, values.dtype(), kCpu);
  const Tensor rows = contiguous(values);
  const SegmentSum work = {.rows = rows.data(),
                           .sums = sums.data(),
                           .order = merge.order.data(),
                           .begin = merge.begin.data(),
                           .segments = merge.runs(),
                           .row_elements = merge.runs() == 0 ? 0 : sums.numel() / merge.runs()};
  visit_floating(values.dtype(), [&](auto tag) { sum_on_host<Tagged<decltype(tag)>>(work); });
  return sums;
}

Tensor coalesce_on_host(const Tensor& sparse) {
  const SparseParts& parts = *sparse->sparse;
  const std::int64_t dims = parts.indices.sizes()[0];
  const std::vector<std::int64_t> indices = integers_of(parts.indices);
  const Merge merge = merge_of(indices, dims, parts.indices.sizes()[1]);
  return sparse_coo(host_tensor_of(merged_indices(indices, dims, merge), {dims, merge.runs()}),
                    merged_values(parts.values, merge), sparse.sizes(), true);
}

}  // namespace

Tensor coalesce(const Tensor& sparse) {
  const SparseParts& parts = *sparse->sparse;
  if (parts.is_coalesced) return sparse;
  const Device device = parts.values.device();
  require(parts.indices.device() == device, [&] {
    return "expected indices and values on one device, but got " + describe(parts.indices) +
           " and " + describe(parts.values);
  });
  if (!device.is_cuda()) return coalesce_on_host(sparse);
  // Nothing is added to one entry, which may be -0.
  if (parts.indices.sizes()[1] < 2) {
    return sparse_coo(clone(parts.indices), clone(parts.values), sparse.sizes(), true);
  }
  return coalesce_on_cuda(sparse);
}

}  // namespace assay::cuda
