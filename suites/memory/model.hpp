// A model of the caching allocator, written from the clauses. It predicts which block a request
// gets, splitting, merging, pending frees, returned segments, and counters.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::suites {

/// The completion of a stream's work: a gate blocks everything that was enqueued after it.
class StreamModel {
 public:
  int add_gate();
  void open(int gate) { open_[static_cast<std::size_t>(gate)] = true; }
  /// The current end of the stream; complete once all previous gates are open.
  std::size_t mark() const { return open_.size(); }
  bool is_complete(std::size_t mark) const;

 private:
  std::vector<bool> open_;
};

struct BlockModel {
  enum class State { kFree, kAllocated, kPending };
  std::int64_t offset = 0;
  std::int64_t size = 0;
  std::int64_t requested = 0;
  State state = State::kFree;
  std::set<int> users = {};  ///< streams other than its own
  int events = 0;            ///< the number of pending events
};

struct SegmentModel {
  int id = 0;
  std::int64_t address = 0;  ///< set by `place`
  std::int64_t size = 0;
  int stream = 0;
  bool small = false;
  std::vector<BlockModel> blocks;
};

/// A block: its segment and its offset.
struct BlockKey {
  int segment = 0;
  std::int64_t offset = 0;
};

struct Served {
  bool out_of_memory = false;
  bool is_new_segment = false;
  bool waited = false;  ///< waited for all events to free cached memory
  BlockKey block = {};
};

class AllocatorModel {
 public:
  /// Reserves at most `limit` bytes.
  AllocatorModel(Release release, int streams, std::int64_t limit)
      : release_(release),
        streams_(static_cast<std::size_t>(streams)),
        queues_(streams_.size()),
        limit_(limit) {}

  StreamModel& stream(int index) { return streams_[static_cast<std::size_t>(index)]; }

  /// `size` must be positive.
  Served allocate(std::int64_t size, int stream);
  void record_stream(const BlockKey& key, int stream);
  void free(const BlockKey& key);
  void empty_cache();
  /// The address that the runtime chose for a new segment.
  void place(int segment, std::int64_t address);

  const std::vector<SegmentModel>& segments() const { return segments_; }
  const SegmentModel& segment(int id) const;
  const BlockModel& block(const BlockKey& key) const;
  /// The modelled counters, such as `allocated_bytes.small_pool.current`.
  std::map<std::string, std::int64_t> counters() const;

 private:
  struct Pending {
    BlockKey block;
    std::size_t mark = 0;
  };

  SegmentModel& segment_of(int id);
  BlockModel& block_of(const BlockKey& key);
  std::optional<BlockKey> best_fit(std::int64_t size, int stream) const;
  std::optional<BlockKey> reserve(std::int64_t size, int stream);
  void take(const BlockKey& key, std::int64_t size, std::int64_t requested);
  void poll();
  void one_event_less(const BlockKey& key);
  void wait_for_all();
  void give_back();
  void merge(int segment);
  void note_peaks();
  std::int64_t reserved() const;

  Release release_;
  std::vector<StreamModel> streams_;
  std::vector<std::deque<Pending>> queues_;  ///< for each stream that used other streams' blocks
  std::vector<SegmentModel> segments_;
  std::map<std::string, std::int64_t> peaks_;
  std::map<std::string, std::int64_t> totals_;  ///< counters that never decrease
  std::int64_t limit_;
  int next_segment_ = 0;
};

}  // namespace assay::suites
