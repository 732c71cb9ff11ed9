// Area memory: the caching allocator and pinned memory.
#include "reference/subject/command_table.hpp"

namespace assay::reference {

void add_memory_commands(CommandTable&) {}

}  // namespace assay::reference
