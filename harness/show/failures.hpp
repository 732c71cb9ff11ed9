// The failures of a run, as lists that people read at its end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// How often a clause was witnessed by a failure.
struct ClauseFailures {
  std::string clause;  ///< its id
  std::size_t count = 0;
};

/// The results that spoil the verdict, in their order.
std::vector<const CaseResult*> failures_of(const std::vector<CaseResult>& results);

/// Of the clauses that failures witness, the most frequent first. A failure counts for each of its
/// clauses.
std::vector<ClauseFailures> count_by_clause(const std::vector<const CaseResult*>& failures);

struct FailureListOptions {
  std::string subject;        ///< as typed after --subject
  std::size_t columns = 100;  ///< the lines that repeat a case are as long as they are
  std::size_t clauses = 12;   ///< so many are named
  bool colours = false;
};

/// Each failure with the line that repeats it, then the counts by clause; empty where none is.
std::string failure_list(const std::vector<CaseResult>& results, const FailureListOptions& options);

/// One line of at most `columns`: outcome, case, its first clause where there is room, what was
/// wrong.
std::string failure_line(const CaseResult& result, std::size_t columns, bool colours);

/// The `most` results that took longest, the slowest first; empty where `most` is 0.
std::string slowest(const std::vector<CaseResult>& results, std::size_t most, std::size_t columns);

}  // namespace assay
