// Reading suites/support/<subject>.toml and excusing by it.
#include "harness/suite/support.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <stdexcept>

#include "harness/suite/selection.hpp"

namespace assay {
namespace {

SupportEntry entry_from(const toml::node& node, std::string_view name) {
  const toml::table* table = node.as_table();
  SupportEntry entry;
  if (table != nullptr) {
    entry.cases = (*table)["cases"].value_or(std::string());
    entry.reason = (*table)["reason"].value_or(std::string());
  }
  if (entry.cases.empty() || entry.reason.empty()) {
    throw std::runtime_error(
        fmt::format("{}:{}: an [[unsupported]] needs 'cases' and 'reason', both strings", name,
                    node.source().begin.line));
  }
  return entry;
}

}  // namespace

std::vector<SupportEntry> support_from_toml(std::string_view text, std::string_view name) {
  std::vector<SupportEntry> entries;
  try {
    const toml::table file = toml::parse(text, name);
    const toml::array* list = file["unsupported"].as_array();
    if (list == nullptr) return entries;
    for (const toml::node& node : *list) entries.push_back(entry_from(node, name));
  } catch (const toml::parse_error& error) {
    throw std::runtime_error(
        fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
  return entries;
}

SupportPolicy SupportPolicy::foreign(std::vector<std::string> required_areas) {
  SupportPolicy policy;
  policy.required_ = std::move(required_areas);
  return policy;
}

SupportPolicy SupportPolicy::built_in(std::vector<SupportEntry> listed) {
  SupportPolicy policy;
  policy.foreign_ = false;
  policy.listed_ = std::move(listed);
  return policy;
}

std::optional<std::string> SupportPolicy::excuse(const std::string& case_id) const {
  if (foreign_) {
    const std::string area = case_id.substr(0, case_id.find('/'));
    const bool required = std::find(required_.begin(), required_.end(), area) != required_.end();
    if (required) return std::nullopt;
    return "not required of this subject";
  }
  const auto found = std::find_if(listed_.begin(), listed_.end(), [&](const SupportEntry& entry) {
    return glob_matches(entry.cases, case_id);
  });
  if (found == listed_.end()) return std::nullopt;
  return found->reason;
}

}  // namespace assay
