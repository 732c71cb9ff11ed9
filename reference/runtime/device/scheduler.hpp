// Selects the item that completes next.
#pragma once

#include <optional>
#include <random>

#include "reference/runtime/device/machine.hpp"
#include "reference/runtime/device/schedule.hpp"

namespace assay::reference {

/// Selects among the items that the Machine permits to complete.
class Scheduler {
 public:
  explicit Scheduler(Schedule schedule) : kind_(schedule.kind), random_(schedule.seed) {}

  /// Called repeatedly after each host call, until it returns empty.
  std::optional<ItemId> after_call(const Machine& machine);
  /// After a query that returned "not ready": returns one of the items that it needs.
  std::optional<ItemId> after_query(const Machine& machine, const std::vector<ItemId>& awaited);
  /// While the host waits: returns empty if all needed items are blocked by closed gates.
  std::optional<ItemId> for_host(const Machine& machine, const std::vector<ItemId>& awaited);

 private:
  bool toss();
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  std::optional<ItemId> any(const std::vector<ItemId>& items);

  ScheduleKind kind_;
  std::mt19937_64 random_;
  std::size_t slowness_ = 2;  ///< the devices make progress in one of this many calls
};

}  // namespace assay::reference
