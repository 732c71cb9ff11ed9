// Expected counts: compares those of a record with them, updates them, reads and writes their
// files.
#include "harness/compare/expectations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/compare/thresholds.hpp"
#include "harness/suite/toml.hpp"

namespace assay::compare {
namespace {

using report::BenchMeasurement;
using report::BenchRecord;
using report::BenchStatus;
using Counts = std::map<std::string, std::map<std::string, double>>;

bool is_for(const ExpectedBuild& build, const BenchRecord& record) {
  const report::BenchBuild& of = record.meta.build;
  return build.compiler == of.compiler && build.build_type == of.build_type &&
         build.flags == of.flags;
}

BenchMeasurement expected(const std::string& subject, const std::string& name, double count,
                          const BenchRecord& record) {
  BenchMeasurement made;
  made.case_name = name;
  for (const BenchMeasurement& row : record.measurements) {
    if (report::full_name(row.case_name, row.axes) != name) continue;
    made.case_name = row.case_name;
    made.axes = row.axes;
  }
  made.quantity = "instr.count";
  made.unit = "instructions";
  made.better = "lower";
  made.exact = made.checked = true;
  made.subject = subject;
  made.status = BenchStatus::kMeasured;
  made.center = count;
  made.processes.push_back({0, 0, count, {count}, 1, true, {}, {}});
  return made;
}

void refuse_unreliable(const BenchRecord& record) {
  const auto refuse = [](const std::string& what) {
    throw Invalid("no expectations can be made from this record: " + what);
  };
  if (record.synthetic) refuse("it is synthetic");
  if (record.meta.interrupted || !record.meta.complete) refuse("it was interrupted");
  if (record.meta.quick) refuse("it is a quick run");
  for (const report::BenchWarning& warning : record.warnings) {
    if (warning.kind == "not_repeatable") refuse(warning.text);
  }
  for (const BenchMeasurement& row : record.measurements) {
    if (row.status != BenchStatus::kFailed) continue;
    refuse(fmt::format("{} of {} failed: {}", report::full_name(row.case_name, row.axes),
                       row.subject, row.reason.value_or("")));
  }
}

bool is_copy(const BenchRecord& record, const std::string& id) {
  const auto found = std::ranges::find(record.subjects, id, &report::BenchSubject::id);
  return found != record.subjects.end() && (found->copy_of || found->build);
}

Counts counts_in(const BenchRecord& record) {
  Counts counts;
  for (const BenchMeasurement& row : record.measurements) {
    if (!row.exact || !row.center || is_copy(record, row.subject)) continue;
    counts[row.subject][report::full_name(row.case_name, row.axes)] = *row.center;
  }
  return counts;
}

std::optional<double> count_in(const Counts& counts, const std::string& subject,
                               const std::string& name) {
  const auto of = counts.find(subject);
  if (of == counts.end()) return std::nullopt;
  const auto found = of->second.find(name);
  return found == of->second.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Accepted> changes(const Counts& before, const Counts& now) {
  std::set<std::pair<std::string, std::string>> names;
  for (const Counts* counts : {&before, &now}) {
    for (const auto& [subject, of] : *counts) {
      for (const auto& [name, count] : of) names.emplace(subject, name);
    }
  }
  std::vector<Accepted> changed;
  for (const auto& [subject, name] : names) {
    const auto was = count_in(before, subject, name);
    const auto is = count_in(now, subject, name);
    if (was != is) changed.push_back({subject, name, was, is});
  }
  return changed;
}

}  // namespace

const ExpectedBuild* build_for(const Expectations& expectations, const BenchRecord& record) {
  const auto found = std::ranges::find_if(
      expectations.builds, [&](const ExpectedBuild& build) { return is_for(build, record); });
  return found == expectations.builds.end() ? nullptr : &*found;
}

BenchRecord baseline_of(const ExpectedBuild& build, const BenchRecord& record) {
  BenchRecord baseline = record;
  baseline.meta.build.dirty = baseline.meta.quick = baseline.meta.interrupted = false;
  baseline.meta.complete = true;
  baseline.meta.started.clear();  // it is no run
  baseline.warnings.clear();
  baseline.measurements.clear();
  for (const auto& [subject, counts] : build.counts) {
    for (const auto& [name, count] : counts) {
      baseline.measurements.push_back(expected(subject, name, count, record));
    }
  }
  return baseline;
}

Thresholds thresholds_of(const Expectations& expectations) {
  Thresholds thresholds;
  thresholds.margin = thresholds.exact_margin = expectations.margin;
  thresholds.fail_on = {FailOn::kRegression, FailOn::kWin, FailOn::kChanged, FailOn::kNew};
  return thresholds;
}

std::vector<Accepted> accept(Expectations& expectations, const BenchRecord& record) {
  refuse_unreliable(record);
  Counts now = counts_in(record);
  if (now.empty()) {
    throw Invalid("this record holds no counts: `assay bench --count` makes one that does");
  }
  auto build = std::ranges::find_if(expectations.builds,
                                    [&](const ExpectedBuild& one) { return is_for(one, record); });
  if (build == expectations.builds.end()) {
    const report::BenchBuild& of = record.meta.build;
    expectations.builds.push_back({of.compiler, of.build_type, of.flags, {}});
    build = std::prev(expectations.builds.end());
  }
  const Counts before = std::exchange(build->counts, std::move(now));
  return changes(before, build->counts);
}

// The files.

namespace {

constexpr std::array<std::string_view, 3> kFileKeys{"schema", "margin", "build"};
constexpr std::array<std::string_view, 4> kBuildKeys{"compiler", "build_type", "flags", "counts"};

class ExpectationsReader {
 public:
  explicit ExpectationsReader(std::string_view name) : name_(name) {}

