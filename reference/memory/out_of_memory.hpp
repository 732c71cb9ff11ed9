// The text of out-of-memory errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

struct MemoryShortage {
  int device = 0;
  std::uint64_t asked = 0;  ///< the segment size requested from the driver
  std::uint64_t capacity = 0;
  std::uint64_t free = 0;
  std::uint64_t allocated = 0;
  std::uint64_t reserved = 0;
  std::uint64_t in_private_pools = 0;
  std::optional<std::uint64_t> limit = {};
};

/// MEM-013, in the wording of the release.
std::string text_of(const MemoryShortage& shortage, Release release);

}  // namespace assay::reference
