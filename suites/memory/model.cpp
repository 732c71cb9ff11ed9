// A model of the caching allocator, following the clauses.
#include "suites/memory/model.hpp"

#include <algorithm>
#include <tuple>

namespace assay::suites {
namespace {

constexpr std::int64_t kUnit = 512;
constexpr std::int64_t kMi = std::int64_t{1} << 20;

std::int64_t up_to(std::int64_t size, std::int64_t unit) { return (size + unit - 1) / unit * unit; }

bool is_small(std::int64_t rounded) { return rounded <= kMi; }

/// MEM-002
std::int64_t segment_size(std::int64_t rounded) {
  if (is_small(rounded)) return 2 * kMi;
  return rounded < 10 * kMi ? 20 * kMi : up_to(rounded, 2 * kMi);
}

/// MEM-003
bool splits(bool small, std::int64_t remainder) {
  return small ? remainder >= kUnit : remainder > kMi;
}

}  // namespace

int StreamModel::add_gate() {
  open_.push_back(false);
  return static_cast<int>(open_.size()) - 1;
}

bool StreamModel::is_complete(std::size_t mark) const {
  const auto end = open_.begin() + static_cast<std::ptrdiff_t>(mark);
  return std::find(open_.begin(), end, false) == end;
}

const SegmentModel& AllocatorModel::segment(int id) const {
  return *std::find_if(segments_.begin(), segments_.end(),
                       [id](const SegmentModel& each) { return each.id == id; });
}

SegmentModel& AllocatorModel::segment_of(int id) { return const_cast<SegmentModel&>(segment(id)); }

const BlockModel& AllocatorModel::block(const BlockKey& key) const {
  const auto& blocks = segment(key.segment).blocks;
  return *std::find_if(blocks.begin(), blocks.end(),
                       [&](const BlockModel& each) { return each.offset == key.offset; });
}

BlockModel& AllocatorModel::block_of(const BlockKey& key) {
  return const_cast<BlockModel&>(block(key));
}

std::int64_t AllocatorModel::reserved() const {
  std::int64_t sum = 0;
  for (const SegmentModel& each : segments_) sum += each.size;
  return sum;
}

/// MEM-004: the smallest block that fits, then (since 2.12) the oldest segment, then the lowest
/// address.
std::optional<BlockKey> AllocatorModel::best_fit(std::int64_t size, int stream) const {
  std::optional<BlockKey> best;
  std::tuple<std::int64_t, std::int64_t, std::int64_t> rank;
  for (const SegmentModel& segment : segments_) {
    if (segment.stream != stream || segment.small != is_small(size)) continue;
    for (const BlockModel& block : segment.blocks) {
      if (block.state != BlockModel::State::kFree || block.size < size) continue;
      const std::int64_t age = release_ < Release::k2_12 ? 0 : segment.id;
      const std::tuple mine{block.size, age, segment.address + block.offset};
      if (best && rank <= mine) continue;
      best = BlockKey{segment.id, block.offset};
      rank = mine;
    }
  }
  return best;
}

/// MEM-012: never exceeds the limit.
std::optional<BlockKey> AllocatorModel::reserve(std::int64_t size, int stream) {
  const std::int64_t whole = segment_size(size);
  if (reserved() + whole > limit_) return {};
  SegmentModel made{.id = next_segment_++,
                    .size = whole,
                    .stream = stream,
                    .small = is_small(size),
                    .blocks = {{.size = whole}}};
  segments_.push_back(std::move(made));
  ++totals_["num_device_alloc"];
  return BlockKey{segments_.back().id, 0};
}

/// MEM-011
Served AllocatorModel::allocate(std::int64_t size, int stream) {
  poll();
  const std::int64_t rounded = up_to(std::max(size, kUnit), kUnit);
  Served served;
  std::optional<BlockKey> found = best_fit(rounded, stream);
  if (!found) {
    served.is_new_segment = true;
    found = reserve(rounded, stream);
  }
  if (!found) {
    served.waited = true;
    wait_for_all();
    give_back();
    ++totals_["num_alloc_retries"];
    found = reserve(rounded, stream);
  }
  if (!found) {
    ++totals_["num_ooms"];
    served.out_of_memory = true;
    return served;
  }
  take(*found, rounded, size);
  served.block = *found;
  note_peaks();
  return served;
}

void AllocatorModel::take(const BlockKey& key, std::int64_t size, std::int64_t requested) {
  SegmentModel& segment = segment_of(key.segment);
  BlockModel& block = block_of(key);
  const std::int64_t remainder = block.size - size;
  const bool is_split = splits(segment.small, remainder);
  block.state = BlockModel::State::kAllocated;
  block.requested = requested;
  if (!is_split) return;
  block.size = size;
  const auto next = segment.blocks.begin() + (&block - segment.blocks.data()) + 1;
  segment.blocks.insert(next, {.offset = key.offset + size, .size = remainder});
}

void AllocatorModel::record_stream(const BlockKey& key, int stream) {
  if (stream != segment(key.segment).stream) block_of(key).users.insert(stream);  // MEM-006
}

/// MEM-007
void AllocatorModel::free(const BlockKey& key) {
  BlockModel& block = block_of(key);
  block.events = static_cast<int>(block.users.size());
  for (const int user : block.users) {
    queues_[static_cast<std::size_t>(user)].push_back({key, stream(user).mark()});
  }
  block.users.clear();
  block.state = block.events > 0 ? BlockModel::State::kPending : BlockModel::State::kFree;
  if (block.events == 0) merge(key.segment);
}

/// MEM-008: in the order of each stream, up to the first incomplete event.
void AllocatorModel::poll() {
  for (std::size_t user = 0; user < queues_.size(); ++user) {
    auto& queue = queues_[user];
    while (!queue.empty() && streams_[user].is_complete(queue.front().mark)) {
      const BlockKey key = queue.front().block;
      queue.pop_front();
      one_event_less(key);
    }
  }
}

void AllocatorModel::one_event_less(const BlockKey& key) {
  BlockModel& block = block_of(key);
  if (--block.events > 0) return;
  block.state = BlockModel::State::kFree;
  merge(key.segment);
}

void AllocatorModel::wait_for_all() {
  for (auto& queue : queues_) {
    for (const Pending& each : queue) one_event_less(each.block);
    queue.clear();
  }
}

/// Frees segments that consist of one free block.
void AllocatorModel::give_back() {
  const auto is_whole = [](const SegmentModel& each) {
    return each.blocks.size() == 1 && each.blocks[0].state == BlockModel::State::kFree;
  };
  const auto gone = std::remove_if(segments_.begin(), segments_.end(), is_whole);
  totals_["num_device_free"] += segments_.end() - gone;
  segments_.erase(gone, segments_.end());
}

void AllocatorModel::empty_cache() {
  wait_for_all();
  give_back();
}

void AllocatorModel::place(int id, std::int64_t address) { segment_of(id).address = address; }

/// MEM-005
void AllocatorModel::merge(int id) {
  std::vector<BlockModel> merged;
  for (const BlockModel& block : segment(id).blocks) {
    const bool grows = !merged.empty() && merged.back().state == BlockModel::State::kFree &&
                       block.state == BlockModel::State::kFree;
    if (grows) {
      merged.back().size += block.size;
    } else {
      merged.push_back(block);
    }
  }
  segment_of(id).blocks = std::move(merged);
}

/// MEM-021
std::map<std::string, std::int64_t> AllocatorModel::counters() const {
  std::map<std::string, std::int64_t> counts = peaks_;
  for (const auto& [name, count] : totals_) counts[name] = count;
  const auto add = [&](const std::string& name, const SegmentModel& in, std::int64_t value) {
    counts[name + ".all.current"] += value;
    counts[name + (in.small ? ".small_pool" : ".large_pool") + ".current"] += value;
  };
  for (const SegmentModel& segment : segments_) {
    add("segment", segment, 1);
    add("reserved_bytes", segment, segment.size);
    for (const BlockModel& block : segment.blocks) {
      const bool is_free = block.state == BlockModel::State::kFree;
      const bool is_allocated = block.state == BlockModel::State::kAllocated;
      const bool is_split_off = is_free && segment.blocks.size() > 1;
      add("allocation", segment, is_allocated ? 1 : 0);
      add("allocated_bytes", segment, is_allocated ? block.size : 0);
      add("active", segment, is_free ? 0 : 1);
      add("active_bytes", segment, is_free ? 0 : block.size);
      add("inactive_split", segment, is_split_off ? 1 : 0);
      add("inactive_split_bytes", segment, is_split_off ? block.size : 0);
      add("requested_bytes", segment, is_free ? 0 : block.requested);
    }
  }
  return counts;
}

/// Updates counters that grow only on allocation.
void AllocatorModel::note_peaks() {
  const auto now = counters();
  for (const char* name :
       {"allocation", "allocated_bytes", "active", "active_bytes", "segment", "reserved_bytes"}) {
    const auto current = now.find(std::string(name) + ".all.current");
    std::int64_t& peak = peaks_[std::string(name) + ".all.peak"];
    if (current != now.end()) peak = std::max(peak, current->second);
  }
}

}  // namespace assay::suites
