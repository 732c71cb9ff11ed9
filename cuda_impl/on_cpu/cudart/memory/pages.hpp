// Page allocation with guard pages on both sides.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// Returns null if there is no memory. With the address sanitizer, the bytes in front of and behind
/// the allocation are poisoned.
void* map_pages(std::uint64_t size_bytes);
void unmap_pages(void* address, std::uint64_t size_bytes);

}  // namespace assay::cuda::on_cpu
