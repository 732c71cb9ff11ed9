// Computes findings and the exit code, and rejects records that a gate cannot use.
#include "harness/compare/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/compare/validity.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/runner/verdict.hpp"

namespace assay::compare {
namespace {

void refuse_weak_run(const Column& column) {
  const report::BenchMeta& meta = column.record->meta;
  const auto refuse = [&](const std::string& what) { throw Invalid(column.label + " " + what); };
  // The only count of a quick run is as exact as each count of a longer one.
  if (meta.quick && !report::has_counts_only(*column.record)) {
    refuse("is a quick run: a gate needs a full one");
  }
  if (meta.interrupted || !meta.complete) refuse("was interrupted: a gate needs a complete run");
}

void refuse_few(const Comparison& comparison, const Row& row, const Number& number,
                std::size_t column) {
  if (row.exact || !number.center || number.processes >= kFewestProcesses) return;
  throw Invalid(fmt::format("{} has {} processes of {}: a gate needs at least {}",
                            comparison.columns[column].label, number.processes, row.name,
                            kFewestProcesses));
}

void refuse_weak_row(const Comparison& comparison, const Row& row) {
  refuse_few(comparison, row, row.baseline, 0);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Cell& cell = row.cells[i];
    refuse_few(comparison, row, cell.number, i + 1);
    if (cell.verdict == Verdict::kRefused) {
      throw Invalid(
          fmt::format("{} ({}) cannot be compared: {}", row.name, row.quantity, cell.reason));
    }
    if (cell.is_blind) {
      throw Invalid(fmt::format(
          "{} ({}): {} and {} processes could confirm no regression, however large, "
          "among {} tests; run with more --processes",
          row.name, row.quantity, row.baseline.processes, cell.number.processes, comparison.tests));
    }
  }
  const double floor = comparison.noise_floor.value_or(0);
  if (row.exact || row.margin >= floor) return;
  throw Invalid(
      fmt::format("the margin of {} for {} lies below the noise floor of {}: identical programs "
                  "differ by that much on this machine",
                  percent(row.margin), row.name, percent(floor)));
}

void refuse_one_run(const std::vector<Column>& columns) {
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (!have_same_samples(columns.front(), columns[i])) continue;
    throw Invalid(columns.front().label + " and " + columns[i].label +
                  " are the same run: nothing is compared");
  }
}

void refuse_unused(const Comparison& comparison, const Thresholds& thresholds) {
  for (std::size_t i = 0; i < thresholds.rules.size(); ++i) {
    const MarginRule& rule = thresholds.rules[i];
    const auto is_meant = [&](const Row& row) {
      return glob_matches(rule.cases, row.name) &&
             (rule.quantity.empty() || glob_matches(rule.quantity, row.quantity));
    };
    if (std::ranges::any_of(comparison.rows, is_meant)) continue;
    throw Invalid(fmt::format("{}: no measurement is called '{}'{}", thresholds.places[i],
                              rule.cases, rule.quantity.empty() ? "" : " with that quantity"));
  }
  for (const std::string& pattern : thresholds.allow_missing) {
    if (std::ranges::any_of(comparison.rows,
                            [&](const Row& row) { return glob_matches(pattern, row.name); })) {
      continue;
    }
    throw Invalid(fmt::format("'allow_missing': no measurement is called '{}'", pattern));
  }
}

/// The kind of finding for a verdict; nothing for verdicts that thresholds do not cover.
std::optional<FailOn> kind_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSlower:
    case Verdict::kMore:
      return FailOn::kRegression;
    case Verdict::kFaster:
    case Verdict::kFewer:
      return FailOn::kWin;
    case Verdict::kChanged:
      return FailOn::kChanged;
    case Verdict::kUndecided:
      return FailOn::kUndecided;
    case Verdict::kNew:
      return FailOn::kNew;
    case Verdict::kMissing:
    case Verdict::kSame:
    case Verdict::kNoNumber:
    case Verdict::kRefused:
      break;
  }
  return std::nullopt;
}

std::string sentence_of(const Row& row, const Cell& cell) {
  std::string text = fmt::format("{}{}{} ({}): {}", row.subject, row.subject.empty() ? "" : " ",
                                 row.name, row.quantity, name_of(cell.verdict));
  if (cell.ratio) text += fmt::format(", ratio {:.4f}", *cell.ratio);
  if (cell.low && cell.high) text += fmt::format(" [{:.4f}, {:.4f}]", *cell.low, *cell.high);
  if (!cell.number.center) text += ", " + cell.number.reason;
  return text;
}

