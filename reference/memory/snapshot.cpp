// Snapshots of statistics and segments.
#include "reference/memory/device_allocator.hpp"
#include "reference/memory/sizes.hpp"

namespace assay::reference {
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
