// Converts positional words to filters.
#include "harness/cli/command_line/bare_words.hpp"

#include <fmt/format.h>

#include "harness/cli/command_line/unmatched_patterns.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::cli {
namespace {

std::string filter_of(const std::string& word, bool full) {
  if (word.empty())
    throw UsageError("an empty argument selects no case; without arguments all cases run");
  if (const std::string complaint = complaint_about_pattern(word); !complaint.empty()) {
    throw UsageError(complaint);
  }
  Selection chosen;
  chosen.full = full;
  // A complete name takes precedence over a prefix.
  for (const std::string& filter : {word, word + "*"}) {
    chosen.filters = {filter};
    if (chooses_any(chosen)) return filter;
  }
  chosen.full = true;
  if (!full && chooses_any(chosen)) {
    throw UsageError(fmt::format("'{}' names only cases that --full runs", word));
  }
  throw UsageError(fmt::format("no case is or begins with '{}'{}", word, nearest_names(word)));
}

}  // namespace

std::vector<std::string> filters_of(const std::vector<std::string>& words, bool full) {
  std::vector<std::string> filters;
  for (const std::string& word : words) filters.push_back(filter_of(word, full));
  return filters;
}

}  // namespace assay::cli
