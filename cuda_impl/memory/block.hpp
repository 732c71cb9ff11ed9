// Blocks of device memory, allocated or cached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "cuda_impl/core/storage.hpp"

namespace assay::cuda::memory {

class DeviceAllocator;
class PlainBackend;
struct Block;
struct Pool;

/// The minimum that satisfies a request; the search key in free blocks.
struct Fit {
  cudaStream_t stream = nullptr;
  std::size_t size_bytes = 0;
};

/// MEM-004: sorts by stream, then size, then age (since 2.12), then address.
struct ByFit {
  using is_transparent = void;
  bool operator()(const Block* a, const Block* b) const;
  bool operator()(const Block* block, const Fit& wanted) const;
};
using FreeBlocks = std::set<Block*, ByFit>;

/// A stream, other than the block's own, that uses the block.
struct BlockUser {
  StreamUse stream;
  bool is_captured = false;  ///< seen only during a capture
};

/// True if the runtime has freed the memory, though it reported an error.
bool is_gone(const std::byte* data);

/// MEM-006: PyTorch compares handles, which are the same for default streams of all devices.
bool is_own_stream(StreamUse user, StreamUse own);

struct Block {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  std::uint64_t segment_number = 0;  ///< how many segments had been reserved before its own
  cudaStream_t stream = nullptr;
  Pool* pool = nullptr;
  DeviceAllocator* home = nullptr;  ///< null if it is not part of a segment, but
  PlainBackend* plain = nullptr;    ///< owned by this backend
  Block* left = nullptr;            ///< neighbors in the segment
  Block* right = nullptr;
  bool is_allocated = false;
  int pending = 0;              ///< events that must complete before reuse
  std::uint64_t cached_at = 0;  ///< its pool's search count when it was cached
  std::vector<BlockUser> users;
  /// The node of the free set while the block is not in it, so that caching allocates nothing.
  FreeBlocks::node_type node;

  bool is_split() const { return left != nullptr || right != nullptr; }
};

/// The free blocks of one size class.
struct Pool {
  explicit Pool(bool of_small_blocks) : is_small(of_small_blocks) {}

  bool is_small;
  FreeBlocks free;
  std::uint64_t searches = 0;

  void insert(Block& block);
  void extract(Block& block);
};

/// A pool for allocations during captures (MEM-023).
struct PrivatePool {
  explicit PrivatePool(const CapturePool* its_owner) : owner(its_owner) {}

  const CapturePool* owner;  ///< null if no capture allocates from it any more
  Pool small{true};
  Pool large{false};

  bool has(const Pool* pool) const { return pool == &small || pool == &large; }
};

}  // namespace assay::cuda::memory
