// Reads support files, and excuses unsupported replies by `hello` and by a support list.
#include "harness/suite/waivers/support.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "harness/protocol/schema.hpp"
#include "harness/suite/runner/selection.hpp"
#include "harness/suite/toml.hpp"
#include "harness/suite/unsupported_case.hpp"
#include "harness/suite/waivers/blanket.hpp"

namespace assay {

// The files.

namespace {

/// True if the glob matches commands of one area only, or names something that is no command
/// (`counts`).
bool is_of_one_area_of_commands(const std::string& glob) {
  std::set<std::string> areas;
  for (const std::string& verb : known_verbs()) {
    if (glob_matches(glob, verb)) areas.insert(area_of_command(verb));
  }
  return areas.size() == 1 || (areas.empty() && glob.find_first_of("*?[") == std::string::npos);
}

constexpr std::array<std::string_view, 6> kKeys{"cases",  "command",  "says",
                                                "device", "releases", "reason"};

/// Parses one [[unsupported]] and reports its errors.
class Entry {
 public:
  Entry(const toml::table& table, std::string_view name) : table_(table), name_(name) {}

  SupportEntry read() const {
    refuse_unknown_keys();
    SupportEntry entry;
    entry.place = place(table_);
    entry.cases = text("cases", "");
    entry.reason = text("reason", "");
    entry.command = text("command", entry.command);
    entry.says = text("says", entry.says);
    entry.device = text("device", entry.device);
    entry.releases = releases();
    if (entry.cases.empty() || entry.reason.empty()) {
      complain(table_, "an [[unsupported]] needs 'cases' and 'reason', both strings");
    }
    if (is_unwritten(entry.reason)) {
      complain(*table_.get("reason"), "'reason' is still to be written");
    }
    refuse_to_excuse_everything(entry);
    return entry;
  }

 private:
  std::string place(const toml::node& node) const {
    return fmt::format("{}:{}", name_, node.source().begin.line);
  }

  [[noreturn]] void complain(const toml::node& node, const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}", place(node), what));
  }

  void refuse_unknown_keys() const {
    for (const auto& [key, value] : table_) {
      if (std::ranges::find(kKeys, std::string_view(key.str())) != kKeys.end()) continue;
      complain(value, fmt::format("an [[unsupported]] has no '{}'; it has {}",
                                  std::string_view(key.str()), fmt::join(kKeys, ", ")));
    }
  }

  std::string text(std::string_view key, const std::string& fallback) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return fallback;
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty())
      complain(*node, fmt::format("'{}' must be a string that is not empty", key));
    return *value;
  }

  std::vector<Release> releases() const {
    std::vector<Release> found;
    const toml::node* node = table_.get("releases");
    if (node == nullptr) return found;
    const toml::array* list = node->as_array();
    if (list == nullptr) complain(*node, "'releases' must be a list of strings");
    for (const toml::node& item : *list) {
      const auto release = release_named(item.value_exact<std::string>().value_or(""));
      if (!release)
        complain(item, fmt::format("'releases' may hold {}", fmt::join(release_names(), ", ")));
      found.push_back(*release);
    }
    return found;
  }

  void refuse_to_excuse_everything(const SupportEntry& entry) const {
    const std::string area = entry.cases.substr(0, entry.cases.find('/'));
    const bool is_of_one_area = area.find_first_of("*?[") == std::string::npos;
    if (is_of_one_area || is_of_one_area_of_commands(entry.command)) return;
    complain(table_, "'cases' must name an area (such as dispatch/*), or 'command' a command");
  }

  const toml::table& table_;
  std::string_view name_;
};

}  // namespace

std::vector<SupportEntry> support_from_toml(std::string_view text, std::string_view name) {
  std::vector<SupportEntry> entries;
  const toml::table file = toml_from(text, name);
  for (const auto& [key, value] : file) {
    const bool is_list = std::string_view(key.str()) == "unsupported" && value.is_array_of_tables();
    if (is_list) continue;
    throw std::runtime_error(fmt::format("{}:{}: expected [[unsupported]], got '{}'", name,
                                         key.source().begin.line, std::string_view(key.str())));
  }
  const toml::array* list = file["unsupported"].as_array();
  if (list == nullptr) return entries;
  for (const toml::node& node : *list) entries.push_back(Entry(*node.as_table(), name).read());
  return entries;
}

