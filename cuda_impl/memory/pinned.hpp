// The caching allocator of pinned host memory, which devices can access directly; caches by size
// (MEM-028).
#pragma once

#include <cstddef>
#include <vector>

#include "cuda_impl/core/storage.hpp"

namespace assay::cuda::memory {

struct PinnedBlock {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  bool is_allocated = false;
  bool is_spent = false;           ///< never reused
  unsigned long long capture = 0;  ///< it belongs to this capture (MEM-030); 0: to none
  int pending = 0;                 ///< events that must complete before reuse
  std::vector<StreamUse> users;
};

/// `size_bytes` must be at least 1. Raises `device`. All functions are thread-safe.
PinnedBlock& pin(std::size_t size_bytes);
/// The block can be reused when the noted streams have finished their present work. Raises `device`
/// if their events cannot be recorded; the block then stays allocated.
void unpin(PinnedBlock& block);
void note_use(PinnedBlock& block, StreamUse user);
/// Returns the allocated block that begins at the address; otherwise null.
PinnedBlock* find_pinned(const void* address);

/// Returns all free blocks to the driver (MEM-031). Raises `device` at the first that it does not
/// free; it stays cached.
void empty_pinned_cache();

/// Frees all blocks. None may be in use.
void forget_pinned();

}  // namespace assay::cuda::memory
