// Counts that a project holds itself to: committed, one set for each build that has its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/thresholds.hpp"

namespace assay::compare {

/// Counts depend on the code that a compiler makes, and on nothing of the machine's speed.
struct ExpectedBuild {
  std::string compiler;  ///< `GNU 12.2.0 x86_64`
  std::string build_type;
  std::string flags;
  /// By subject, then by full name (`dispatch/typed/tensors=1`).
  std::map<std::string, std::map<std::string, double>> counts;
};

struct Expectations {
  double margin = 0.01;
  std::vector<ExpectedBuild> builds;
};

/// Throws Invalid, which begins with `name` and the place, for what is no such file.
Expectations expectations_from_toml(std::string_view text, std::string_view name);
std::string to_toml(const Expectations& expectations);

/// The one whose compiler, type and flags are the record's; null where there is none.
const ExpectedBuild* build_for(const Expectations& expectations, const report::BenchRecord& record);

/// The expected counts as the baseline of a comparison with `record`, on the same machine.
report::BenchRecord baseline_of(const ExpectedBuild& build, const report::BenchRecord& record);

/// Fails on whatever differs from `expectations` by more than the margin, better or worse, and on
/// what only one side has: a file that is not kept up to date would soon let anything pass.
Thresholds thresholds_of(const Expectations& expectations);

/// One count that `accept` has changed; no number where there was none, or is none any more.
struct Accepted {
  std::string subject, name;
  std::optional<double> before, now;
};

/// Makes the counts of `record` what is expected of its build; other builds stay as they are.
/// Throws Invalid for a record that holds no counts, or some that cannot be relied on.
std::vector<Accepted> accept(Expectations& expectations, const report::BenchRecord& record);

}  // namespace assay::compare
