// Runs the rounds of a bench.
#include "harness/bench/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "harness/bench/planned.hpp"
#include "harness/bench/summary.hpp"
#include "harness/bench/turns.hpp"
#include "harness/measure/batch.hpp"
#include "harness/measure/machine.hpp"
#include "harness/stats/median.hpp"
#include "harness/subject/process/one_cpu.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

/// In longer rounds, results are reported at this interval.
constexpr std::chrono::seconds kTellEvery{5};
/// Slices per sample. On a machine whose speed changed within milliseconds, ratios of 5 slices of
/// 0.5 ms were three times as steady as those of whole samples; shorter ones were no better.
constexpr int kSlices = 5;

/// A running worker, with what is known about its process.
struct Running {
  WorkerClient client;
  Floors floors;
  std::int64_t order;
};

void note_gpu(measure::TimedLoop& timed, report::BenchProcess& process) {
  if (!timed.throttled_by.empty())
    process.throttled_by = fmt::format("{}", fmt::join(timed.throttled_by, ", "));
  if (timed.sm_clocks_mhz.empty()) return;
  std::vector<std::int64_t> sorted = timed.sm_clocks_mhz;
  std::ranges::sort(sorted);
  process.sm_clock_mhz = sorted[sorted.size() / 2];
  process.sm_clocks_mhz = std::move(timed.sm_clocks_mhz);
}

bool is_open(const BenchMeasurement& cell) { return cell.status == BenchStatus::kNotRun; }

class Session {
 public:
  Session(const Plan& plan, Measured measured)
      : plan_(plan),
        running_(plan.contenders.size()),
        measured_(std::move(measured)),
        round_(static_cast<int>(measured_.done->rounds)),
        started_(measured_.done->started),
        progress_(plan.on_step, plan.cases.size() * plan.contenders.size() * (plan.auditor ? 2 : 1),
                  plan.processes - round_) {}

  Measured run() {
    try {
      while (round_ < plan_.processes) {
        run_round();
        ++round_;
        measured_.done = {round_, started_, static_cast<std::int64_t>(measured_.floors.size())};
        tell();
        if (round_ < plan_.processes && (is_precise() || is_decided())) {
          measured_.enough = round_;
          break;
        }
      }
      measured_.done.reset();
    } catch (const Interrupted&) {
      measured_.interrupted = true;
    }
    running_.clear();
    return settled(std::move(measured_));
  }

 private:
  void run_round();
  void tell() {
    told_ = std::chrono::steady_clock::now();
    report_results_so_far(plan_, measured_);
  }
  void start(std::size_t contender);
  void give_up(std::size_t contender, const std::string& reason);
  void time_case(std::size_t test, const std::vector<std::size_t>& contenders);
  void time_in_turns(std::size_t test, const std::vector<std::size_t>& contenders);
  std::optional<measure::TimedLoop> sample(std::size_t test, std::size_t contender,
                                           const measure::TimingOptions& timing);
  void audit(std::size_t test, std::size_t contender);
  void keep(BenchMeasurement& cell, std::size_t contender, measure::TimedLoop timed,
            std::optional<double> relative = std::nullopt);
  bool has_open_cells(std::size_t contender) const;
  bool is_precise() const;
  bool is_decided() const;
  void end_if_stopped() const {
    if (plan_.stop != nullptr && plan_.stop->is_set()) throw Interrupted();
  }
  BenchMeasurement& cell_of(std::size_t test, std::size_t contender) {
    return measured_.measurements[test * plan_.contenders.size() + contender];
  }

