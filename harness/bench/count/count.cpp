// Counts instructions as differences between whole processes, which Callgrind counts.
#include "harness/bench/count/count.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <sstream>

#include "harness/bench/audit.hpp"
#include "harness/bench/planned.hpp"
#include "harness/console/folders.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/measure/batch.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/torch.hpp"
#include "harness/suite/runner/hello.hpp"

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

// One process, with Valgrind's Callgrind.

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::string> command_line(const CallgrindOptions& options, const Contender& contender,
                                      const std::string& output) {
  std::vector<std::string> words{"env", "-i"};
  for (const char* kept : {"PATH", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(kept)) words.push_back(std::string(kept) + "=" + value);
  }
  words.insert(words.end(),
               {options.valgrind, "--tool=callgrind", "--quiet", "--callgrind-out-file=" + output});
  words.insert(words.end(), contender.program.begin(), contender.program.end());
  return words;
}

std::int64_t counted(const CallgrindOptions& options, const Contender& contender,
                     const measure::LoopCall& loop, std::int64_t times) {
  const TemporaryFolder folder("count");
  const std::filesystem::path output = folder.path() / "callgrind.out";
  ProcessOptions process;
  process.argv = command_line(options, contender, output.string());
  process.timeout = options.timeout;
  const auto link = connect_process(process);
  end_early_on(*link, options.stop);
  say_hello(*link, Contract{});
  measure::Batches batches(*link, loop);
  if (contender.counts_without_kernels) {
    batches.run_without_kernels(times);
  } else {
    batches.run(times);
  }
  if (const auto bad_end = close_subject(*link, options.timeout)) throw WorkerError(*bad_end);
  return total_of(text_of(output));
}

}  // namespace

std::int64_t total_of(const std::string& callgrind_out) {
  for (const std::string_view key : {"\ntotals: ", "\nsummary: "}) {
    const std::size_t at = callgrind_out.find(key);
    if (at == std::string::npos) continue;
    std::int64_t total = 0;
    const char* begin = callgrind_out.data() + at + key.size();
    const auto [end, error] =
        std::from_chars(begin, callgrind_out.data() + callgrind_out.size(), total);
    if (error == std::errc() && end != begin) return total;
  }
  throw WorkerError("Callgrind wrote no total");
}

Counter callgrind(const CallgrindOptions& options) {
  return [options](const Contender& contender, const measure::LoopCall& loop, std::int64_t times) {
    return counted(options, contender, loop, times);
  };
}

// `assay bench --count`.

namespace {

/// A single count cannot show whether counts are repeatable.
constexpr int kFewestCounts = 2;

std::string why_not(const std::string& subject) {
  if (is_torch(subject)) return "its loops are in Python, whose interpreter would be counted";
  if (subject == "cuda") return "the driver of a GPU does not run under Valgrind";
  return "it is not a native program or a shared library";
}

/// What can be counted of a run: loops on the host of native programs, once each.
Plan countable_part(Plan plan) {
  std::erase_if(plan.contenders, [](const Contender& one) { return one.program.empty(); });
  std::erase_if(plan.cases, [](const measure::TimedCase& timed) {
    return !measure::text_of(timed.call.arguments, "clock", "").empty();
  });
  plan.processes = 1;
  plan.auditor.reset();
  plan.on_kept = {};
  return plan;
}

const report::BenchMeasurement* same_cell(const Measured& counts,
                                          const report::BenchMeasurement& cell) {
  for (const report::BenchMeasurement& count : counts.measurements) {
    if (count.case_name == cell.case_name && count.axes == cell.axes &&
        count.subject == cell.subject)
      return count.processes.empty() ? nullptr : &count;
  }
  return nullptr;
}

}  // namespace

int counts_for(int said, bool quick) {
  if (said == 0) return quick ? 1 : kFewestCounts;
  if (quick || said >= kFewestCounts) return said;
  throw UsageError("--processes 1: at least 2 are needed to see whether counts are repeatable");
}

void refuse_timing(bool said) {
  if (!said) return;
  throw UsageError(
      "--count does not measure time: it takes no --samples, --min-time or --precision");
}

void refuse_uncountable(const Plan& plan) {
  for (const Contender& contender : plan.contenders) {
    if (!contender.program.empty()) continue;
    throw UsageError(fmt::format("--count: cannot count the instructions of '{}': {}",
                                 contender.subject, why_not(contender.subject)));
  }
  refuse_without_valgrind("--count");
}

void refuse_without_valgrind(const char* option) {
  if (is_program_in_path("valgrind")) return;
  throw UsageError(fmt::format(
      "{} needs Valgrind, and there is no program 'valgrind' in PATH (Debian: apt-get install "
      "valgrind)",
      option));
}

Measured count_instructions(const Plan& plan) {
  CallgrindOptions options;
  options.stop = plan.stop;
  return count(plan, callgrind(options));
}

void audit_by_counts(const Plan& plan, Measured& measured) {
  const Plan countable = countable_part(plan);
  if (countable.contenders.empty() || countable.cases.empty() || measured.interrupted) return;
  const Measured counts = count_instructions(countable);
  measured.interrupted = counts.interrupted;
  for (std::size_t i = 0; i < measured.measurements.size(); ++i) {
    report::BenchMeasurement& cell = measured.measurements[i];
    const report::BenchMeasurement* found = same_cell(counts, cell);
    if (cell.status != report::BenchStatus::kMeasured || found == nullptr) continue;
    const measure::Loop& loop = *plan.cases[i / plan.contenders.size()].call.loop;
    for (const report::BenchProcess& process : cell.processes) {
      const std::string refusal =
          refusal_by_count(loop, process.median, found->processes.front().median);
      if (refusal.empty()) continue;
      fail(cell, "refused by the audit: " + refusal);
      break;
    }
  }
}

}  // namespace assay::bench
