// The device allocator of the process, with the selected backend: caching, stream-ordered (the
// driver's pools) or uncached.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cuda_impl/memory/device_allocator.hpp"

namespace assay::cuda::memory {

/// `size_bytes` must be at least 1. Raises `out_of_memory`.
Block& allocate(std::size_t size_bytes, StreamUse stream);
void free(Block& block);
void note_use(Block& block, StreamUse user);
BlockView view(const Block& block);
/// Returns the allocated block that begins at the address, on any device; otherwise null.
Block* find(const void* address);

/// MEM-016: empties the caches of all devices. Raises `internal` during a capture.
void empty_cache();
struct Info {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};
/// What the runtime says of the device (MEM-032). Raises `device` for an invalid index.
Info info(int device);
/// MEM-012. Raises `value` unless it is in [0, 1]. `is_named`: the caller gave a device, which
/// PyTorch made current up to 2.4 (compat only).
void set_fraction(double fraction, int device, bool is_named);

// For one device. Raise `internal` for an invalid index (MEM-020).
Statistics statistics(int device);
void reset_peak(int device);
void reset_accumulated(int device);
std::vector<SegmentView> segments(int device);

/// The source of options (MEM-019): a call, or one of two environment variables, which are read at
/// the first allocation.
enum class OptionSource : std::uint8_t { kCall, kAllocConf, kCudaAllocConf };
/// Raises `value` for invalid options.
void configure(std::string_view options, OptionSource source);
Settings settings();
/// Raises `value` after the first allocation.
void choose_backend(bool is_async);
/// MEM-027: overrides the environment variable. Raises `value` after the first allocation.
void set_uncached(bool is_uncached);

void let_go_of(const CapturePool* pool);

/// Resets the process to its initial state. No other thread may use the allocator, and devices must
/// be idle. Blocks in use stay valid.
void forget();

}  // namespace assay::cuda::memory
