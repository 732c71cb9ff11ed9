// What is said when memory runs out (MEM-013).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace assay::cuda::memory {

struct Shortage {
  int device = 0;
  std::size_t wanted_bytes = 0;  ///< the segment
  std::size_t total_bytes = 0;
  std::size_t free_bytes = 0;
  std::size_t allocated_bytes = 0;
  std::size_t reserved_bytes = 0;
  std::size_t private_bytes = 0;  ///< of what is allocated, in pools of captures
  std::optional<std::size_t> limit_bytes = {};
};

/// In the layout of the release.
std::string in_words(const Shortage& shortage);
/// The same of the backend that allocates in the order of streams (MEM-024).
std::string in_words_of_async(const Shortage& shortage);

}  // namespace assay::cuda::memory
