// Counts instructions as differences between whole processes.
#include "harness/bench/count/count.hpp"

#include <cmath>
#include <future>
#include <optional>

#include "harness/bench/planned.hpp"
#include "harness/bench/progress.hpp"
#include "harness/measure/batch.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/subject/process/time_limit.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

void leave_out(BenchMeasurement& cell, const std::string& reason,
               BenchStatus status = BenchStatus::kUnsupported) {
  cell.status = status;
  cell.reason = printable(reason);
}

/// Counts may be multiples of 1/2: iterations of some loops alternate between two paths.
double to_a_half(double value) { return std::round(2 * value) / 2; }

/// Of a loop on a simulated device, the calls on the host can be counted up to their launches.
bool is_up_to_launches(const Contender& contender, const measure::LoopCall& loop) {
  return contender.counts_without_kernels &&
         measure::text_of(loop.arguments, "clock", "launch") == "launch";
}

class Counting {
 public:
  Counting(const Plan& plan, const Counter& counter)
      : plan_(plan),
        counter_(counter),
        progress_(plan.on_step, plan.cases.size() * plan.contenders.size(), plan.processes),
        measured_(planned(plan, {"instr.count", "instructions", true})) {}

  Measured run() {
    try {
      for (std::size_t i = 0; i < plan_.contenders.size(); ++i) check_all(i);
      for (std::size_t test = 0; test < plan_.cases.size(); ++test) {
        for (std::size_t i = 0; i < plan_.contenders.size(); ++i) count_cell(test, i);
        report_results_so_far(plan_, measured_);
      }
    } catch (const Interrupted&) {
      measured_.interrupted = true;
    }
    return settled(std::move(measured_));
  }

 private:
  /// If a worker dies or reports an error, its case fails and a new worker runs the other cases.
  void check_all(std::size_t contender) {
    for (std::size_t next = 0; next < plan_.cases.size();) {
      std::optional<WorkerClient> client = started(contender, next);
      if (!client) return;
      try {
        for (; next < plan_.cases.size(); ++next) check(client->link(), next, contender);
      } catch (const LinkBroken& broken) {
        fail(cell_of(next++, contender), reason_of(broken));
      } catch (const std::runtime_error& error) {
        fail(cell_of(next++, contender), error.what());
      }
    }
  }

  /// Returns nothing, and fails all cases from `next` on, if the worker cannot be started.
  std::optional<WorkerClient> started(std::size_t contender, std::size_t next) {
    std::string why;
    try {
      auto link = plan_.contenders[contender].open();
      end_early_on(*link, plan_.stop);
      std::optional<WorkerClient> client(std::in_place, std::move(link));
      introduce(*client, plan_.contenders[contender], measured_.subjects[contender]);
      return client;
    } catch (const LinkBroken& broken) {
      why = reason_of(broken);
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    for (std::size_t test = next; test < plan_.cases.size(); ++test) {
      fail(cell_of(test, contender), "its worker could not be started: " + why);
    }
    return std::nullopt;
  }

  void check(Link& link, std::size_t test, std::size_t contender) {
    measure::Batches batches(link, plan_.cases[test].call);
    try {
      batches.check();
    } catch (const measure::LoopMissing& missing) {
      return leave_out(cell_of(test, contender), missing.what());
    } catch (const measure::TimeNotMeaningful& none) {
      if (!is_up_to_launches(plan_.contenders[contender], plan_.cases[test].call)) {
        return leave_out(cell_of(test, contender), none.what(), BenchStatus::kSimulated);
      }
    }
    measured_.subjects[contender].via = batches.via();
    if (batches.via() == "c++") return;
    leave_out(cell_of(test, contender),
              "its loops are in Python: an interpreter's instructions are not counted");
  }

  void count_cell(std::size_t test, std::size_t contender) {
    BenchMeasurement& cell = cell_of(test, contender);
    try {
      for (int round = 0; round < plan_.processes; ++round) {
        if (cell.status != BenchStatus::kNotRun) {
          progress_.skip();
          continue;
        }
        if (plan_.stop != nullptr && plan_.stop->is_set()) throw Interrupted();
        progress_.begin(report::full_name(cell.case_name, cell.axes), cell.subject, round);
        keep(cell, round, count_once(plan_.contenders[contender], plan_.cases[test].call));
      }
    } catch (const LinkBroken& broken) {
      fail(cell, reason_of(broken));
    } catch (const std::runtime_error& error) {
      fail(cell, error.what());
    }
  }

  /// Runs both processes concurrently: a count does not depend on the load of the machine.
  double count_once(const Contender& contender, const measure::LoopCall& loop) {
    auto twice = std::async(std::launch::async,
                            [&] { return counter_(contender, loop, 2 * kCountedCalls); });
    const std::int64_t once = counter_(contender, loop, kCountedCalls);
    const std::int64_t difference = twice.get() - once;
    if (difference < 0) throw WorkerError("twice the iterations took fewer instructions");
    return to_a_half(static_cast<double>(difference) / static_cast<double>(kCountedCalls));
  }

  void keep(BenchMeasurement& cell, int round, double instructions) {
    report::BenchProcess process;
    process.index = round;
    process.order = order_++;
    process.median = instructions;
    process.samples = {instructions};
    process.iterations = kCountedCalls;
    process.checksum_ok = true;
    cell.processes.push_back(std::move(process));
  }

  BenchMeasurement& cell_of(std::size_t test, std::size_t contender) {
    return measured_.measurements[test * plan_.contenders.size() + contender];
  }

  const Plan& plan_;
  const Counter& counter_;
  Progress progress_;
  Measured measured_;
  std::int64_t order_ = 0;
};

}  // namespace

Measured count(const Plan& plan, const Counter& counter) { return Counting(plan, counter).run(); }

}  // namespace assay::bench
