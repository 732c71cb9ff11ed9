// Area memory: which functions answer its commands, and what they share.
#pragma once

#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void add_memory_block_commands(CommandTable& table);
void add_memory_setting_commands(CommandTable& table);
void add_memory_pinned_commands(CommandTable& table);

/// A piece of memory that a client asked for by its size; as it was when it was made.
struct NamedBlock {
  std::byte* data = nullptr;
  bool is_pinned = false;
  int device = 0;
  std::int64_t size_bytes = 0;
  std::int64_t requested_bytes = 0;
  std::int64_t segment = 0;
};

/// The results `result` and `null`. What nobody has freed is freed by `free_named_blocks`.
void give_block(Call& call, const NamedBlock& block);
NamedBlock block_argument(Call& call);
/// Null does nothing. Raises `error` for what is not allocated (MEM-020).
void free_address(void* address);
/// When the client begins again.
void free_named_blocks();

/// The address as the waist has it.
std::int64_t number_of(const void* address);

}  // namespace assay::cuda
