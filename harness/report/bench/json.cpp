// Writes bench records as JSON, and reads them back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "harness/protocol/tree/json_tree.hpp"
#include "harness/report/bench/fields.hpp"
#include "harness/report/bench/thin_bench.hpp"
#include "harness/report/result_schema.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {
namespace {

constexpr const char* kSchema = "bench-1.json";
constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;

constexpr std::array kStatuses{
    std::pair{BenchStatus::kMeasured, "measured"},
    std::pair{BenchStatus::kUnsupported, "unsupported"},
    std::pair{BenchStatus::kFailed, "failed"},
    std::pair{BenchStatus::kSimulated, "simulated"},
    std::pair{BenchStatus::kNotRun, "not_run"},
};

template <typename Record>
concept HasMembers = requires(const Record& record) {
  for_each_member(record, [](const char*, const auto&) {});
};

template <typename T>
JsonTree json_of(const T& plain);
template <HasMembers Record>
JsonTree json_of(const Record& record);
JsonTree json_of(const BenchAxes& axes);
JsonTree json_of(BenchStatus status);
template <typename T>
JsonTree json_of(const std::optional<T>& value);
template <typename T>
JsonTree json_of(const std::vector<T>& values);

template <typename T>
JsonTree json_of(const T& plain) {
  return plain;
}

template <HasMembers Record>
JsonTree json_of(const Record& record) {
  JsonTree json;
  for_each_member(record,
                  [&](const char* name, const auto& member) { json[name] = json_of(member); });
  return json;
}

JsonTree json_of(const BenchAxes& axes) {
  JsonTree json = JsonTree::object();
  for (const auto& [name, value] : axes) {
    std::visit([&](const auto& plain) { json[name] = plain; }, value);
  }
  return json;
}

JsonTree json_of(BenchStatus status) { return std::string(name_of(status)); }

template <typename T>
JsonTree json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : JsonTree(nullptr);
}

template <typename T>
JsonTree json_of(const std::vector<T>& values) {
  JsonTree json = JsonTree::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

template <typename T>
void read(const JsonTree& json, std::string_view name, T& plain);
template <HasMembers Record>
void read(const JsonTree& json, std::string_view name, Record& record);
void read(const JsonTree& json, std::string_view name, BenchAxes& axes);
void read(const JsonTree& json, std::string_view name, BenchStatus& status);
template <typename T>
void read(const JsonTree& json, std::string_view name, std::optional<T>& value);
template <typename T>
void read(const JsonTree& json, std::string_view name, std::vector<T>& values);

template <typename T>
void read(const JsonTree& json, std::string_view name, T& plain) {
  read_json(json, name, plain);
}

template <HasMembers Record>
void read(const JsonTree& json, std::string_view, Record& record) {
  for_each_member(record, [&](const char* name, auto& member) {
    if (json.contains(name))
      read(json[name], name, member);  // the schema has checked required members
  });
}

void read(const JsonTree& json, std::string_view, BenchAxes& axes) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) {
      axes.emplace_back(name, value.get<std::string>());
    } else {
      std::int64_t number = 0;
      read_json(value, name, number);
      axes.emplace_back(name, number);
    }
  }
}

void read(const JsonTree& json, std::string_view, BenchStatus& status) {
  for (const auto& [value, name] : kStatuses) {
    if (json == name) status = value;
  }
}

template <typename T>
void read(const JsonTree& json, std::string_view name, std::optional<T>& value) {
  if (json.is_null()) return;
  read(json, name, value.emplace());
}

template <typename T>
void read(const JsonTree& json, std::string_view name, std::vector<T>& values) {
  for (const JsonTree& item : json) read(item, name, values.emplace_back());
}

/// Readers that use doubles would change a larger number.
JsonTree seed_of(const BenchMeta& meta) {
  return meta.seed <= kMostExact ? JsonTree(meta.seed) : JsonTree(std::to_string(meta.seed));
}

/// A rule that the schema cannot express: only imported records may lack the check of their loops.
void refuse_unchecked(const BenchRecord& record) {
  if (is_imported(record)) return;
  for (std::size_t i = 0; i < record.measurements.size(); ++i) {
    const BenchMeasurement& each = record.measurements[i];
    if (each.status != BenchStatus::kMeasured || each.checked) continue;
    throw std::runtime_error(fmt::format("/measurements/{}: measured, and not checked", i));
  }
}

BenchRecord whole_bench_from(std::string_view text) {
  const JsonTree json = tree_from_json(text);
  if (const auto complaints = complaints_about(kSchema, text); !complaints.empty()) {
    throw std::runtime_error(fmt::format("{}", fmt::join(complaints, "\n  ")));
  }
  BenchRecord record;
  read(json, "record", record);
  read_large(member_of(member_of(json, "meta"), "seed"), "seed", record.meta.seed);
  refuse_unchecked(record);
  return record;
}

}  // namespace

bool is_imported(const BenchRecord& record) {
  return std::ranges::find(record.warnings, kImported, &BenchWarning::kind) !=
         record.warnings.end();
}

std::string_view name_of(BenchStatus status) {
  return kStatuses.at(static_cast<std::size_t>(status)).second;
}

bool has_counts_only(const BenchRecord& record) {
  return !record.measurements.empty() &&
         std::ranges::all_of(record.measurements, &BenchMeasurement::exact);
}

std::string full_name(std::string_view case_name, const BenchAxes& axes) {
  std::string name(case_name);
  for (const auto& [axis, value] : axes) {
    std::visit([&](const auto& plain) { name += fmt::format("/{}={}", axis, plain); }, value);
  }
  return name;
}

std::string to_json(const BenchRecord& record) {
  JsonTree json = {{"schema", "assay.bench/1"}};
  json.update(json_of(record));
  json["meta"]["seed"] = seed_of(record.meta);
  const std::string text =
      data_without_ci_commands(json.dump(1, ' ', false, JsonTree::error_handler_t::replace) + "\n");
  if (const auto complaints = complaints_about(kSchema, text); !complaints.empty()) {
    throw std::logic_error(
        fmt::format("the bench record breaks its schema: {}", fmt::join(complaints, "; ")));
  }
  return text;
}

BenchRecord bench_from_json(std::string_view text) {
  std::optional<ThinBench> thin = without_plain_processes(text);
  if (!thin) return whole_bench_from(text);
  try {
    BenchRecord record = whole_bench_from(thin->rest);
    put_back(std::move(thin->taken), record.measurements);
    return record;
  } catch (const std::runtime_error&) {
    // Reads again, for positions in the whole text.
    return whole_bench_from(text);
  }
}

}  // namespace assay::report
