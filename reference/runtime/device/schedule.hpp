// When the simulated devices work.
#pragma once

#include <cstdint>

namespace assay::reference {

enum class ScheduleKind {
  kEager,  ///< whatever can complete does, before the call that made it possible returns
  kLazy,  ///< only what the host waits for; a query answers first, and then one operation completes
  kManual,  ///< only what the host waits for, and what the program steps
  kRandom,  ///< after each call a number of operations drawn from the seed
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::kEager;
  std::uint64_t seed = 0;
};

}  // namespace assay::reference