  const Plan& plan_;
  std::vector<std::optional<Running>> running_;
  Measured measured_;
  int round_;
  std::int64_t started_;
  Progress progress_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

void Session::run_round() {
  const RoundOrder order =
      order_of(plan_.seed, round_, plan_.contenders.size(), plan_.cases.size());
  const bool pins = plan_.pins && plan_.contenders.size() > 1;
  const OnOneCpu one_cpu(pins ? std::optional(round_) : std::nullopt);
  for (const std::size_t contender : order.starts) {
    running_[contender].reset();
    if (has_open_cells(contender)) start(contender);
  }
  for (std::size_t i = 0; i < order.cases.size(); ++i) {
    time_case(order.cases[i], order.turns[i]);
    if (std::chrono::steady_clock::now() - told_ > kTellEvery) tell();
  }
  // Behind all times of the round: an audit may start a profiler in the workers.
  for (std::size_t i = 0; plan_.auditor && i < order.cases.size(); ++i) {
    for (const std::size_t contender : order.turns[i]) audit(order.cases[i], contender);
  }
}

bool Session::has_open_cells(std::size_t contender) const {
  for (std::size_t test = 0; test < plan_.cases.size(); ++test) {
    if (is_open(measured_.measurements[test * plan_.contenders.size() + contender])) return true;
  }
  return false;
}

bool Session::is_precise() const {
  if (plan_.precision <= 0 || round_ < kFewestProcesses) return false;
  return std::ranges::none_of(measured_.measurements, [&](const BenchMeasurement& cell) {
    if (!is_open(cell)) return false;
    std::vector<double> medians;
    for (const report::BenchProcess& process : cell.processes) medians.push_back(process.median);
    const report::BenchFigure figure = figure_of(std::move(medians));
    const double reach =
        std::max(figure.interval->high - figure.center, figure.center - figure.interval->low);
    return reach > plan_.precision * figure.center;
  });
}

bool Session::is_decided() const {
  const bool is_asked = std::ranges::find(plan_.looks, round_) != plan_.looks.end();
  return is_asked && plan_.is_decided(settled(measured_));
}

/// If the worker cannot be started, the contender has no worker and no open cell.
void Session::start(std::size_t contender) {
  end_if_stopped();
  try {
    auto link = plan_.contenders[contender].open();
    end_early_on(*link, plan_.stop);
    running_[contender].emplace(Running{WorkerClient(std::move(link)), {}, started_++});
    introduce(running_[contender]->client, plan_.contenders[contender],
              measured_.subjects[contender]);
    running_[contender]->floors = running_[contender]->client.calibrate(plan_.timing);
    measured_.floors.push_back(running_[contender]->floors);
  } catch (const LinkBroken& broken) {
    give_up(contender, reason_of(broken));
  } catch (const std::runtime_error& error) {
    give_up(contender, error.what());
  }
}

void Session::give_up(std::size_t contender, const std::string& reason) {
  running_[contender].reset();
  for (std::size_t test = 0; test < plan_.cases.size(); ++test) {
    BenchMeasurement& cell = cell_of(test, contender);
    if (is_open(cell)) fail(cell, "its worker could not be started: " + reason);
  }
}

void Session::time_case(std::size_t test, const std::vector<std::size_t>& contenders) {
  std::vector<std::size_t> open;
  for (const std::size_t contender : contenders) {
    if (is_open(cell_of(test, contender)))
      open.push_back(contender);
    else
      progress_.skip();
  }
  if (open.size() > 1 && std::ranges::all_of(open, [&](std::size_t contender) {
        return running_[contender]->floors.takes_iterations;
      })) {
    return time_in_turns(test, open);
  }
  for (const std::size_t contender : open) {
    if (auto timed = sample(test, contender, plan_.timing)) {
      keep(cell_of(test, contender), contender, std::move(*timed));
    }
  }
}

/// Empty if it fails or has no time; then the cell contains the reason.
std::optional<measure::TimedLoop> Session::sample(std::size_t test, std::size_t contender,
                                                  const measure::TimingOptions& timing) {
  BenchMeasurement& cell = cell_of(test, contender);
  if (!is_open(cell)) return std::nullopt;
  end_if_stopped();
  if (timing.iterations == 0)
    progress_.begin(report::full_name(cell.case_name, cell.axes), cell.subject, round_);
  try {
    return running_[contender]->client.time(plan_.cases[test].call, timing);
  } catch (const measure::LoopMissing& missing) {
    if (!cell.processes.empty()) {
      fail(cell, fmt::format("one process supports it, another does not: {}", missing.what()));
      return std::nullopt;
    }
    leave_out(cell, BenchStatus::kUnsupported, missing.what());
  } catch (const measure::TimeNotMeaningful& none) {
    if (!cell.processes.empty()) {
      fail(cell, "one process returned a time, another did not");
      return std::nullopt;
    }
    leave_out(cell, BenchStatus::kSimulated, none.what());
    cell.checked = true;
  } catch (const LinkBroken& broken) {
    fail(cell, reason_of(broken));
    start(contender);
  } catch (const std::runtime_error& error) {
    fail(cell, error.what());
  }
  return std::nullopt;
}

void Session::time_in_turns(std::size_t test, const std::vector<std::size_t>& contenders) {
  const auto take = [&](std::size_t contender, const measure::TimingOptions& timing) {
    return sample(test, contender, timing);
  };
  // Loops on a device make all that they work on anew for each batch.
  const int slices = plan_.cases[test].call.loop->result == nullptr ? kSlices : 1;
  for (Turns& turns : take_turns(contenders, plan_.timing, slices, take)) {
    keep(cell_of(test, turns.contender), turns.contender, std::move(turns.timed), turns.relative);
  }
}

/// A loop on a simulated device has no time, but must do its work from any seed.
void Session::audit(std::size_t test, std::size_t contender) {
  BenchMeasurement& cell = cell_of(test, contender);
  const bool has_time = is_open(cell) && !cell.processes.empty();
  const bool is_first_round = measured_.done->rounds == 0;
  const bool has_work = cell.status == BenchStatus::kSimulated && is_first_round;
  if (!running_[contender] || (!has_time && !has_work)) return progress_.skip();
  end_if_stopped();
  progress_.begin("audit of " + report::full_name(cell.case_name, cell.axes), cell.subject, round_);
  Link& link = running_[contender]->client.link();
  const measure::LoopCall& call = plan_.cases[test].call;
  try {
    if (!has_time) return plan_.auditor->check(link, call);
    report::BenchProcess& process = cell.processes.back();
    const Audit audit = plan_.auditor->audit(link, call, process.median, process.iterations);
    process.waited_ns = audit.waited;
    if (!audit.refusal.empty()) fail(cell, "refused by the audit: " + audit.refusal);
  } catch (const LinkBroken& broken) {
    fail(cell, reason_of(broken));
    start(contender);
  } catch (const std::runtime_error& error) {
    fail(cell, fmt::format("it cannot be audited: {}", error.what()));
  }
}

void Session::keep(BenchMeasurement& cell, std::size_t contender, measure::TimedLoop timed,
                   std::optional<double> relative) {
  report::BenchProcess process;
  process.relative = relative;
  process.index = round_;
  process.order = running_[contender]->order;
  process.median = stats::median_of(timed.samples).value;
  process.samples = std::move(timed.samples);
  process.iterations = timed.iterations;
  process.checksum_ok = true;
  process.load = measure::load_average();
  process.null_call_ns = running_[contender]->floors.null_call_ns;
  note_gpu(timed, process);
  cell.processes.push_back(std::move(process));
  measured_.subjects[contender].via = std::move(timed.via);
}

}  // namespace

Measured run(const Plan& plan, std::optional<Measured> resumed) {
  if (!resumed) resumed = planned(plan, {"", "ns", false});
  if (!resumed->done) resumed->done.emplace();
  return Session(plan, std::move(*resumed)).run();
}

}  // namespace assay::bench
