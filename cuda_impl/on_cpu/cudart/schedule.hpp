// The scheduler: which of the host and the streams that can run does so next.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/on_cpu/cudart/timeline.hpp"

namespace assay::cuda::on_cpu {

enum class Strategy {
  kEager,       ///< whatever can be done is done at once
  kLazy,        ///< what the host waits for; a query answers first, then one operation is done
  kManual,      ///< what the host waits for, and what is stepped
  kSeeded,      ///< after each call as many as the seed says
  kPriorities,  ///< host and streams have priorities by the seed, which change at a few moments
  kExhaustive,  ///< all orders of the streams, one after another: see next_path()
};

/// When somebody has to be chosen: the host has made a call, has asked whether something is done,
/// or waits.
enum class Moment { kCall, kQuery, kWait };

class Schedule {
 public:
  /// By the environment: ASSAY_ON_CPU_STRATEGY (eager, lazy, seeded, pct) and ASSAY_ON_CPU_SEED.
  /// Ends the process with a sentence for what none of these can be.
  Schedule();

  void set(Strategy strategy, std::uint64_t seed);
  /// As the environment has it. The path through all orders stays.
  void reset();
  Strategy strategy() const { return strategy_; }
  /// A host that waits has done what it waits for, and nothing else.
  bool is_directed() const {
    return strategy_ != Strategy::kPriorities && strategy_ != Strategy::kExhaustive;
  }

  /// A moment has come; choose() is asked until it says that the host goes on.
  void begin(Moment moment);
  /// An index into the lines that can go on, of which there is one at least; -1 for the host, never
  /// while it waits.
  int choose(const std::vector<LinePtr>& lines);

  /// Of kExhaustive: the program is run once for each path. False when there was no path left; else
  /// the next run goes by a path of its own.
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
  int questions_ = 0;  ///< in a row, with nothing done between them

  std::map<std::uint64_t, std::uint64_t> priorities_;
  std::vector<std::uint64_t> changes_;  ///< steps at which whoever goes on becomes the last
  std::uint64_t steps_ = 0;

  std::vector<std::pair<int, int>>
      path_;  ///< at each choice: the one taken, and how many there are
  std::size_t place_ = 0;
};

}  // namespace assay::cuda::on_cpu
