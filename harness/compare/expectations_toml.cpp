// Reads and writes files of expected counts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/compare/expectations.hpp"
#include "harness/compare/share.hpp"
#include "harness/suite/toml.hpp"

namespace assay::compare {
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
