// Segments, the blocks that they are cut into, and the pools of those that are free.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// A stream as the allocator knows it: two ids of one handle are one stream (MEM-004).
struct StreamTag {
  int device = 0;
  StreamHandle handle = 0;
  std::int64_t id = 0;  ///< for whoever asks

  bool operator==(const StreamTag& other) const {
    return device == other.device && handle == other.handle;
  }
  bool operator<(const StreamTag& other) const {
    return device != other.device ? device < other.device : handle < other.handle;
  }
};

struct Block;
struct BlockPool;

/// One allocation of the driver's.
struct Segment {
  Address address = 0;
  std::uint64_t size = 0;
  StreamTag stream;
  BlockPool* pool = nullptr;
  Block* first = nullptr;
};

/// A piece of a segment. Neighbours are linked; together they are the whole segment.
struct Block {
  Segment* segment = nullptr;
  Address address = 0;
  std::uint64_t size = 0;
  std::uint64_t requested = 0;
  bool is_allocated = false;
  int pending_events = 0;             ///< freed, and so many events are not known to be complete
  std::vector<StreamTag> users = {};  ///< other streams that use it (MEM-006)
  std::vector<StreamTag> captured_users = {};  ///< those among them that did so in a capture only
  Block* previous = nullptr;
  Block* next = nullptr;
  std::uint64_t cached_at = 0;  ///< the pool's count of searches when it became free

  bool is_split() const { return previous != nullptr || next != nullptr; }
  bool is_free() const { return !is_allocated && pending_events == 0 && users.empty(); }
};

/// Best fit is the first that is large enough: of the stream, by size, then by address (MEM-004).
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
  PrivatePool* owner = nullptr;  ///< null for the two pools of everybody
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

/// What the allocations of a capturing stream come from (MEM-023).
struct PrivatePool {
  StreamTag stream;
  bool is_held = true;  ///< a graph still uses it
  int segments = 0;
  PoolPair pools{this};
};

}  // namespace assay::reference
