// Pairing by names, never by position.
#include "harness/compare/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/compare/compare.hpp"
#include "harness/suite/selection.hpp"

namespace assay::compare {
namespace {

/// Axes are names: their order in a file says nothing.
report::BenchAxes by_name(report::BenchAxes axes) {
  std::ranges::stable_sort(axes, {}, [](const auto& axis) { return axis.first; });
  return axes;
}

bool is_selected(const std::string& name, const std::vector<std::string>& filters) {
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& filter) {
           return glob_matches(filter, name);
         });
}

class Table {
 public:
  explicit Table(std::size_t columns) : columns_(columns) {}

  void add(std::size_t column, const Column& side, const report::BenchMeasurement& measurement) {
    const std::string subject = side.subject.empty() ? measurement.subject : "";
    const std::string name = report::full_name(measurement.case_name, by_name(measurement.axes));
    Pairing& row = row_of(subject, measurement.quantity, name);
    row.case_name = measurement.case_name;
    if (row.found[column] != nullptr) {
      throw Invalid(fmt::format("{} has two measurements of {} ({}{}{})", side.label, name,
                                measurement.quantity, subject.empty() ? "" : " of ", subject));
    }
    row.found[column] = &measurement;
  }

  /// Sections stand in the order of their first row.
  std::vector<Pairing> take() {
    std::ranges::stable_sort(rows_, {}, [&](const Pairing& row) {
      return sections_.at({row.subject, row.quantity});
    });
    return std::move(rows_);
  }

 private:
  Pairing& row_of(const std::string& subject, const std::string& quantity,
                  const std::string& name) {
    sections_.try_emplace({subject, quantity}, sections_.size());
    const auto [place, is_new] = index_.try_emplace({subject, quantity, name}, rows_.size());
    if (is_new) rows_.push_back({subject, quantity, name, "", {}});
    Pairing& row = rows_[place->second];
    row.found.resize(columns_);
    return row;
  }

  std::size_t columns_;
  std::vector<Pairing> rows_;
  std::map<std::pair<std::string, std::string>, std::size_t> sections_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

}  // namespace

std::vector<Pairing> paired_rows(const std::vector<Column>& columns,
                                 const std::vector<std::string>& filters) {
  Table table(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const report::BenchMeasurement& measurement : columns[i].record->measurements) {
      const bool is_mine = columns[i].subject.empty() || measurement.subject == columns[i].subject;
      const std::string name = report::full_name(measurement.case_name, by_name(measurement.axes));
      if (is_mine && is_selected(name, filters)) table.add(i, columns[i], measurement);
    }
  }
  return table.take();
}

}  // namespace assay::compare
