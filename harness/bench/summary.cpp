// Computes figures over processes.
#include "harness/bench/summary.hpp"

#include <algorithm>
#include <cmath>

#include "harness/stats/median.hpp"
#include "harness/stats/signed_ranks.hpp"

namespace assay::bench {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

constexpr double kConfidence = 0.95;

bool is_measured(const BenchMeasurement& cell) { return cell.status == BenchStatus::kMeasured; }

bool is_same_case(const BenchMeasurement& left, const BenchMeasurement& right) {
  return left.case_name == right.case_name && left.axes == right.axes &&
         left.quantity == right.quantity;
}

/// The ratio of two measurements, from pairs of processes of the same round, which saw the machine
/// in the same state. Nothing where a clock that is too coarse for the loop measured zero.
std::optional<double> ratio_by_round(const BenchMeasurement& of, const BenchMeasurement& to) {
  std::vector<double> logs;
  for (const report::BenchProcess& mine : of.processes) {
    const auto other = std::ranges::find(to.processes, mine.index, &report::BenchProcess::index);
    if (other == to.processes.end()) continue;
    if (!(mine.median > 0) || !(other->median > 0)) return std::nullopt;
    logs.push_back(std::log(value_beside(mine, *other) / value_beside(*other, mine)));
  }
  if (logs.empty()) return std::nullopt;
  return std::exp(stats::WalshAverages(logs).middle());
}

void add_pairs(const report::BenchSubject& copy, const std::vector<BenchMeasurement>& measurements,
               std::vector<report::BenchPair>& pairs) {
  for (const BenchMeasurement& mine : measurements) {
    if (mine.subject != copy.copy_of || !is_measured(mine)) continue;
    const auto other = std::ranges::find_if(measurements, [&](const BenchMeasurement& cell) {
      return cell.subject == copy.id && is_same_case(mine, cell);
    });
    if (other == measurements.end() || !is_measured(*other)) continue;
    if (const std::optional<double> ratio = ratio_by_round(*other, mine)) {
      pairs.push_back({mine.case_name, mine.axes, mine.quantity, mine.subject, copy.id, *ratio});
    }
  }
}

/// Nearest-rank percentile.
double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

report::BenchFigure figure_of(std::vector<double> medians) {
  const stats::Median middle = stats::median_of(medians, kConfidence);
  report::BenchFigure figure{middle.value, std::nullopt, {}};
  if (medians.size() >= kFewestForInterval) {
    figure.interval = report::BenchInterval{middle.low, middle.high, kConfidence};
  }
  figure.medians = std::move(medians);
  return figure;
}

void summarize(BenchMeasurement& cell) {
  if (!is_measured(cell)) return;
  std::vector<double> medians;
  std::vector<double> multiples;
  for (const report::BenchProcess& process : cell.processes) {
    medians.push_back(process.median);
    const double null_call = process.null_call_ns.value_or(0);
    if (null_call > 0) multiples.push_back(process.median / null_call);
  }
  const report::BenchFigure figure = figure_of(std::move(medians));
  cell.center = figure.center;
  cell.interval = figure.interval;
  if (multiples.empty()) return;
  const report::BenchFigure calls = figure_of(std::move(multiples));
  cell.null_calls = report::BenchMultiple{calls.center, calls.interval};
}

report::BenchCalibration calibration_of(const std::vector<Floors>& floors) {
  if (floors.empty()) return {};
  const auto figure = [&](double Floors::*member) {
    std::vector<double> medians;
    for (const Floors& process : floors) medians.push_back(process.*member);
    return figure_of(std::move(medians));
  };
  return {figure(&Floors::timer_cost_ns), figure(&Floors::timer_resolution_ns),
          figure(&Floors::empty_loop_ns), figure(&Floors::null_call_ns)};
}

std::optional<report::BenchNoiseFloor> noise_floor_of(
    const std::vector<report::BenchSubject>& subjects,
    const std::vector<BenchMeasurement>& measurements) {
  report::BenchNoiseFloor floor;
  for (const report::BenchSubject& subject : subjects) {
    if (subject.copy_of) add_pairs(subject, measurements, floor.pairs);
  }
  if (floor.pairs.empty()) return std::nullopt;
  std::vector<double> distances;
  for (const report::BenchPair& pair : floor.pairs) {
    distances.push_back(std::max(pair.ratio, 1 / pair.ratio) - 1);
  }
  floor.relative = percentile(std::move(distances), 0.95);
  return floor;
}

}  // namespace assay::bench
