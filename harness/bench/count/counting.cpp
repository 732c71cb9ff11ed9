// Checks whether instructions can be counted here, and runs Callgrind.
#include "harness/bench/count/counting.hpp"

#include <fmt/format.h>

#include "harness/bench/count/callgrind.hpp"
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
  if (is_program_in_path("valgrind")) return;
  throw UsageError(
      "--count needs Valgrind, and there is no program 'valgrind' in PATH (Debian: apt-get install "
      "valgrind)");
}

Measured count_instructions(const Plan& plan) {
  CallgrindOptions options;
  options.stop = plan.stop;
  return count(plan, callgrind(options));
}

}  // namespace assay::bench
