// Statistics (MEM-021), and snapshots of them and of segments.
#include "reference/memory/stats.hpp"

#include <algorithm>

#include "reference/memory/block.hpp"
#include "reference/memory/device_allocator.hpp"

namespace assay::reference {
namespace {

using Entries = std::vector<std::pair<std::string, std::int64_t>>;

struct NamedPooled {
  const char* name;
  PooledStat DeviceStats::*stat;
};

constexpr NamedPooled kPooled[] = {
    {"allocation", &DeviceStats::allocation},
    {"segment", &DeviceStats::segment},
    {"active", &DeviceStats::active},
    {"inactive_split", &DeviceStats::inactive_split},
    {"allocated_bytes", &DeviceStats::allocated_bytes},
    {"reserved_bytes", &DeviceStats::reserved_bytes},
    {"active_bytes", &DeviceStats::active_bytes},
    {"inactive_split_bytes", &DeviceStats::inactive_split_bytes},
    {"requested_bytes", &DeviceStats::requested_bytes},
};
constexpr const char* kPoolNames[] = {"all", "small_pool", "large_pool"};

template <typename Stats, typename Visit>
void for_each_stat(Stats& stats, const Visit& visit) {
  for (const NamedPooled& named : kPooled) {
    for (auto& stat : (stats.*named.stat).of) visit(stat);
  }
  visit(stats.oversize_allocations);
  visit(stats.oversize_segments);
}

void add_entries(Entries& entries, const std::string& name, const Stat& stat) {
  entries.emplace_back(name + ".current", stat.current);
  entries.emplace_back(name + ".peak", stat.peak);
  entries.emplace_back(name + ".allocated", stat.allocated);
  entries.emplace_back(name + ".freed", stat.freed);
}

}  // namespace

void Stat::add(std::int64_t amount) {
  current += amount;
  allocated += amount;
  peak = std::max(peak, current);
}

void Stat::remove(std::int64_t amount) {
  current -= amount;
  freed += amount;
}

void PooledStat::add(bool is_small, std::int64_t amount) {
  of[0].add(amount);
  of[is_small ? 1 : 2].add(amount);
}

void PooledStat::remove(bool is_small, std::int64_t amount) {
  of[0].remove(amount);
  of[is_small ? 1 : 2].remove(amount);
}

void PooledStat::change(bool is_small, std::int64_t amount) {
  if (amount > 0) add(is_small, amount);
  if (amount < 0) remove(is_small, -amount);
}

void DeviceStats::reset_peak() {
  for_each_stat(*this, [](Stat& stat) { stat.reset_peak(); });
}

void DeviceStats::reset_accumulated() {
  for_each_stat(*this, [](Stat& stat) { stat.reset_accumulated(); });
  num_alloc_retries = num_ooms = num_sync_all_streams = num_device_alloc = num_device_free = 0;
}

Entries entries_of(const DeviceStats& stats, Release release) {
  const bool is_later = release >= Release::k2_4;
  Entries entries;
  for (const NamedPooled& named : kPooled) {
    if (named.stat == &DeviceStats::requested_bytes && !is_later) continue;
    for (std::size_t pool = 0; pool < 3; ++pool) {
      add_entries(entries, std::string(named.name) + "." + kPoolNames[pool],
                  (stats.*named.stat).of[pool]);
    }
  }
  add_entries(entries, "oversize_allocations", stats.oversize_allocations);
  add_entries(entries, "oversize_segments", stats.oversize_segments);
  entries.emplace_back("num_alloc_retries", stats.num_alloc_retries);
  entries.emplace_back("num_ooms", stats.num_ooms);
  entries.emplace_back("max_split_size", stats.max_split_size);
  if (is_later) {
    entries.emplace_back("num_sync_all_streams", stats.num_sync_all_streams);
    entries.emplace_back("num_device_alloc", stats.num_device_alloc);
    entries.emplace_back("num_device_free", stats.num_device_free);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

// Snapshots.

namespace {

SegmentView view_of(const Segment& segment) {
  SegmentView view{segment.address, segment.size, segment.stream, segment.pool->is_small, {}};
  for (const Block* block = segment.first; block != nullptr; block = block->next) {
    const char* state = block->is_free() ? "free" : "pending";
    if (block->is_allocated) state = "allocated";
    view.blocks.push_back({block->address - segment.address, block->size, state});
  }
  return view;
}

}  // namespace

DeviceStats DeviceAllocator::stats() {
  const Lock lock(mutex_);
  DeviceStats now = stats_;
  const std::uint64_t limit = settings_.config.max_split_size;
  if (limit != AllocatorConfig::kNoLimit) now.max_split_size = static_cast<std::int64_t>(limit);
  return now;
}

void DeviceAllocator::reset_peak() {
  const Lock lock(mutex_);
  stats_.reset_peak();
}

void DeviceAllocator::reset_accumulated() {
  const Lock lock(mutex_);
  stats_.reset_accumulated();
}

std::vector<SegmentView> DeviceAllocator::segments() {
  const Lock lock(mutex_);
  std::vector<SegmentView> views;
  for (const auto& [address, segment] : segments_) views.push_back(view_of(*segment));
  return views;
}

}  // namespace assay::reference
