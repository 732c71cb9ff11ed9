// Common parts of the memory commands.
#pragma once

#include "reference/memory/caching_allocator.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

/// A client's block with its original request. Does not free the memory.
struct HeldBlock {
  Address address = 0;
  std::uint64_t size_bytes = 0;
  int device = 0;  ///< -1 for pinned memory
  bool is_pinned() const { return device < 0; }
};

/// The index in the argument `device`; by default, of the current device.
int device_index_argument(Call& call);
std::shared_ptr<HeldBlock> block_argument(Call& call);

}  // namespace assay::reference
