// Computes verdicts from paired measurements.
#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/compare/columns/rows.hpp"
#include "harness/compare/validity.hpp"
#include "harness/stats/contrast.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::compare {
namespace {

using report::BenchMeasurement;

void check(const std::vector<Column>& columns, const Options& options) {
  const auto is_margin = [](double margin) { return margin >= 0 && std::isfinite(margin); };
  if (columns.size() < 2) throw std::invalid_argument("a comparison needs at least two sides");
  if (!is_margin(options.margin) || !is_margin(options.exact_margin)) {
    throw std::invalid_argument("a margin must not be negative");
  }
}

double margin_of(const Pairing& row, bool exact, const Options& options) {
  double margin = exact ? options.exact_margin : options.margin;
  for (const MarginRule& rule : options.rules) {
    const bool is_meant = rule.quantity.empty() || glob_matches(rule.quantity, row.quantity);
    if (is_meant && glob_matches(rule.cases, row.name)) margin = rule.margin;
  }
  return margin;
}

/// Counts are not speeds, and no count of this project is better when larger.
Verdict verdict_of(stats::Finding finding, const Row& row) {
  using stats::Finding;
  const bool is_count = row.exact && !row.higher_is_better;
  switch (finding) {
    case Finding::kLower:
      if (is_count) return Verdict::kFewer;
      return row.higher_is_better ? Verdict::kSlower : Verdict::kFaster;
    case Finding::kHigher:
      if (is_count) return Verdict::kMore;
      return row.higher_is_better ? Verdict::kFaster : Verdict::kSlower;
    case Finding::kSame:
      return Verdict::kSame;
    case Finding::kChanged:
      return Verdict::kChanged;
    case Finding::kUndecided:
      break;
  }
  return Verdict::kUndecided;
}

/// Exact numbers need no statistics: every process of one side is compared with every process of
/// the other. Counts may be zero, so the decision divides by nothing.
stats::Finding finding_of(double a_low, double a_high, double b_low, double b_high, double most) {
  if (b_low > a_high * most) return stats::Finding::kHigher;
  if (b_high * most < a_low) return stats::Finding::kLower;
  const bool is_same = b_high <= a_low * most && b_low * most >= a_high;
  return is_same ? stats::Finding::kSame : stats::Finding::kChanged;
}

void compare_exactly(const BenchMeasurement& before, const BenchMeasurement& after, const Row& row,
                     Cell& cell) {
  const auto ends_of = [](const BenchMeasurement& of) {
    const auto [low, high] = std::ranges::minmax(of.processes, {}, &report::BenchProcess::median);
    return std::pair{low.median, high.median};
  };
  const auto [a_low, a_high] = ends_of(before);
  const auto [b_low, b_high] = ends_of(after);
  if (a_low > 0) {
    cell.ratio = *cell.number.center / *row.baseline.center;
    cell.low = b_low / a_high;
    cell.high = b_high / a_low;
  }
  cell.verdict = verdict_of(finding_of(a_low, a_high, b_low, b_high, 1 + row.margin), row);
}

/// A test whose verdict depends on the correction over its whole family.
struct Waiting {
  std::size_t row, cell;
  stats::Contrast contrast;
};

class Comparing {
 public:
  Comparing(std::vector<Column> columns, const Options& options) : options_(options) {
    comparison_.columns = std::move(columns);
    unclear_ = name_subjects(comparison_.columns);
    options_.alpha /= static_cast<double>(looks_at(comparison_.columns));
    comparison_.alpha = options_.alpha;
    comparison_.margin = options.margin;
  }

  Comparison run() {
    qualify();
    for (const Pairing& row : paired_rows(comparison_.columns, options_.filters)) add(row);
    decide();
    label_pairs();
    label_blind();
    label_scopes();
    summarize();
    return std::move(comparison_);
  }

 private:
  void qualify() {
    const std::vector<Column>& columns = comparison_.columns;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      refuse_invalid(columns.front(), columns[i], options_.across_machines);
    }
    comparison_.labels = labels_for(columns);
    comparison_.labels.insert(comparison_.labels.end(), unclear_.begin(), unclear_.end());
    comparison_.synthetic = columns.front().record->synthetic;
    for (const Column& column : columns) {
      const auto& floor = column.record->noise_floor;
      if (!floor) continue;
      comparison_.noise_floor = std::max(floor->relative, comparison_.noise_floor.value_or(0));
    }
    if (comparison_.noise_floor.value_or(0) > options_.margin) {
      comparison_.labels.push_back(
          "the margin lies below the noise floor: a difference may come "
          "from the machine");
    }
  }

  void add(const Pairing& pairing) {
    const auto any =
        std::ranges::find_if(pairing.found, [](const auto* it) { return it != nullptr; });
    const BenchMeasurement& model = **any;
    Row row{pairing.subject,
            pairing.quantity,
            pairing.name,
            pairing.case_name,
            model.unit,
            model.better == "higher",
            model.exact,
            pairing.scope,
            0,
            {},
            {}};
    row.margin = margin_of(pairing, row.exact, options_);
    row.baseline = number_of(pairing.found.front(), *comparison_.columns.front().record);
    for (std::size_t i = 1; i < pairing.found.size(); ++i) add_cell(pairing, i, row);
    comparison_.rows.push_back(std::move(row));
  }

