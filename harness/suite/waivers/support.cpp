// Excuses unsupported replies by `hello` and by a support list.
#include "harness/suite/waivers/support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/suite/runner/selection.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
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
