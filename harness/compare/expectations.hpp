// Expected counts that a project commits, one set for each build configuration.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/thresholds.hpp"

namespace assay::compare {

/// Counts depend on the compiler's output and not on the speed of the machine.
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

/// Throws Invalid, with `name` and the position, if the text is not a valid file.
Expectations expectations_from_toml(std::string_view text, std::string_view name);
std::string to_toml(const Expectations& expectations);

/// The build with the compiler, type and flags of the record; null if there is none.
const ExpectedBuild* build_for(const Expectations& expectations, const report::BenchRecord& record);

/// The expected counts as the baseline of a comparison with `record`, on the same machine.
report::BenchRecord baseline_of(const ExpectedBuild& build, const report::BenchRecord& record);

/// Thresholds that fail on any difference above the margin, better or worse, and on cases that only
/// one side has: expectations that are out of date would soon let anything pass.
Thresholds thresholds_of(const Expectations& expectations);

/// One count that `accept` changed. A count that was added has no `before`, a removed one no `now`.
struct Accepted {
  std::string subject, name;
  std::optional<double> before, now;
};

/// Replaces the expected counts of the record's build; other builds are unchanged. Throws Invalid
/// if the record holds no counts or unreliable ones.
std::vector<Accepted> accept(Expectations& expectations, const report::BenchRecord& record);

}  // namespace assay::compare
