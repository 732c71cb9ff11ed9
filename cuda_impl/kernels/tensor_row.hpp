// The description of one tensor in the argument of a multi-tensor kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// One tensor from each of `kLists` parallel lists, all with `count` elements. A list may also hold
/// a scalar for the row; the kernel knows which lists are not split into chunks.
template <int kLists>
struct TensorRow {
  void* data[std::size_t{kLists}];
  std::int64_t count;
};

}  // namespace assay::cuda
