// Memory from the system: whole pages, between two guard pages.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

/// Null when there is none. Under the address sanitizer what is before the first byte and behind
/// the last is poisoned.
void* map_pages(std::uint64_t size_bytes);
void unmap_pages(void* address, std::uint64_t size_bytes);

}  // namespace assay::cuda::on_cpu
