// Splits a record into columns, and reads bench records that become columns.
#include "harness/compare/columns/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/console/nearest.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"

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

namespace {

/// File names without folder and extension; the paths as given where two of these are equal.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    labels.push_back(std::filesystem::path(file).stem().string());
  }
  if (std::set(labels.begin(), labels.end()).size() == files.size()) return labels;
  labels = files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto before =
        std::ranges::count(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i), files[i]);
    if (before > 0) labels[i] += fmt::format(" ({})", before + 1);
  }
  return labels;
}

std::string place_of(const report::BenchRecord& record, const std::string& key) {
  if (key == "machine") return record.environment.machine;
  std::vector<std::string> names;
  for (const report::BenchDevice& device : record.environment.devices) names.push_back(device.name);
  return names.empty() ? "no device" : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string> values_of(const std::vector<Column>& columns) {
  std::vector<std::string> values;
  for (const Column& column : columns) values.push_back(column.value);
  return values;
}

}  // namespace

void refuse_unknown_key(const std::string& key, const report::BenchRecord& record,
                        const std::string& file) {
  std::vector<std::string> keys = keys_of(record);
  if (std::ranges::find(keys, key) != keys.end()) return;
  keys.insert(keys.begin(), {"file", "machine", "device"});
  throw UsageError(fmt::format("--col: {} has no key '{}'{}; its keys are {}", file, key,
                               suggestion(key, keys), fmt::join(keys, ", ")));
}

std::unique_ptr<report::BenchRecord> read_bench(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return std::make_unique<report::BenchRecord>(report::bench_from_json(text));
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{} is not a record of `assay bench`:\n  {}", path, error.what()));
  }
}

BenchColumns columns_by_file(const std::vector<std::string>& files) {
  if (files.size() < 2) throw UsageError("a comparison needs at least two records");
  BenchColumns read;
  const std::vector<std::string> labels = labels_of(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    read.records.push_back(read_bench(files[i]));
    read.columns.push_back({labels[i], files[i], read.records.back().get(), "", ""});
  }
  return read;
}

BenchColumns columns_by_place(const std::vector<std::string>& files, const std::string& key) {
  BenchColumns read = columns_by_file(files);
  std::set<std::string> seen;
  for (Column& column : read.columns) {
    column.label = place_of(*column.record, key);
    if (seen.insert(column.label).second) continue;
    throw UsageError(
        fmt::format("--col {}: two records are of '{}'; compare them by file", key, column.label));
  }
  return read;
}

BenchColumns columns_by_key(const std::string& file, const std::string& key,
                            const std::vector<std::string>& chosen) {
  BenchColumns read;
  read.records.push_back(read_bench(file));
  const report::BenchRecord& record = *read.records.back();
  refuse_unknown_key(key, record, file);
  const std::vector<Column> columns = columns_by(key, record, file);
  for (const std::string& value : chosen) {
    const auto found = std::ranges::find(columns, value, &Column::value);
    if (found == columns.end()) {
      const std::vector<std::string> values = values_of(columns);
      throw UsageError(fmt::format("{} has no {} '{}'{}; it has {}", file, key, value,
                                   suggestion(value, values), fmt::join(values, ", ")));
    }
    read.columns.push_back(*found);
  }
  if (chosen.empty()) read.columns = columns;
  if (read.columns.size() < 2) {
    throw UsageError(fmt::format("{} has one {} only: nothing to compare it with", file, key));
  }
  return read;
}

}  // namespace assay::compare
