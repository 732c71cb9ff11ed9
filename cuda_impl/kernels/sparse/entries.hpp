// Sorting the entries of a sparse tensor by their indices, and finding those with equal ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::cuda {

/// The indices of entries, on the current device: row-major [dims, entries].
struct EntryIndices {
  const std::int64_t* data;
  std::int64_t dims;
  std::int64_t entries;
};

/// Device memory of a sort: arrays of as many elements as there are entries, and scratch.
struct SortMemory {
  std::uint64_t* keys[2];
  std::int64_t* order[2];
  void* scratch;
  std::size_t scratch_bytes;
};

/// Returns how much scratch `launch_sort` needs.
std::size_t sort_scratch_bytes(std::int64_t entries);

/// Returns the numbers of the entries, sorted by the first dimension, then by the second, and so
/// on; entries of equal indices stay in their order. It is one of the arrays of `memory`. `sizes`
/// are those of the dimensions: indices must be below them. Not counted as launches.
const std::int64_t* launch_sort(const EntryIndices& indices, std::span<const std::int64_t> sizes,
                                const SortMemory& memory);

/// Sorted entries in runs of equal indices. All memory is on the current device.
struct Runs {
  EntryIndices indices;       ///< at least one entry
  const std::int64_t* order;  ///< from `launch_sort`
  /// The first position of each run in `order`, followed by the number of entries: room for one
  /// more than there are entries.
  std::int64_t* begin;
  std::int64_t*
      counts;  ///< room for `run_counts(entries)`; the last one becomes the number of runs
};

std::int64_t run_counts(std::int64_t entries);
void launch_find_runs(const Runs& found);
/// Writes the indices of each run, row-major [dims, runs].
void launch_indices_of_runs(const Runs& found, std::int64_t runs, std::int64_t* indices);

}  // namespace assay::cuda
