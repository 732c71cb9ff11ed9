// Selects faults.
#include "harness/selftest/chosen_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {
namespace {

bool matches(const std::string& pattern, const Fault& fault) {
  return glob_matches(pattern, fault.name) ||
         std::ranges::any_of(fault.clauses, [&](const std::string& clause) {
           return glob_matches(pattern, clause);
         });
}

std::string nearest_names(const std::string& pattern, const std::string& subject) {
  std::vector<std::string> names;
  for (const Fault& fault : all_faults(subject)) {
    names.push_back(fault.name);
    names.insert(names.end(), fault.clauses.begin(), fault.clauses.end());
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return suggestion(pattern, names);
}

}  // namespace

std::vector<const Fault*> chosen_faults(const std::vector<std::string>& patterns,
                                        const std::string& subject) {
  std::vector<const Fault*> chosen;
  std::vector<std::string> idle = patterns;
  for (const Fault& fault : all_faults(subject)) {
    const auto names_it = [&](const std::string& pattern) { return matches(pattern, fault); };
    if (patterns.empty() || std::ranges::any_of(patterns, names_it)) chosen.push_back(&fault);
    std::erase_if(idle, names_it);
  }
  if (idle.empty()) return chosen;
  throw UsageError(fmt::format("'{}' matches no fault of {}, by name or clause{}", idle.front(),
                               subject, nearest_names(idle.front(), subject)));
}

}  // namespace assay