bool may_be_missing(const Row& row, const Thresholds& thresholds) {
  return std::ranges::any_of(thresholds.allow_missing, [&](const std::string& pattern) {
    return glob_matches(pattern, row.name);
  });
}

/// Failed loops of either side are always findings; missing cases are unless `allow_missing`
/// matches them.
std::optional<Outcome::Finding> finding_of(const Row& row, const Cell& cell,
                                           const Thresholds& thresholds) {
  if (cell.number.failed) {
    return Outcome::Finding{
        "failed",
        fmt::format("{}{}{} ({}) failed: {}", row.subject, row.subject.empty() ? "" : " ", row.name,
                    row.quantity, cell.number.reason),
        true};
  }
  if (row.baseline.failed) {
    return Outcome::Finding{
        "failed",
        fmt::format("{}{}{} ({}) failed in the baseline, so nothing is compared: {}", row.subject,
                    row.subject.empty() ? "" : " ", row.name, row.quantity, row.baseline.reason),
        true};
  }
  if (cell.verdict == Verdict::kMissing) {
    return Outcome::Finding{"missing", sentence_of(row, cell), !may_be_missing(row, thresholds)};
  }
  const auto kind = kind_of(cell.verdict);
  if (!kind) return std::nullopt;
  return Outcome::Finding{std::string(name_of(*kind)), sentence_of(row, cell),
                          thresholds.fail_on.contains(*kind)};
}

std::string_view word_for(int exit_code, bool is_gate) {
  if (exit_code == kExitNothingRan) return "NOTHING COMPARED";
  if (!is_gate) return "COMPARED";
  if (exit_code == kExitFailure) return "FAIL";
  return exit_code == kExitUndecided ? "UNDECIDED" : "PASS";
}

template <typename Count>
std::string in_words(const Count& count) {
  std::string words;
  for (std::size_t i = 0; i < kVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (const std::size_t found = count(verdict); found > 0)
      words += fmt::format("{}{} {}", words.empty() ? ": " : ", ", found, name_of(verdict));
  }
  return words;
}

}  // namespace

Options options_of(const Thresholds& thresholds) {
  Options options;
  options.alpha = thresholds.alpha;
  options.margin = thresholds.margin;
  options.exact_margin = thresholds.exact_margin;
  options.rules = thresholds.rules;
  return options;
}

void refuse_weak(const Comparison& comparison, const Thresholds& thresholds) {
  std::ranges::for_each(comparison.columns, refuse_weak_run);
  const auto has_number = [](const Row& row) { return row.baseline.center.has_value(); };
  if (std::ranges::none_of(comparison.rows, has_number)) {
    throw Invalid("the baseline " + comparison.columns.front().label + " has no numbers");
  }
  refuse_unused(comparison, thresholds);
  for (const Row& row : comparison.rows) refuse_weak_row(comparison, row);
  refuse_one_run(comparison.columns);
}

std::vector<Outcome::Finding> findings_of(const Comparison& comparison,
                                          const Thresholds& thresholds) {
  std::vector<Outcome::Finding> findings;
  for (const Row& row : comparison.rows) {
    for (const Cell& cell : row.cells) {
      if (auto finding = finding_of(row, cell, thresholds)) findings.push_back(std::move(*finding));
    }
  }
  std::ranges::stable_partition(findings, [](const auto& finding) { return finding.fails; });
  return findings;
}

int exit_code_of(const Comparison& comparison, const std::vector<Outcome::Finding>& findings) {
  bool is_undecided = false;
  for (const Outcome::Finding& finding : findings) {
    if (!finding.fails) continue;
    if (finding.kind != name_of(FailOn::kUndecided)) return kExitFailure;
    is_undecided = true;
  }
  if (comparison.compared() == 0) return kExitNothingRan;
  return is_undecided ? kExitUndecided : kExitOk;
}

std::string line_of(const Comparison& comparison, int exit_code, bool is_gate) {
  std::size_t pairs = 0;
  for (const Row& row : comparison.rows) pairs += row.cells.size();
  std::string line = fmt::format("{} {} of {} pairs compared", word_for(exit_code, is_gate),
                                 comparison.compared(), pairs);
  const std::vector<Scope> scopes = scopes_apart(comparison);
  if (scopes.empty()) line += in_words([&](Verdict verdict) { return comparison.count(verdict); });
  for (const Scope scope : scopes) {
    line += fmt::format("{}{}", scope == scopes.front() ? ": " : "; ", name_of(scope));
    line += in_words([&](Verdict verdict) { return comparison.count(verdict, scope); });
  }
  return line + "; " + rules_of(comparison) + (comparison.synthetic ? "; SYNTHETIC" : "");
}

}  // namespace assay::compare
