// Reads bench records and makes the columns of a comparison.
#include "harness/compare/columns/named_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/compare/columns/columns.hpp"
#include "harness/console/nearest.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::compare {
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
