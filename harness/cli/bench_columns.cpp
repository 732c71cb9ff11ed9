// Reading bench records for a comparison.
#include "harness/cli/bench_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/cli/errors.hpp"
#include "harness/cli/nearest.hpp"
#include "harness/cli/read_file.hpp"

namespace assay::cli {
namespace {

std::unique_ptr<report::BenchRecord> read_bench(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return std::make_unique<report::BenchRecord>(report::bench_from_json(text));
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{} is not a record of `assay bench`:\n  {}", path, error.what()));
  }
}

/// The names without folders and endings; where two are the same, what the user wrote.
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

std::vector<std::string> ids_of(const report::BenchRecord& record) {
  std::vector<std::string> ids;
  for (const report::BenchSubject& subject : record.subjects) ids.push_back(subject.id);
  return ids;
}

}  // namespace

BenchColumns columns_by_file(const std::vector<std::string>& files) {
  if (files.size() < 2) throw UsageError("a comparison needs at least two records");
  BenchColumns read;
  const std::vector<std::string> labels = labels_of(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    read.records.push_back(read_bench(files[i]));
    read.columns.push_back({labels[i], files[i], read.records.back().get(), ""});
  }
  return read;
}

BenchColumns columns_by_subject(const std::string& file, const std::vector<std::string>& chosen) {
  BenchColumns read;
  read.records.push_back(read_bench(file));
  const report::BenchRecord& record = *read.records.back();
  const std::vector<std::string> ids = ids_of(record);
  for (const std::string& id : chosen.empty() ? ids : chosen) {
    if (std::ranges::find(ids, id) == ids.end()) {
      throw UsageError(fmt::format("{} has no subject '{}'{}; it has {}", file, id,
                                   suggestion(id, ids), fmt::join(ids, ", ")));
    }
    read.columns.push_back({id, file, &record, id});
  }
  if (read.columns.size() < 2) {
    throw UsageError(fmt::format("{} has one subject only: nothing to compare it with", file));
  }
  return read;
}

}  // namespace assay::cli
