// Which of the items that can complete does so next.
#pragma once

#include <optional>
#include <random>

#include "reference/runtime/device/machine.hpp"
#include "reference/runtime/device/schedule.hpp"

namespace assay::reference {

/// Chooses; that what it chooses may complete is the Machine's word.
class Scheduler {
 public:
  explicit Scheduler(Schedule schedule) : kind_(schedule.kind), random_(schedule.seed) {}

  /// After a call of the host: asked again until it says none.
  std::optional<ItemId> after_call(const Machine& machine);
  /// After a query that was answered with "not ready": one item of those that it needs.
  std::optional<ItemId> after_query(const Machine& machine, const std::vector<ItemId>& awaited);
  /// While the host waits for items: none when all that it needs stands behind closed gates.
  std::optional<ItemId> for_host(const Machine& machine, const std::vector<ItemId>& awaited);

 private:
  bool toss();
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  std::optional<ItemId> any(const std::vector<ItemId>& items);

  ScheduleKind kind_;
  std::mt19937_64 random_;
  std::size_t slowness_ = 2;  ///< one call in so many finds the devices at work
};

}  // namespace assay::reference
