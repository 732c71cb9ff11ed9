// Blocks: pieces of device memory that a request gets, or that wait to be given out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "cuda_impl/core/lent_memory.hpp"

namespace assay::cuda::memory {

class DeviceAllocator;
class PlainBackend;
struct Block;
struct Pool;

/// The least that a request asks for.
struct Fit {
  cudaStream_t stream = nullptr;
  std::size_t size_bytes = 0;
};

/// MEM-004: a block belongs to a stream; then the smallest comes first, then the lowest address.
struct ByFit {
  using is_transparent = void;
  bool operator()(const Block* a, const Block* b) const;
  bool operator()(const Block* block, const Fit& wanted) const;
};
using FreeBlocks = std::set<Block*, ByFit>;

/// A stream that uses a block beside the block's own.
struct BlockUser {
  StreamUse stream;
  bool is_captured = false;  ///< heard of only while a capture was under way
};

/// MEM-006: PyTorch compares handles, and default streams have one handle on every device.
bool is_own_stream(StreamUse user, StreamUse own);

struct Block {
  std::byte* data = nullptr;
  std::size_t size_bytes = 0;
  std::size_t requested_bytes = 0;
  cudaStream_t stream = nullptr;
  Pool* pool = nullptr;
  DeviceAllocator* home = nullptr;  ///< null: it is no piece of a segment, and
  PlainBackend* plain = nullptr;    ///< this one has it
  Block* left = nullptr;            ///< neighbours in the segment
  Block* right = nullptr;
  bool is_allocated = false;
  int pending = 0;              ///< events that it waits for
  std::uint64_t cached_at = 0;  ///< searches of its pool until then
  std::vector<BlockUser> users;
  /// Of the set of free blocks, while it is not in there: taking and giving back allocates nothing.
  FreeBlocks::node_type node;

  bool is_split() const { return left != nullptr || right != nullptr; }
};

/// Free blocks for requests of one class of sizes.
struct Pool {
  explicit Pool(bool of_small_blocks) : is_small(of_small_blocks) {}

  bool is_small;
  FreeBlocks free;
  std::uint64_t searches = 0;

  void insert(Block& block);
  void extract(Block& block);
};

/// What captures allocate from (MEM-023).
struct PrivatePool {
  explicit PrivatePool(const CapturePool* its_owner) : owner(its_owner) {}

  const CapturePool* owner;  ///< null: nobody will allocate from it any more
  Pool small{true};
  Pool large{false};

  bool has(const Pool* pool) const { return pool == &small || pool == &large; }
};

}  // namespace assay::cuda::memory
