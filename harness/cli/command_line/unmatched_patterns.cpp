// Finds patterns that match no case.
#include "harness/cli/command_line/unmatched_patterns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::cli {
namespace {

/// The names that a pattern may have meant: clauses, cases and their folders.
std::vector<std::string> names() {
  std::set<std::string> found;
  for (const Case& test : all_cases()) {
    found.insert(test.clauses.begin(), test.clauses.end());
    for (std::size_t end = test.id.find('/'); end != std::string::npos;
         end = test.id.find('/', end + 1)) {
      found.insert(test.id.substr(0, end));
    }
    found.insert(test.id);
  }
  return {found.begin(), found.end()};
}

std::string about(std::string_view option, const std::string& pattern, bool full) {
  Selection alone;
  alone.filters = {pattern};
  alone.full = full;
  if (chooses_any(alone)) return "";
  alone.full = true;
  if (!full && chooses_any(alone)) {
    return fmt::format("{} '{}' matches only cases that --full runs", option, pattern);
  }
  return fmt::format("{} '{}' matches no case{}", option, pattern, nearest_names(pattern));
}

std::vector<std::string> unmatched_filters(const Selection& selection) {
  std::vector<std::string> idle;
  for (const std::string& filter : selection.filters) {
    std::string complaint = about("--filter", filter, selection.full);
    if (!complaint.empty()) idle.push_back(std::move(complaint));
  }
  return idle;
}

}  // namespace

void refuse_unmatched_filters(const Selection& selection) {
  const std::vector<std::string> idle = unmatched_filters(selection);
  if (idle.empty() || idle.size() == selection.filters.size()) return;
  throw UsageError(fmt::format("{}", fmt::join(idle, "\n  ")));
}

bool chooses_any(const Selection& selection) {
  return std::ranges::any_of(all_cases(),
                             [&](const Case& test) { return selection.selects(test); });
}

std::string nearest_names(const std::string& pattern) {
  const std::string name =
      pattern.ends_with("/*") ? pattern.substr(0, pattern.size() - 2) : pattern;
  return suggestion(name, names());
}

std::string describe_unmatched_patterns(const Selection& selection) {
  std::vector<std::string> idle = unmatched_filters(selection);
  for (const std::string& exclude : selection.excludes) {
    std::string complaint = about("--exclude", exclude, true);
    if (!complaint.empty()) idle.push_back(std::move(complaint));
  }
  std::string text;
  for (const std::string& complaint : idle) text += fmt::format("assay: {}\n", complaint);
  return text;
}

}  // namespace assay::cli
