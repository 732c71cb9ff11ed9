// The plan of a bench run: subjects, cases with the values of their axes, number of processes, and
// order.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/audit.hpp"
#include "harness/measure/loops.hpp"
#include "harness/measure/timed_cases.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/process/stop_signal.hpp"

namespace assay::bench {

/// Chosen on the command line: `N[pow2]=[10:28:2]`, `dtype=[f16,bf16]`.
struct AxisChoice {
  std::string name;
  std::vector<measure::AxisValue> values;
};

/// The text is not a valid choice, or no case has the chosen axis or value.
class WrongAxis : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The syntax of NVBench's `--axis`: NAME=VALUE, NAME=[VALUE,VALUE], NAME=[FIRST:LAST:STEP] (LAST
/// included, STEP 1 by default), and NAME[pow2] for exponents of two. Throws WrongAxis.
AxisChoice parse_axis_choice(std::string_view text);

/// `axes` with the values of each chosen axis replaced by the chosen ones; nothing if an axis
/// supports none of the values chosen for it.
std::optional<std::vector<measure::Axis>> chosen(std::vector<measure::Axis> axes,
                                                 const std::vector<AxisChoice>& choices);

/// Throws WrongAxis if no case has a chosen axis or a chosen value.
void refuse_unknown_axes(const std::vector<AxisChoice>& choices);

/// A subject and how to start a fresh worker process for it (harness/measure/worker.hpp).
struct Contender {
  std::string id;       ///< unique in the run
  std::string subject;  ///< as typed
  std::optional<std::string> copy_of;
  bool other_build = false;  ///< its workers are another program, which reports its build
  std::function<std::unique_ptr<Link>()> open;
  /// The program that answers `bench.run` in one process, for counting; empty if there is none.
  std::vector<std::string> program = {};
  /// That program runs no kernels: loops that leave something on devices are checked by `open`.
  bool counts_without_kernels = false;
};

/// With fewer processes little can be decided: a median's interval needs 6, a corrected test 7.
inline constexpr int kFewestProcesses = 7;

/// The progress of a run. `left` is estimated from the completed part; empty before the first one.
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
  int processes = 12;  ///< per contender
  /// If positive, `processes` is the maximum: from kFewestProcesses on, the run ends as soon as the
  /// half-width of every interval is at most this share of its number (0.01 is 1 %).
  double precision = 0;
  /// After each of these numbers of processes the run calls `is_decided` and ends if it is true.
  /// The last element equals `processes`. Empty: `is_decided` is never called.
  std::vector<int> looks = {};
  std::function<bool(Measured)> is_decided = {};
  measure::TimingOptions timing;
  /// All processes of a round run on one CPU, in each round on the next, where there are several
  /// contenders: CPUs may differ in speed, or in what else they do.
  bool pins = false;
  std::uint64_t seed = 1;
  /// Each process's times are held against the harness's own clock, and refused if they differ.
  std::optional<Auditor> auditor = {};
  /// When set, the run ends and keeps its results so far.
  const StopSignal* stop = nullptr;
  std::function<void(const Step&)> on_step = {};
  /// Called periodically with the results that the run would keep if it were interrupted now.
  std::function<void(Measured)> on_kept = {};
};

/// The order of one round: indices of cases and, for each case, the order of the contenders.
struct RoundOrder {
  std::vector<std::size_t> starts;  ///< the order in which the workers are started
  std::vector<std::size_t> cases;
  std::vector<std::vector<std::size_t>> turns;  ///< one element for each of `cases`
};

/// Deterministic: a seed gives the same order on every machine.
RoundOrder order_of(std::uint64_t seed, int round, std::size_t contenders, std::size_t cases);

/// The cases whose full name (`dispatch/typed/tensors=1`) matches a filter and no exclude, by
/// assay::glob_matches. No filters select all cases. `axes` replaces the values of axes; cases
/// that support none of the chosen values are left out.
std::vector<measure::TimedCase> select_cases(const std::vector<std::string>& filters,
                                             const std::vector<std::string>& excludes,
                                             const std::vector<AxisChoice>& axes = {});

/// The filter for a word: a full name, a prefix that ends at a slash, or the beginning of longer
/// names. Throws UsageError if the word matches no case.
std::string filter_of(const std::string& word, const std::vector<AxisChoice>& axes = {});

/// `; did you mean dispatch/typed?`; empty if no name is similar.
std::string nearest_cases(const std::string& name);

}  // namespace assay::bench
