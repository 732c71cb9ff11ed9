// Page allocation with guard pages on both sides.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// Returns null if there is no memory. With the address sanitizer, the bytes in front of and behind
/// the allocation are poisoned.
void* map_pages(std::uint64_t size_bytes);
void unmap_pages(void* address, std::uint64_t size_bytes);

/// Pages filled with one byte, which can be mapped many times: only pages written later cost
/// memory and time.
class FilledPages {
 public:
  FilledPages(unsigned char byte, std::uint64_t size_bytes);
  ~FilledPages();
  FilledPages(const FilledPages&) = delete;
  FilledPages& operator=(const FilledPages&) = delete;

  /// Replaces whole pages at `address`, and fills the rest after the last one. Returns false, and
  /// changes nothing, if the system cannot map such pages, or if they are too few for the size.
  bool map_at(void* address, std::uint64_t size_bytes) const;

 private:
  unsigned char byte_;
  std::uint64_t size_bytes_;
  int file_;  ///< -1 if there is none
};

}  // namespace assay::cuda::on_cpu
