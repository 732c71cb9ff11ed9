// What a kernel that works on lists of tensors is told about each of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cuda {

/// One tensor of each of `kLists` parallel lists, all of `count` elements (or a scalar that belongs
/// to them: a kernel knows which of its lists are not cut into chunks).
template <int kLists>
struct TensorRow {
  void* data[std::size_t{kLists}];
  std::int64_t count;
};

}  // namespace assay::cuda
