// Selects what is compared.
#include "harness/page/data/comparison.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/columns/rows.hpp"
#include "harness/compare/compare.hpp"

namespace assay::page {
namespace {

/// libtorch is the baseline if it was measured, else the first subject. Copies are left out,
/// because they serve only the noise floor.
std::vector<compare::Column> subjects_of(const Bench& bench) {
  auto columns = compare::columns_by("subject", *bench.record, bench.source->name);
  std::erase_if(columns, [&](const compare::Column& column) {
    return std::ranges::any_of(bench.record->subjects, [&](const report::BenchSubject& subject) {
      return subject.id == column.value && subject.copy_of;
    });
  });
  std::ranges::stable_partition(columns,
                                [](const auto& column) { return column.value == "libtorch"; });
  return columns;
}

/// The devices, if every record has one and all differ; else the files.
std::vector<std::string> labels_of(const std::vector<const Bench*>& benches) {
  std::vector<std::string> devices, files;
  std::set<std::string> different;
  for (const Bench* bench : benches) {
    files.push_back(bench->source->name);
    const auto& all = bench->record->environment.devices;
    if (all.size() == 1 && different.insert(all.front().name).second)
      devices.push_back(all.front().name);
  }
  return devices.size() == benches.size() ? devices : files;
}

std::vector<compare::Column> columns_of(const std::vector<const Bench*>& benches) {
  if (benches.size() == 1) return subjects_of(*benches.front());
  const std::vector<std::string> labels = labels_of(benches);
  std::vector<compare::Column> columns;
  for (std::size_t i = 0; i < benches.size(); ++i)
    columns.push_back({labels[i], benches[i]->source->name, benches[i]->record, "", ""});
  return columns;
}

using Measured = std::set<std::pair<std::string, std::string>>;  // subject and quantity

Measured measured_in(const compare::Column& column) {
  Measured all;
  for (const report::BenchMeasurement& measured : column.record->measurements) {
    if (const auto subject = compare::subject_in(column, measured.subject))
      all.emplace(*subject, measured.quantity);
  }
  return all;
}

/// Both must measure the quantity for the same subject, else there is nothing to compare.
bool share_a_quantity(const Bench& left, const Bench& right) {
  std::vector<compare::Column> columns = columns_of({&left, &right});
  compare::name_subjects(columns);
  const Measured known = measured_in(columns.front());
  return std::ranges::any_of(measured_in(columns.back()),
                             [&](const auto& measured) { return known.contains(measured); });
}

std::vector<std::vector<const Bench*>> groups_of(const std::vector<Bench>& benches) {
  std::vector<std::vector<const Bench*>> groups;
  for (const Bench& bench : benches) {
    // The calls of a step are compared in their own section.
    if (std::ranges::all_of(bench.record->measurements, is_of_steps) &&
        !bench.record->measurements.empty() && benches.size() > 1)
      continue;
    const auto group = std::ranges::find_if(
        groups, [&](const auto& members) { return share_a_quantity(*members.front(), bench); });
    if (group == groups.end()) {
      groups.push_back({&bench});
    } else {
      group->push_back(&bench);
    }
  }
  return groups;
}

}  // namespace

std::vector<Compared> comparisons_of(const std::vector<Bench>& benches) {
  std::vector<Compared> all;
  for (const auto& group : groups_of(benches)) {
    const std::vector<compare::Column> columns = columns_of(group);
    if (columns.size() < 2) continue;
    Compared compared{group.front()->source->name, {}, ""};
    try {
      // The notes state that machines differ.
      compare::Options options;
      options.across_machines = true;
      compared.found = compare::compare(columns, options);
    } catch (const compare::Invalid& refused) {
      compared.refusal = refused.what();
    }
    all.push_back(std::move(compared));
  }
  return all;
}

}  // namespace assay::page
