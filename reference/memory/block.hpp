// Segments, their blocks, and the pools of free blocks; sizes of blocks and segments, and their
// format in messages.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reference/memory/config.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// Identifies a stream for the allocator; ids with the same handle are the same stream (MEM-004).
struct StreamTag {
  int device = 0;
  StreamHandle handle = 0;
  std::int64_t id = 0;  ///< for reports

  bool operator==(const StreamTag& other) const {
    return device == other.device && handle == other.handle;
  }
  bool operator<(const StreamTag& other) const {
    return device != other.device ? device < other.device : handle < other.handle;
  }
};

struct Block;
struct BlockPool;

/// One driver allocation.
struct Segment {
  Address address = 0;
  std::uint64_t size = 0;
  StreamTag stream;
  BlockPool* pool = nullptr;
  Block* first = nullptr;
};

/// A part of a segment. Linked neighbours cover the whole segment without gaps.
struct Block {
  Segment* segment = nullptr;
  Address address = 0;
  std::uint64_t size = 0;
  std::uint64_t requested = 0;
  bool is_allocated = false;
  int pending_events = 0;             ///< freed; the number of events that are still pending
  std::vector<StreamTag> users = {};  ///< other streams that use it (MEM-006)
  std::vector<StreamTag> captured_users = {};  ///< users that were recorded only in a capture
  Block* previous = nullptr;
  Block* next = nullptr;
  std::uint64_t cached_at = 0;  ///< the pool's search count when the block became free

  bool is_split() const { return previous != nullptr || next != nullptr; }
  bool is_free() const { return !is_allocated && pending_events == 0 && users.empty(); }
};

/// Sorts by stream, size and address, so that the best fit is the first sufficient block (MEM-004).
/// The driver here gives later segments higher addresses, so their age (since 2.12) is no other
/// order.
struct ByStreamAndSize {
  bool operator()(const Block* left, const Block* right) const {
    if (!(left->segment->stream == right->segment->stream)) {
      return left->segment->stream < right->segment->stream;
    }
    if (left->size != right->size) return left->size < right->size;
    return left->address < right->address;
  }
};

struct PrivatePool;

struct BlockPool {
  bool is_small = false;
  PrivatePool* owner = nullptr;  ///< null for the two shared pools
  std::set<Block*, ByStreamAndSize> free = {};
  std::uint64_t searches = 0;

  void put(Block* block) {
    block->cached_at = searches;
    free.insert(block);
  }
  void take(Block* block) { free.erase(block); }
  std::uint64_t age_of(const Block* block) const { return searches - block->cached_at; }
};

struct PoolPair {
  BlockPool small = {.is_small = true};
  BlockPool large = {.is_small = false};

  explicit PoolPair(PrivatePool* owner = nullptr) { small.owner = large.owner = owner; }
};

/// The private pool of a capturing stream (MEM-023).
struct PrivatePool {
  StreamTag stream;        ///< of the latest capture
  int holders = 1;         ///< graphs that captured into it, and are not reset
  bool is_in_use = false;  ///< a graph captures into it
  int segments = 0;
  PoolPair pools{this};
};

// Sizes.

inline constexpr std::uint64_t kMinBlock = 512;
inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSmallLimit = kMiB;  ///< the largest block of the small pool
inline constexpr std::uint64_t kSmallSegment = 2 * kMiB;
inline constexpr std::uint64_t kLargeSegment = 20 * kMiB;
inline constexpr std::uint64_t kOwnSegment = 10 * kMiB;  ///< from here on, one segment per block
inline constexpr std::uint64_t kLargeRounding = 2 * kMiB;

/// The block size for a request of at least 1 byte (MEM-001).
std::uint64_t rounded_size(std::uint64_t size, const AllocatorConfig& config);
/// Rounds up to the next of `divisions` equal steps between adjacent powers of two.
std::uint64_t next_step(std::uint64_t size, std::uint64_t divisions);

/// `rounded` is a block size (MEM-002).
bool is_small(std::uint64_t rounded);
std::uint64_t segment_size(std::uint64_t rounded);

/// Formats as `2.00 MiB` (MEM-014).
std::string size_text(std::uint64_t bytes);

}  // namespace assay::reference
