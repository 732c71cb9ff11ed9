// Memory of all devices, from whichever backend was chosen: the caching one, that of the driver's
// own pools, or none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/memory/device_allocator.hpp"

namespace assay::cuda::memory {

/// At least one byte. Raises `out_of_memory`.
Block& allocate(std::size_t size_bytes, StreamUse stream);
void free(Block& block);
void note_use(Block& block, StreamUse user);
BlockView view(const Block& block);
/// The allocated block that begins at the address, on whatever device; null for none.
Block* find(const void* address);

/// MEM-016: of all devices. Raises `internal` while a capture is under way.
void empty_cache();
/// MEM-012. Raises `value` for what is not from 0 to 1. `is_named`: somebody gave the device, which
/// PyTorch made current until 2.4 (compat).
void set_fraction(double fraction, int device, bool is_named);

// Of one device; raise `internal` for one that is not there (MEM-020).
Statistics statistics(int device);
void reset_peak(int device);
void reset_accumulated(int device);
std::vector<SegmentView> segments(int device);

/// Where options come from (MEM-019): a call, or a variable of the environment that is read when
/// memory is first asked for.
enum class OptionSource : std::uint8_t { kCall, kAllocConf, kCudaAllocConf };
/// Raises `value` for what cannot be configured.
void configure(std::string_view options, OptionSource source);
Settings settings();
/// Raises `value` once memory was asked for.
void choose_backend(bool is_async);
/// MEM-027: as the variable does. Raises `value` once memory was asked for.
void set_uncached(bool is_uncached);

void let_go_of(const CapturePool* pool);

/// Brings everything back to how a process begins, on the calling thread, while no other uses it
/// and devices have nothing to do. Blocks that somebody still owns stay valid.
void forget();

}  // namespace assay::cuda::memory
