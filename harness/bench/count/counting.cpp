// Checks whether instructions can be counted here, and runs Callgrind.
#include "harness/bench/count/counting.hpp"

#include <fmt/format.h>

#include "harness/bench/audit.hpp"
#include "harness/bench/count/callgrind.hpp"
#include "harness/bench/planned.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/subjects/connect.hpp"
#include "harness/subjects/torch.hpp"

namespace assay::bench {
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
