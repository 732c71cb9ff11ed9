// Pairs measurements by name, never by position.
#include "harness/compare/columns/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::compare {
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

}  // namespace assay::compare
