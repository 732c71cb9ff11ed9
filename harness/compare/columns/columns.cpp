// Splits a record into columns by subject, by a property of subjects, or by axis.
#include "harness/compare/columns/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchSubject;

constexpr std::array<std::string_view, 4> kOfSubjects{"subject", "build", "via", "contract"};

bool is_of_subjects(const std::string& key) {
  return std::ranges::find(kOfSubjects, key) != kOfSubjects.end();
}

/// Nothing for copies of subjects, which measure the noise of the machine, unless they are selected
/// by name.
std::optional<std::string> value_of(const BenchSubject& subject, const std::string& key) {
  if (key == "subject") return subject.id;
  if (subject.copy_of) return std::nullopt;
  if (key == "build") return subject.build ? "other" : "this";
  return key == "via" ? subject.via : subject.contract;
}

std::optional<std::string> value_of(const BenchMeasurement& measurement, const std::string& axis) {
  const auto found =
      std::ranges::find(measurement.axes, axis, [](const auto& each) { return each.first; });
  if (found == measurement.axes.end()) return std::nullopt;
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, found->second);
}

/// Distinct texts in the order in which they came.
class Distinct {
 public:
  void add(const std::optional<std::string>& value) {
    if (value && seen_.insert(*value).second) values_.push_back(*value);
  }
  std::vector<std::string> take() { return std::move(values_); }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> values_;
};

std::vector<std::string> values_of(const BenchRecord& record, const std::string& key) {
  Distinct found;
  if (is_of_subjects(key)) {
    for (const BenchSubject& subject : record.subjects) found.add(value_of(subject, key));
  } else {
    for (const auto& each : record.measurements) found.add(value_of(each, key));
  }
  std::vector<std::string> values = found.take();
  if (key == "build") std::ranges::sort(values);  // `other`, `this`
  return values;
}

}  // namespace

std::string name_without(const BenchMeasurement& measurement, const std::string& axis) {
  report::BenchAxes axes = measurement.axes;
  std::erase_if(axes, [&](const auto& each) { return each.first == axis; });
  std::ranges::stable_sort(axes, {}, [](const auto& each) { return each.first; });
  return report::full_name(measurement.case_name, axes);
}

std::optional<Place> place_of(const Column& column, const BenchMeasurement& measurement) {
  const auto subject = subject_in(column, measurement.subject);
  if (!subject) return std::nullopt;
  if (column.key.empty() || is_of_subjects(column.key)) {
    return Place{*subject, name_without(measurement, "")};
  }
  if (value_of(measurement, column.key) != column.value) return std::nullopt;
  return Place{*subject, name_without(measurement, column.key)};
}

std::optional<std::string> subject_in(const Column& column, const std::string& id) {
  const BenchSubject* subject = find_subject(*column.record, id);
  if (column.key.empty() && subject != nullptr && subject->copy_of) return std::nullopt;
  if (column.key.empty()) {
    const auto name = column.names.find(id);
    return name == column.names.end() ? id : name->second;
  }
  if (!is_of_subjects(column.key)) return id;
  if (subject == nullptr || value_of(*subject, column.key) != column.value) return std::nullopt;
  return column.key == "build" ? subject->subject : "";
}

std::vector<std::string> keys_of(const BenchRecord& record) {
  Distinct keys;
  for (const std::string_view key : kOfSubjects) keys.add(std::string(key));
  for (const BenchMeasurement& measurement : record.measurements) {
    for (const auto& [axis, value] : measurement.axes) keys.add(axis);
  }
  return keys.take();
}

std::vector<Column> columns_by(const std::string& key, const BenchRecord& record,
                               const std::string& file) {
  std::vector<Column> columns;
  for (const std::string& value : values_of(record, key)) {
    const std::string label =
        key == "build" ? value + " build" : (is_of_subjects(key) ? value : key + "=" + value);
    columns.push_back({label, file, &record, key, value});
  }
  return columns;
}

const BenchSubject* find_subject(const BenchRecord& record, const std::string& id) {
  const auto found = std::ranges::find(record.subjects, id, &BenchSubject::id);
  return found == record.subjects.end() ? nullptr : &*found;
}

}  // namespace assay::compare
