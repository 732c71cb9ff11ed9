// What a run of the bench is to do: subjects, cases, how many fresh processes, in which order.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/axis_choice.hpp"
#include "harness/measure/timed_cases.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/process/stop_signal.hpp"

namespace assay::bench {

/// A subject and how to start a fresh worker process for it (harness/measure/worker.hpp).
struct Contender {
  std::string id;       ///< unique in the run
  std::string subject;  ///< as typed
  std::optional<std::string> copy_of;
  bool other_build = false;  ///< its workers are another program's, and say which
  std::function<std::unique_ptr<Link>()> open;
  /// What answers `bench.run` in one process of its own, to be counted; empty where nothing does.
  std::vector<std::string> program = {};
};

/// Fewer decide too little: a median's interval needs six, a corrected exact test seven.
inline constexpr int kFewestProcesses = 7;

/// Where a run is. `left` is estimated from what has been done; nothing before there is anything.
struct Step {
  std::string what;
  std::size_t done = 0;
  std::size_t planned = 0;
  std::optional<std::chrono::seconds> left;
};

struct Measured;

struct Plan {
  std::vector<Contender> contenders;
  std::vector<measure::TimedCase> cases;
  int processes = 12;  ///< for each contender
  /// With `processes` as the most: the run ends as soon as every interval reaches no further than
  /// this share from its number (0.01 is 1 %), from kFewestProcesses on. 0: it does not.
  double precision = 0;
  /// After each of these numbers of processes `is_decided` is asked, and the run ends where it is;
  /// the last is `processes`. None: nobody is asked.
  std::vector<int> looks = {};
  std::function<bool(Measured)> is_decided = {};
  measure::TimingOptions timing;
  std::uint64_t seed = 1;
  /// When it is set, the run ends and keeps what it has.
  const StopSignal* stop = nullptr;
  std::function<void(const Step&)> on_step = {};
  /// Now and then: what there would be if the run were interrupted here.
  std::function<void(Measured)> on_kept = {};
};

/// The order of one round: indices of cases, and for each of them the order of the contenders.
struct RoundOrder {
  std::vector<std::size_t> starts;  ///< in which the workers are started
  std::vector<std::size_t> cases;
  std::vector<std::vector<std::size_t>> turns;  ///< one for each of `cases`
};

/// The same for the same seed, on every machine.
RoundOrder order_of(std::uint64_t seed, int round, std::size_t contenders, std::size_t cases);

/// The cases whose full name (`dispatch/typed/tensors=1`) a filter matches and no exclude does, by
/// assay::glob_matches. No filter selects all. `axes` replaces the values of axes; cases that can
/// have none of what was chosen are left out.
std::vector<measure::TimedCase> select_cases(const std::vector<std::string>& filters,
                                             const std::vector<std::string>& excludes,
                                             const std::vector<AxisChoice>& axes = {});

/// A filter for what a word names: a whole name, a part of it up to a slash, or the beginning of
/// longer names. Throws UsageError for one that names no case.
std::string filter_of(const std::string& word, const std::vector<AxisChoice>& axes = {});

/// `; did you mean dispatch/typed?`; empty where no name is near.
std::string nearest_cases(const std::string& name);

}  // namespace assay::bench
