// Messages of out-of-memory errors (MEM-013).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace assay::cuda::memory {

struct Shortage {
  int device = 0;
  std::size_t wanted_bytes = 0;  ///< the size of the segment
  std::size_t total_bytes = 0;
  std::size_t free_bytes = 0;
  std::size_t allocated_bytes = 0;
  std::size_t reserved_bytes = 0;
  std::size_t private_bytes = 0;  ///< allocated bytes that are in private pools
  std::optional<std::size_t> limit_bytes = {};
};

/// In the format of the release.
std::string in_words(const Shortage& shortage);
/// For the stream-ordered backend (MEM-024).
std::string in_words_of_async(const Shortage& shortage);

}  // namespace assay::cuda::memory
