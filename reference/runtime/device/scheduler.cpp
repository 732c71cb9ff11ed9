// Implements the four schedules.
#include "reference/runtime/device/scheduler.hpp"

#include <algorithm>

namespace assay::reference {
namespace {

std::optional<ItemId> first_of(const std::vector<ItemId>& items) {
  if (items.empty()) return std::nullopt;
  return items.front();
}

std::vector<ItemId> completable_of(const Machine& machine, std::vector<ItemId> items) {
  std::erase_if(items, [&](ItemId item) { return !machine.can_complete(item); });
  return items;
}

}  // namespace

std::optional<ItemId> Scheduler::after_call(const Machine& machine) {
  if (machine.pending_count() == 0) return std::nullopt;
  if (kind_ == ScheduleKind::kEager) return first_of(machine.completable());
  if (kind_ == ScheduleKind::kRandom && toss()) return any(machine.completable());
  return std::nullopt;
}

std::optional<ItemId> Scheduler::after_query(const Machine& machine,
                                             const std::vector<ItemId>& awaited) {
  if (kind_ != ScheduleKind::kLazy) return std::nullopt;
  return first_of(completable_of(machine, machine.needed(awaited)));
}

std::optional<ItemId> Scheduler::for_host(const Machine& machine,
                                          const std::vector<ItemId>& awaited) {
  const std::vector<ItemId> useful = completable_of(machine, machine.needed(awaited));
  if (useful.empty() || kind_ != ScheduleKind::kRandom) return first_of(useful);
  return any(machine.completable());
}

/// Varies the rate of progress, because a fixed rate would produce few of the possible outcomes.
bool Scheduler::toss() {
  if (below(32) == 0) slowness_ = std::size_t{2} << below(8);
  return below(slowness_) == 0;
}

std::optional<ItemId> Scheduler::any(const std::vector<ItemId>& items) {
  if (items.empty()) return std::nullopt;
  return items[below(items.size())];
}

}  // namespace assay::reference