  void add_cell(const Pairing& pairing, std::size_t column, Row& row) {
    Cell cell;
    cell.number = number_of(pairing.found[column], *comparison_.columns[column].record);
    const bool before = row.baseline.center.has_value();
    const bool after = cell.number.center.has_value();
    if (before && after) {
      compare_numbers(pairing, column, row, cell);
    } else if (before || after) {
      cell.verdict = before ? Verdict::kMissing : Verdict::kNew;
    }
    row.cells.push_back(std::move(cell));
  }

  void compare_numbers(const Pairing& pairing, std::size_t column, const Row& row, Cell& cell) {
    const BenchMeasurement& before = *pairing.found.front();
    const BenchMeasurement& after = *pairing.found[column];
    const std::vector<Column>& columns = comparison_.columns;
    if (const auto why = refusal_of(columns.front(), before, columns[column], after)) {
      cell.verdict = Verdict::kRefused;
      cell.reason = *why;
      return;
    }
    if (row.exact) return compare_exactly(before, after, row, cell);
    const stats::Contrast contrast =
        contrast_of(columns.front(), before, columns[column], after, options_.alpha);
    cell.by_round = contrast.paired;
    cell.ratio = std::exp(contrast.shift);
    if (std::isfinite(contrast.interval.low)) {
      cell.low = std::exp(contrast.interval.low);
      cell.high = std::exp(contrast.interval.high);
    }
    cell.p = contrast.p;
    waiting_.push_back({comparison_.rows.size(), row.cells.size(), contrast});
  }

  /// All tests of a comparison form one family.
  void decide() {
    std::vector<double> p;
    for (const Waiting& test : waiting_) p.push_back(test.contrast.p);
    const std::vector<double> adjusted = stats::holm(p);
    comparison_.tests = waiting_.size();
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const Row& row = comparison_.rows[waiting_[i].row];
      Cell& cell = comparison_.rows[waiting_[i].row].cells[waiting_[i].cell];
      const double margin = std::log1p(row.margin);
      cell.adjusted_p = adjusted[i];
      cell.is_blind = !can_be_confirmed(waiting_[i].contrast, waiting_.size());
      cell.verdict = verdict_of(judge(waiting_[i].contrast, adjusted[i], margin), row);
      if (cell.verdict == Verdict::kUndecided) {
        cell.reason = why_undecided(cell, row.margin);
        cell.more = more_to_decide(waiting_[i].contrast, margin, waiting_.size());
      }
    }
  }

  /// An interval beyond the margin looks like a verdict.
  std::string why_undecided(const Cell& cell, double margin) const {
    if (!cell.low || !cell.high) return "";
    if (*cell.high >= 1 / (1 + margin) && *cell.low <= 1 + margin) return "";
    return fmt::format("beyond the margin, but not confirmed among {} tests", comparison_.tests);
  }

  bool any_cell(bool Cell::*property) const {
    return std::ranges::any_of(
        comparison_.rows, [&](const Row& row) { return std::ranges::any_of(row.cells, property); });
  }

  void label_pairs() {
    if (!any_cell(&Cell::by_round)) return;
    comparison_.labels.push_back(
        "sides of one record ran in the same rounds and are compared as pairs, round by round");
  }

  void label_blind() {
    if (!any_cell(&Cell::is_blind)) return;
    comparison_.labels.push_back(
        fmt::format("too few processes to confirm any difference among {} tests, however large: "
                    "run with more --processes, or compare fewer cases",
                    comparison_.tests));
  }

  void label_scopes() {
    if (scopes_apart(comparison_).empty()) return;
    comparison_.labels.emplace_back(
        "the machines differ: rows of the GPU (device.*, graph.*) compare the GPUs, rows of the "
        "host (host.*) the hosts that they are in, and waits and copies between the memories both");
  }

  /// One mean for each quantity of a subject: never mixes units, directions or scopes.
  void summarize() {
    for (std::size_t column = 1; column < comparison_.columns.size(); ++column) {
      const Row* last = nullptr;
      for (const Row& row : comparison_.rows) {
        const bool begins = last == nullptr || !are_of_one_section(*last, row);
        if (begins) summarize_section(column, row);
        last = &row;
      }
    }
  }

  /// Parameters of one case are correlated, so they form a cluster.
  void summarize_section(std::size_t column, const Row& first) {
    std::map<std::string, std::vector<double>> ratios;
    for (const Row& row : comparison_.rows) {
      const bool is_mine = are_of_one_section(row, first);
      const std::optional<double> ratio = row.cells[column - 1].ratio;
      if (is_mine && ratio && *ratio > 0) ratios[row.case_name].push_back(*ratio);
    }
    std::vector<std::vector<double>> clusters;
    for (const auto& [name, values] : ratios) clusters.push_back(values);
    if (clusters.empty()) return;
    comparison_.summaries.push_back({column, first.subject, first.quantity, first.scope,
                                     stats::geomean(clusters, {.confidence = 1 - options_.alpha})});
  }

  Options options_;
  std::vector<std::string> unclear_;
  Comparison comparison_;
  std::vector<Waiting> waiting_;
};

}  // namespace

Comparison compare(std::vector<Column> columns, const Options& options) {
  check(columns, options);
  return Comparing(std::move(columns), options).run();
}

}  // namespace assay::compare
