// Pairs measurements by name, never by position, and their processes by round, if both sides ran in
// the same rounds; matches subjects by adding the records one after the other.
#include "harness/compare/columns/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"
#include "harness/report/pairs.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchStatus;

/// Unknown for imported records, which count as passed; a note beside the numbers says so.
bool passed_its_check(const BenchMeasurement& measurement, const report::BenchRecord& record) {
  const auto is_wrong = [](const report::BenchProcess& process) { return !process.checksum_ok; };
  if (std::ranges::any_of(measurement.processes, is_wrong)) return false;
  return measurement.checked || report::is_imported(record);
}

/// True for a number outside the range of any clock or counter. Within it, ratios are finite.
bool is_out_of_range(const report::BenchProcess& process) {
  constexpr double kLeast = 1e-150, kMost = 1e150;
  return process.median != 0 && !(process.median >= kLeast && process.median <= kMost);
}

}  // namespace

Number number_of(const BenchMeasurement* measurement, const report::BenchRecord& record) {
  Number number;
  if (measurement == nullptr) {
    number.reason = "no such row";
    return number;
  }
  number.source = measurement;
  number.processes = measurement->processes.size();
  number.failed = measurement->status == BenchStatus::kFailed;
  const auto is_zero = [](const report::BenchProcess& process) { return !(process.median > 0); };
  if (measurement->status != BenchStatus::kMeasured) {
    number.reason = measurement->reason.value_or(std::string(name_of(measurement->status)));
  } else if (!passed_its_check(*measurement, record)) {
    number.failed = true;
    number.reason = "its check did not pass";
  } else if (!measurement->exact && std::ranges::any_of(measurement->processes, is_zero)) {
    number.reason = "a process measured zero";
  } else if (std::ranges::any_of(measurement->processes, is_out_of_range)) {
    number.reason = "a process measured an impossible value";
  } else {
    number.center = measurement->center;
  }
  return number;
}

namespace {

bool is_selected(const std::string& name, const std::vector<std::string>& filters) {
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& filter) {
           return glob_matches(filter, name);
         });
}

class Table {
 public:
  explicit Table(std::size_t columns) : columns_(columns) {}

  void add(std::size_t column, const Column& side, const Place& place,
           const report::BenchMeasurement& measurement) {
    Pairing& row = row_of(place.subject, measurement, place.name);
    row.case_name = measurement.case_name;
    if (row.found[column] != nullptr) {
      throw Invalid(fmt::format("{} has two measurements of {} ({}{}{})", side.label, place.name,
                                measurement.quantity, place.subject.empty() ? "" : " of ",
                                place.subject));
    }
    row.found[column] = &measurement;
  }

  /// Orders sections by their first row.
  std::vector<Pairing> take() {
    std::ranges::stable_sort(rows_, {}, [&](const Pairing& row) {
      return sections_.at({row.subject, row.quantity, row.scope});
    });
    return std::move(rows_);
  }

 private:
  Pairing& row_of(const std::string& subject, const report::BenchMeasurement& measurement,
                  const std::string& name) {
    const std::string& quantity = measurement.quantity;
    const Scope scope = scope_of(measurement);
    sections_.try_emplace({subject, quantity, scope}, sections_.size());
    const auto [place, is_new] = index_.try_emplace({subject, quantity, name}, rows_.size());
    if (is_new) rows_.push_back({subject, quantity, name, "", scope, {}});
    Pairing& row = rows_[place->second];
    row.found.resize(columns_);
    return row;
  }

  std::size_t columns_;
  std::vector<Pairing> rows_;
  std::map<std::tuple<std::string, std::string, Scope>, std::size_t> sections_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

}  // namespace

std::vector<Pairing> paired_rows(const std::vector<Column>& columns,
                                 const std::vector<std::string>& filters) {
  Table table(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const report::BenchMeasurement& measurement : columns[i].record->measurements) {
      if (!is_selected(name_without(measurement, ""), filters)) continue;
      const auto place = place_of(columns[i], measurement);
      if (place) table.add(i, columns[i], *place, measurement);
    }
  }
  return table.take();
}

namespace {

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

// The subjects that are the same.

namespace {

using report::BenchSubject;
using report::SubjectName;

/// The name that the subject reports; a subject of another build is `name@other`, like its id.
std::string own_name(const BenchSubject& subject) {
  if (subject.name.empty() || !subject.id.starts_with(subject.subject)) return subject.name;
  return subject.name + subject.id.substr(subject.subject.size());
}

/// Copies are left out, because they have no rows.
std::vector<SubjectName> subjects_of(const Column& column) {
  std::vector<SubjectName> names;
  for (const BenchSubject& subject : column.record->subjects) {
    if (!subject.copy_of) names.push_back({subject.id, own_name(subject)});
  }
  return names;
}

/// One subject, with its id in each column that contains it.
struct SharedSubject {
  SubjectName name;  ///< from the first column that has it
  std::vector<std::string> ids;

  bool has_one_id() const {
    return std::ranges::all_of(
        ids, [&](const std::string& id) { return id.empty() || id == name.typed; });
  }
};

class Joining {
 public:
  explicit Joining(std::vector<Column>& columns) : columns_(columns) {}

  std::vector<std::string> run() {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].key.empty()) join(column);
    }
    for (const SharedSubject& same : all_) {
      for (std::size_t column = 0; column < same.ids.size(); ++column)
        columns_[column].names[same.ids[column]] = label_of(same);
    }
    return std::move(notes_);
  }

 private:
  void join(std::size_t column) {
    std::vector<SubjectName> known;
    for (const SharedSubject& same : all_) known.push_back(same.name);
    const std::vector<SubjectName> here = subjects_of(columns_[column]);
    const report::NamePairs found = report::pair_names(known, here);
    std::vector<SharedSubject*> of(here.size());
    for (const auto& [mine, theirs] : found.pairs) of[theirs] = &all_[mine];
    std::vector<SharedSubject> added;
    for (std::size_t i = 0; i < here.size(); ++i) {
      SharedSubject& same =
          of[i] != nullptr ? *of[i] : added.emplace_back(SharedSubject{here[i], {}});
      same.ids.resize(columns_.size());
      same.ids[column] = here[i].typed;
    }
    all_.insert(all_.end(), added.begin(), added.end());
    for (const auto& unclear : found.unclear) note(column, unclear.own);
  }

  void note(std::size_t column, const std::string& own) {
    notes_.push_back(fmt::format(
        "several subjects call themselves '{}' in {}, and cannot be told apart: they are not "
        "compared",
        own, columns_[column].label));
  }

  /// The name that the subject reports, unless another subject could have it too.
  std::string label_of(const SharedSubject& same) const {
    if (same.has_one_id()) return same.name.typed;
    const auto could_be = [&](const SharedSubject& other) {
      return &other != &same &&
             (other.name.typed == same.name.own || other.name.own == same.name.own);
    };
    return std::ranges::any_of(all_, could_be) ? same.name.typed : same.name.own;
  }

  std::vector<Column>& columns_;
  std::vector<SharedSubject> all_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> name_subjects(std::vector<Column>& columns) {
  return Joining(columns).run();
}

}  // namespace assay::compare
