// Allocators: from typed arguments, typed results from replies.
#include "harness/suite/clients/memory.hpp"

namespace assay {

MemoryClient Session::memory() { return MemoryClient(*this); }

}  // namespace assay
