// Bench records as JSON, and back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/protocol/json_guard.hpp"
#include "harness/report/bench/fields.hpp"
#include "harness/report/result_schema.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::ordered_json;

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
Json json_of(const T& plain);
template <HasMembers Record>
Json json_of(const Record& record);
Json json_of(const BenchAxes& axes);
Json json_of(BenchStatus status);
template <typename T>
Json json_of(const std::optional<T>& value);
template <typename T>
Json json_of(const std::vector<T>& values);

template <typename T>
Json json_of(const T& plain) {
  return plain;
}

template <HasMembers Record>
Json json_of(const Record& record) {
  Json json;
  for_each_member(record,
                  [&](const char* name, const auto& member) { json[name] = json_of(member); });
  return json;
}

Json json_of(const BenchAxes& axes) {
  Json json = Json::object();
  for (const auto& [name, value] : axes) {
    std::visit([&](const auto& plain) { json[name] = plain; }, value);
  }
  return json;
}

Json json_of(BenchStatus status) { return std::string(name_of(status)); }

template <typename T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

template <typename T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

template <typename T>
void read(const Json& json, T& plain);
template <HasMembers Record>
void read(const Json& json, Record& record);
void read(const Json& json, BenchAxes& axes);
void read(const Json& json, BenchStatus& status);
template <typename T>
void read(const Json& json, std::optional<T>& value);
template <typename T>
void read(const Json& json, std::vector<T>& values);

template <typename T>
void read(const Json& json, T& plain) {
  json.get_to(plain);
}

template <HasMembers Record>
void read(const Json& json, Record& record) {
  for_each_member(record, [&](const char* name, auto& member) {
    if (json.contains(name)) read(json[name], member);  // the schema has seen what is required
  });
}

void read(const Json& json, BenchAxes& axes) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) {
      axes.emplace_back(name, value.get<std::string>());
    } else {
      axes.emplace_back(name, value.get<std::int64_t>());
    }
  }
}

void read(const Json& json, BenchStatus& status) {
  for (const auto& [value, name] : kStatuses) {
    if (json == name) status = value;
  }
}

template <typename T>
void read(const Json& json, std::optional<T>& value) {
  if (json.is_null()) return;
  read(json, value.emplace());
}

template <typename T>
void read(const Json& json, std::vector<T>& values) {
  for (const Json& item : json) read(item, values.emplace_back());
}

/// Readers that keep numbers as doubles would change a larger one.
Json seed_of(const BenchMeta& meta) {
  return meta.seed <= kMostExact ? Json(meta.seed) : Json(std::to_string(meta.seed));
}

void read_seed(const Json& json, BenchMeta& meta) {
  meta.seed = json.is_string() ? std::stoull(json.get<std::string>()) : json.get<std::uint64_t>();
}

/// What the schema cannot say: only what another tool has measured may lack its check.
void refuse_unchecked(const BenchRecord& record) {
  if (is_imported(record)) return;
  for (std::size_t i = 0; i < record.measurements.size(); ++i) {
    const BenchMeasurement& each = record.measurements[i];
    if (each.status != BenchStatus::kMeasured || each.checked) continue;
    throw std::runtime_error(fmt::format("/measurements/{}: measured, and not checked", i));
  }
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
  Json json = {{"schema", "assay.bench/1"}};
  json.update(json_of(record));
  json["meta"]["seed"] = seed_of(record.meta);
  std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (const auto complaints = complaints_about(kSchema, text); !complaints.empty()) {
    throw std::logic_error(
        fmt::format("the bench record breaks its schema: {}", fmt::join(complaints, "; ")));
  }
  return text;
}

BenchRecord bench_from_json(std::string_view text) {
  guard_json(text);
  if (const auto complaints = complaints_about(kSchema, text); !complaints.empty()) {
    throw std::runtime_error(fmt::format("{}", fmt::join(complaints, "\n  ")));
  }
  try {
    const Json json = Json::parse(text);
    BenchRecord record;
    read(json, record);
    read_seed(json.at("meta").at("seed"), record.meta);
    refuse_unchecked(record);
    return record;
  } catch (const std::exception& error) {
    // Beyond what a schema can say: a number that no counter holds.
    throw std::runtime_error(error.what());
  }
}

}  // namespace assay::report