  Expectations read(const toml::table& file) const {
    refuse_unknown(file, kFileKeys);
    if (file["schema"].value_exact<std::int64_t>() != 1) refuse({}, "'schema' must be 1");
    Expectations read;
    const auto margin = share_from_text(file["margin"].value_exact<std::string>().value_or(""));
    if (!margin) refuse({}, "'margin' must be a share such as \"1 %\"");
    read.margin = *margin;
    const toml::array* builds = file["build"].as_array();
    if (builds == nullptr || !builds->is_array_of_tables()) {
      refuse({}, "at least one [[build]] is required");
    }
    for (const toml::node& build : *builds) read.builds.push_back(read_build(*build.as_table()));
    return read;
  }

  [[noreturn]] void refuse(const toml::source_position& at, const std::string& what) const {
    const std::string place = at.line == 0 ? "" : fmt::format(":{}", at.line);
    throw Invalid(fmt::format("{}{}: {}", name_, place, what));
  }

 private:
  template <typename Keys>
  void refuse_unknown(const toml::table& table, const Keys& keys) const {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(keys, key.str()) != keys.end()) continue;
      refuse(key.source().begin,
             fmt::format("unknown key '{}'; known keys are {}", key.str(), fmt::join(keys, ", ")));
    }
  }

  ExpectedBuild read_build(const toml::table& table) const {
    refuse_unknown(table, kBuildKeys);
    ExpectedBuild build{
        text(table, "compiler"), text(table, "build_type"), text(table, "flags"), {}};
    for (const auto& [subject, counts] : table_of(table, "counts")) {
      if (!counts.is_table()) refuse(counts.source().begin, "a subject must be a table of counts");
      for (const auto& [name, count] : *counts.as_table()) {
        build.counts[std::string(subject.str())][std::string(name.str())] = count_of(count);
      }
    }
    return build;
  }

  const toml::table& table_of(const toml::table& table, std::string_view key) const {
    const toml::table* found = table[key].as_table();
    if (found == nullptr) refuse(table.source().begin, fmt::format("'{}' must be a table", key));
    return *found;
  }

  std::string text(const toml::table& table, std::string_view key) const {
    const auto value = table[key].value_exact<std::string>();
    if (!value) refuse(table.source().begin, fmt::format("'{}' must be a string", key));
    return *value;
  }

  double count_of(const toml::node& node) const {
    const auto value = node.value<double>();
    if (!value || !std::isfinite(*value) || *value < 0) {
      refuse(node.source().begin, "a count must be a number that is not negative");
    }
    return *value;
  }

  std::string_view name_;
};

/// Quoted as in JSON, which is valid TOML.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace

Expectations expectations_from_toml(std::string_view text, std::string_view name) {
  try {
    return ExpectationsReader(name).read(toml_from(text, name));
  } catch (const Invalid&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Invalid(error.what());
  }
}

std::string to_toml(const Expectations& expectations) {
  std::string text = fmt::format(
      "# Instructions per iteration, by compiler. `assay accept` writes this file; `assay gate "
      "--expect`\n"
      "# compares a record of `assay bench --count` with it.\n"
      "schema = 1\n"
      "margin = \"{:.12g} %\"\n",
      100 * expectations.margin);
  for (const ExpectedBuild& build : expectations.builds) {
    text += fmt::format("\n[[build]]\ncompiler = {}\nbuild_type = {}\nflags = {}\n",
                        quoted(build.compiler), quoted(build.build_type), quoted(build.flags));
    for (const auto& [subject, counts] : build.counts) {
      text += fmt::format("\n[build.counts.{}]\n", quoted(subject));
      for (const auto& [name, count] : counts) {
        text += fmt::format("{} = {}\n", quoted(name), count);
      }
    }
  }
  return text;
}

}  // namespace assay::compare
