// The outcomes of a case, and the details that are kept.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay {

enum class Outcome : std::uint8_t {
  kPass,
  kFail,
  kCrash,        ///< the subject died
  kTimeout,      ///< the subject did not answer in time
  kUnsupported,  ///< the subject does not support what the case needs
  kWaived,       ///< a failure that a valid waiver lists
  kFlaky,        ///< failed, then passed when repeated
  kInternal,     ///< an error of the harness
};

inline constexpr int kOutcomes = 8;

std::string_view name_of(Outcome outcome);
/// Nothing if there is no such outcome.
std::optional<Outcome> outcome_named(std::string_view name);

/// Begins the excuse of a case that says nothing about its subject.
inline constexpr std::string_view kNotJudged = "not judged: ";

/// The contents of a failure's card.
struct Failure {
  std::string sentence;
  std::string expected;    ///< empty if nothing was compared
  std::string got;         ///< empty if nothing was compared
  std::string where;       ///< `unscale_cases.cpp:31`: position of the expectation or the case
  std::string last_words;  ///< last standard error of a dead subject
};

struct CaseResult {
  const Case* test = nullptr;
  Contract contract;
  Outcome outcome = Outcome::kPass;
  std::chrono::nanoseconds duration{0};
  /// Set for every outcome except pass.
  std::optional<Failure> failure;
  /// For `unsupported`: announced by `hello` or by a support list. Unexcused ones make the run
  /// incomplete, or fail it if the reply was `required`.
  bool excused = false;
  bool required = false;
  /// For `unsupported`: the command at which the case stopped, the field to which the subject is
  /// blind (`core.storage.result`), or `counts`; empty if the case did not run.
  std::string lacks;
  /// Everything that the subject did not show in a case that went on without it.
  std::vector<std::string> not_shown;
  /// Why it is excused or waived.
  std::string excuse;
  /// For `waived`: the outcome without the waiver.
  std::optional<Outcome> unwaived;
  /// The conversation: always kept for a case that did not pass, otherwise only on request.
  std::vector<Exchange> history;
  /// The changes with which its program was sent again (`beside thread`); of a failure: those that
  /// made it fail.
  std::string changes;
  /// What PyTorch does wrong here, and what it can do to a training, if the case saw it.
  std::string mistake;
  /// A short program that shows the failure, if one was looked for and found.
  std::string shortest;

  /// True if this result fails the run.
  bool spoils() const;
  /// True for an `unsupported` that is neither excused nor a failure.
  bool is_unanswered() const;
};

}  // namespace assay
