// The scheduler: selects whether the host or a stream proceeds next.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

enum class Strategy {
  kEager,       ///< executes all possible work at once
  kLazy,        ///< what the host waits for; after each query, one operation
  kManual,      ///< what the host waits for, and explicit steps
  kSeeded,      ///< after each call, a number of operations drawn from the seed
  kPriorities,  ///< random priorities of host and streams, changed at a few points
  kExhaustive,  ///< all orders of the streams, one per run: see next_path()
};

/// The events that require a choice: the host
/// has made a call or a query, or waits.
enum class Moment { kCall, kQuery, kWait };

class Schedule {
 public:
  /// Reads ASSAY_ON_CPU_STRATEGY (eager, lazy, seeded, pct) and ASSAY_ON_CPU_SEED from the
  /// environment. An invalid value ends the process with a message.
  Schedule();

  void set(Strategy strategy, std::uint64_t seed);
  /// Restores the environment's settings. Keeps the exploration path.
  void reset();
  Strategy strategy() const { return strategy_; }
  /// Returns whether a host wait executes only the work that it waits for.
  bool is_directed() const {
    return strategy_ != Strategy::kPriorities && strategy_ != Strategy::kExhaustive;
  }

  /// Begins a scheduling event; call choose() until it selects the host.
  void begin(Moment moment);
  /// Returns the index of a line that can proceed (at least one can), or -1 for the host, but never
  /// -1 while the host waits.
  int choose(const std::vector<LinePtr>& lines);

  /// For kExhaustive, which runs the program once for each path: selects the next path, or returns
  /// false if all paths have been explored.
  bool next_path();

 private:
  int choose_by_priority(const std::vector<LinePtr>& lines);
  int choose_on_path(const std::vector<LinePtr>& lines);
  std::uint64_t& priority_of(std::uint64_t actor);

  Strategy usual_ = Strategy::kEager;
  std::uint64_t usual_seed_ = 1;
  Strategy strategy_ = Strategy::kEager;
  Moment moment_ = Moment::kCall;
  std::mt19937_64 random_;
  std::uint64_t budget_ = 0;
  int questions_ = 0;  ///< in a row without progress between them

  std::map<std::uint64_t, std::uint64_t> priorities_;
  std::vector<std::uint64_t> changes_;  ///< steps at which the current one gets the lowest priority
  std::uint64_t steps_ = 0;

  std::vector<std::pair<int, int>>
      path_;  ///< at each choice: the selected alternative and their number
  std::size_t place_ = 0;
};

}  // namespace assay::cuda::on_cpu
