// Tables of tensors in the sizes that lists use: a launch copies its table, and 32 KB take the time
// of most of a launch.
#pragma once

#include "cuda_impl/kernels/multi_tensor.cuh"

namespace assay::cuda {

/// Bytes of kernel parameters. Larger than `kSmallParameters`, so that a device must take large
/// ones (parameter_bytes.hpp).
inline constexpr std::size_t kParametersOfFew = 8192;
inline constexpr std::size_t kParametersOfSome = 16384;

/// Calls `launch(table, grid, is_last)` with tables of 4, 8, 16 or 32 KB: the smallest that holds
/// the list, or as many of the largest as the list needs. No row may be empty.
template <int kLists, typename Launch>
void for_each_sized_launch(std::span<const TensorRow<kLists>> rows, std::int64_t tile,
                           const Launch& launch) {
  using Few = ChunkTable<kLists, kParametersOfFew>;
  using Some = ChunkTable<kLists, kParametersOfSome>;
  const auto holds = [&](int most) { return rows.size() <= static_cast<std::size_t>(most); };
  if (holds(SmallTable<kLists>::kRows) || parameter_bytes() == kSmallParameters) {
    for_each_launch_of<SmallTable<kLists>>(rows, tile, launch);
  } else if (holds(Few::kRows)) {
    for_each_launch_of<Few>(rows, tile, launch);
  } else if (holds(Some::kRows)) {
    for_each_launch_of<Some>(rows, tile, launch);
  } else {
    for_each_launch_of<LargeTable<kLists>>(rows, tile, launch);
  }
}

}  // namespace assay::cuda
