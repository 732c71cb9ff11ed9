// The lists of failures at the end of a run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// The number of failures of cases that are about a clause.
struct ClauseFailures {
  std::string clause;  ///< its id
  std::size_t count = 0;
  Reach reach = Reach::kTraining;  ///< the closest to a training
};

/// The results that fail the run: those that a training meets first, otherwise in their order.
std::vector<const CaseResult*> failures_of(const std::vector<CaseResult>& results);

/// The clauses that the failed cases are about, each their first one: those with a case that a
/// training meets first, then the most frequent.
std::vector<ClauseFailures> count_by_clause(const std::vector<const CaseResult*>& failures);

/// True if they are not all met in the same way; `failures` are in the order of failures_of.
bool are_of_several_reaches(const std::vector<const CaseResult*>& failures);

struct FailureListOptions {
  std::string subject;        ///< as typed after --subject
  std::size_t columns = 100;  ///< does not apply to lines that repeat a case
  std::size_t clauses = 12;   ///< the maximum number of clauses shown
  bool colours = false;
  /// The line that repeats a result; by default, `replay_line`.
  std::function<std::string(const CaseResult&)> replay = {};

  std::string replay_of(const CaseResult& result) const;
};

/// Each failure with the line that repeats it, then the counts by clause; empty if there are none.
std::string failure_list(const std::vector<CaseResult>& results, const FailureListOptions& options);

/// One line of at most `columns`: outcome, case, its first clause if there is space, and the
/// failure's message.
std::string failure_line(const CaseResult& result, std::size_t columns, bool colours);

/// The `most` slowest results, slowest first; empty if `most` is 0.
std::string slowest(const std::vector<CaseResult>& results, std::size_t most, std::size_t columns);

}  // namespace assay