// Excuses.

namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

/// True if the entry could excuse this case, at any command.
bool is_about(const SupportEntry& entry, const CaseResult& result) {
  const Contract& contract = result.contract;
  return glob_matches(entry.cases, result.test->id) &&
         glob_matches(entry.device, std::string(name_of(contract.device_rules))) &&
         (entry.releases.empty() ||
          std::ranges::find(entry.releases, contract.release) != entry.releases.end());
}

bool excuses(const SupportEntry& entry, const CaseResult& result) {
  const std::string said = result.failure ? result.failure->sentence : "";
  return result.outcome == Outcome::kUnsupported && is_about(entry, result) &&
         glob_matches(entry.says, said) &&
         (glob_matches(entry.command, result.lacks) ||
          glob_matches(entry.command, command_of(result.lacks)));
}

std::string finding_about(const SupportEntry& entry, const std::vector<CaseResult>& results,
                          const Hello& hello) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(results, test); };
  if (any([&](const CaseResult& result) { return excuses(entry, result); })) return "";
  if (any([&](const CaseResult& result) { return is_about(entry, result); })) {
    const bool is_claimed = any([&](const CaseResult& result) {
      return is_about(entry, result) && contains(hello.areas, area_of_case(result.test->id));
    });
    if (!is_claimed) return "";
    const std::string at = entry.command == "*" ? "" : " at " + entry.command;
    return fmt::format("{}: '{}' excuses nothing: every case of it is answered{}", entry.place,
                       entry.cases, at);
  }
  const bool exists = std::ranges::any_of(
      all_cases(), [&](const Case& test) { return glob_matches(entry.cases, test.id); });
  if (exists) return "";
  return fmt::format("{}: '{}' excuses nothing: there is no such case", entry.place, entry.cases);
}

}  // namespace

SupportPolicy SupportPolicy::foreign(std::vector<std::string> required_areas,
                                     std::vector<SupportEntry> listed) {
  SupportPolicy policy;
  policy.required_ = std::move(required_areas);
  policy.listed_ = std::move(listed);
  return policy;
}

SupportPolicy SupportPolicy::built_in(std::vector<std::string> required_areas,
                                      std::vector<SupportEntry> listed) {
  SupportPolicy policy = foreign(std::move(required_areas), std::move(listed));
  policy.is_foreign_ = false;
  return policy;
}

std::string SupportPolicy::excuse_for(const CaseResult& result, const Hello& hello) const {
  const auto found = std::ranges::find_if(
      listed_, [&](const SupportEntry& entry) { return excuses(entry, result); });
  if (found != listed_.end()) return found->reason;
  if (!is_foreign_) return "";
  const std::string area = area_of_case(result.test->id);
  if (!contains(hello.areas, area)) return fmt::format("hello does not claim the area {}", area);
  const std::string asked = area_of_command(result.lacks);
  if (!asked.empty() && !contains(hello.areas, asked)) {
    return fmt::format("hello does not claim the area {}", asked);
  }
  const std::string* named = named_without(hello.without, result.lacks);
  return named == nullptr ? "" : fmt::format("hello: without {}", *named);
}

bool SupportPolicy::asks_of(const std::string& unclaimed_area) const {
  return !is_foreign_ || contains(required_, unclaimed_area);
}

void SupportPolicy::judge(CaseResult& result, const Hello& hello) const {
  std::vector<std::string> lacking = result.not_shown;
  if (lacking.empty()) {
    lacking = {result.lacks.empty() ? stopped_at(result.history) : result.lacks};
  }
  const bool must = contains(required_, area_of_case(result.test->id));
  // Names the first that nothing excuses, if there is one.
  for (const std::string& lacks : lacking) {
    result.lacks = lacks;
    if (!must && !result.excused) result.excuse = excuse_for(result, hello);
    if (result.excuse.empty()) break;
  }
  if (must) result.excuse.clear();
  result.excused = !result.excuse.empty();
  result.required = !result.excused && (must || !is_foreign_);
}

std::vector<std::string> SupportPolicy::findings(const std::vector<CaseResult>& results,
                                                 const Hello& hello) const {
  std::vector<std::string> found;
  for (const SupportEntry& entry : listed_) {
    if (entry.may_idle) continue;
    std::string finding = finding_about(entry, results, hello);
    if (!finding.empty()) found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace assay
