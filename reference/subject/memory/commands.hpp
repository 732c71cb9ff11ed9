// What the commands of the area memory share.
#pragma once

#include "reference/memory/caching_allocator.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {

/// A client's block: an address, and what it was asked for with. It frees nothing by itself.
struct HeldBlock {
  Address address = 0;
  std::uint64_t size_bytes = 0;
  int device = 0;  ///< of pinned memory: -1
  bool is_pinned() const { return device < 0; }
};

/// The index of the argument `device`, of the current device when it is absent.
int device_index_argument(Call& call);
std::shared_ptr<HeldBlock> block_argument(Call& call);

void add_memory_state_commands(CommandTable& table);
void add_memory_host_commands(CommandTable& table);

}  // namespace assay::reference
