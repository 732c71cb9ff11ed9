// Memory of the host that devices copy from and to by themselves, kept for the next who asks for
// its size (MEM-028).
#pragma once

#include <cstddef>
#include <vector>

#include "cuda_impl/core/lent_memory.hpp"

namespace assay::cuda::memory {

struct PinnedBlock {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  bool is_allocated = false;
  int pending = 0;  ///< events that it waits for
  std::vector<StreamUse> users;
};

/// At least one byte. Raises `device`. Any thread may call anything at any time.
PinnedBlock& pin(std::size_t size_bytes);
/// Reusable at once, or when the streams that were noted have done what they have to do now. Raises
/// `device` where their events cannot be made: the block is allocated then as before.
void unpin(PinnedBlock& block);
void note_use(PinnedBlock& block, StreamUse user);
/// The allocated block that begins there; null for none.
PinnedBlock* find_pinned(const void* address);

/// Frees all blocks, while nobody uses any.
void forget_pinned();

}  // namespace assay::cuda::memory
