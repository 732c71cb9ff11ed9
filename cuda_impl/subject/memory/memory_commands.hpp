// Common parts of the memory commands.
#pragma once

#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// A block that a client allocated by size, with its initial properties.
struct NamedBlock {
  std::byte* data = nullptr;
  bool is_pinned = false;
  int device = 0;
  std::int64_t size_bytes = 0;
  std::int64_t requested_bytes = 0;
  std::int64_t segment = 0;
};

/// Sets the fields `result` and `null`. `free_named_blocks` frees what the client does not.
void give_block(Call& call, const NamedBlock& block);
NamedBlock block_argument(Call& call);
/// Null has no effect. Raises `error` for an unallocated address (MEM-020).
void free_address(void* address);
/// Called when the client resets.
void free_named_blocks();

/// The address as a protocol integer.
std::int64_t number_of(const void* address);

}  // namespace assay::cuda
