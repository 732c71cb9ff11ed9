// Schedules of the simulated devices.
#pragma once

#include <cstdint>

namespace assay::reference {

enum class ScheduleKind {
  kEager,   ///< completes all possible work before the call that enabled it returns
  kLazy,    ///< only work that the host waits for; after each query, one operation completes
  kManual,  ///< only work that the host waits for or that the program steps
  kRandom,  ///< after each call, a random number of operations
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::kEager;
  std::uint64_t seed = 0;
};

}  // namespace assay::reference
