// Pairs processes by their round, if both sides ran in the same rounds.
#include "harness/compare/columns/sides.hpp"

#include <cmath>
#include <map>

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchProcess;

std::vector<double> logs_of(const BenchMeasurement& measurement) {
  std::vector<double> logs;
  for (const auto& process : measurement.processes) logs.push_back(std::log(process.median));
  return logs;
}

struct Pairs {
  std::vector<double> before, after;
};

Pairs pairs_of(const BenchMeasurement& before, const BenchMeasurement& after) {
  std::map<std::int64_t, const BenchProcess*> rounds;
  for (const BenchProcess& process : before.processes) rounds[process.index] = &process;
  Pairs pairs;
  for (const BenchProcess& process : after.processes) {
    const auto found = rounds.find(process.index);
    if (found == rounds.end()) continue;
    pairs.before.push_back(std::log(value_beside(*found->second, process)));
    pairs.after.push_back(std::log(value_beside(process, *found->second)));
  }
  return pairs;
}

}  // namespace

stats::Contrast contrast_of(const Column& baseline, const BenchMeasurement& before,
                            const Column& candidate, const BenchMeasurement& after, double alpha) {
  if (baseline.record == candidate.record && baseline.value != candidate.value) {
    const Pairs pairs = pairs_of(before, after);
    if (!pairs.before.empty()) return stats::paired_contrast_of(pairs.before, pairs.after, alpha);
  }
  return stats::contrast_of(logs_of(before), logs_of(after), alpha);
}

}  // namespace assay::compare
