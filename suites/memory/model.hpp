// What the clauses demand of a caching allocator, written from them and for nothing but looking up:
// which block a request gets, what is split, merged, pending and given back, and what is counted.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace assay::suites {

/// When the work of a stream is complete: gates hold back whatever was enqueued after them.
class StreamModel {
 public:
  int add_gate();
  void open(int gate) { open_[static_cast<std::size_t>(gate)] = true; }
  /// What stands in the stream so far; complete once every gate before it is open.
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
  int events = 0;            ///< that it still waits for
};

struct SegmentModel {
  int id = 0;
  std::int64_t address = 0;  ///< told by `place`
  std::int64_t size = 0;
  int stream = 0;
  bool small = false;
  std::vector<BlockModel> blocks;
};

/// A block of the model: its segment, and where it begins there.
struct BlockKey {
  int segment = 0;
  std::int64_t offset = 0;
};

struct Served {
  bool out_of_memory = false;
  bool is_new_segment = false;
  bool waited = false;  ///< for all events, to give back what is cached
  BlockKey block = {};
};

class AllocatorModel {
 public:
  /// `limit` bytes may be reserved.
  AllocatorModel(int streams, std::int64_t limit)
      : streams_(static_cast<std::size_t>(streams)), queues_(streams_.size()), limit_(limit) {}

  StreamModel& stream(int index) { return streams_[static_cast<std::size_t>(index)]; }

  /// At least one byte.
  Served allocate(std::int64_t size, int stream);
  void record_stream(const BlockKey& key, int stream);
  void free(const BlockKey& key);
  void empty_cache();
  /// Where the runtime has put a new segment.
  void place(int segment, std::int64_t address);

  const std::vector<SegmentModel>& segments() const { return segments_; }
  const SegmentModel& segment(int id) const;
  const BlockModel& block(const BlockKey& key) const;
  /// `allocated_bytes.small_pool.current`, and the other counters that it knows.
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

  std::vector<StreamModel> streams_;
  std::vector<std::deque<Pending>> queues_;  ///< of each stream that used blocks of others
  std::vector<SegmentModel> segments_;
  std::map<std::string, std::int64_t> peaks_;
  std::map<std::string, std::int64_t> totals_;  ///< counters that only grow
  std::int64_t limit_;
  int next_segment_ = 0;
};

}  // namespace assay::suites
