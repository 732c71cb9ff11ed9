// Looks for the next step of a runtime that is being built.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/next/needs.hpp"
#include "harness/run/run_subject.hpp"

namespace assay {

/// The areas in the order in which they become useful; each needs those before it.
const std::vector<std::string>& levels();

/// What the cases of an area say about a subject.
struct Level {
  std::string area;
  bool claimed = true;  ///< by hello; otherwise nothing was asked
  std::size_t cases = 0;
  std::size_t passed = 0;  ///< or waived
  std::size_t failed = 0;
  std::size_t open = 0;     ///< not answered
  std::size_t excused = 0;  ///< a support file says why, or the machine lacks a device

  bool is_done() const { return claimed && failed == 0 && open == 0; }
};

/// A command with a reply that conforms, from a case.
struct Example {
  std::string case_id;
  Exchange exchange;
};

struct NextStep {
  std::vector<Level> levels;  ///< up to the first that is not done
  /// Of that level; none if everything is answered.
  std::optional<Suggestion> command;
  std::vector<Example> examples;  ///< of the command, at most two: the shortest, and a longer one
  /// The shortest failure of that level.
  std::optional<CaseResult> failure;
  /// Why the subject was given up; empty if it was not.
  std::string lost;
};

struct NextOptions {
  RunSubjectOptions run;
  /// If not empty, only this area.
  std::string level;
};

/// Runs the levels that the subject claims, one after the other, until one is not done; then comes
/// the first that it does not claim. Throws UsageError like `run_subject`.
NextStep next_step(ConnectedSubject& subject, const NextOptions& options);

}  // namespace assay
