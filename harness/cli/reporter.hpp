// What a run shows while it goes on: the plan, a progress line, a card for each failure.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/conduct.hpp"
#include "harness/cli/terminal.hpp"

namespace assay::cli {

class Reporter {
 public:
  Reporter(std::string subject, bool verbose) : subject_(std::move(subject)), verbose_(verbose) {}

  /// Puts itself behind the callbacks of `options`; must outlive the run.
  void attach(ConductOptions& options);

 private:
  void plan(const SubjectInfo& info, const std::vector<Contract>& contracts, const Plan& plan);
  void start(const Task& task);
  void finish(const CaseResult& result);

  std::string subject_;
  bool verbose_;
  Progress progress_;
  std::size_t planned_ = 0;
  std::size_t done_ = 0;
  std::size_t bad_ = 0;
  std::optional<std::uint64_t> seed_;
};

/// What a subject that was given up wrote last; empty for others.
std::string last_words(const SubjectRun& run);

/// A line an area: how many of its cases came out how.
std::string summary(const std::vector<CaseResult>& results);

/// The clauses that no case of a whole run was answered for.
std::string holes(const ClauseCount& clauses);

}  // namespace assay::cli
