// What can become of a case, and what is kept about it.
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
  kUnsupported,  ///< the subject does not have what the case needs
  kWaived,       ///< a known difference, listed and still valid
  kFlaky,        ///< failed, then passed when run again
  kInternal,     ///< the harness itself is at fault
};

inline constexpr int kOutcomes = 8;

std::string_view name_of(Outcome outcome);
/// Nothing when there is no such outcome.
std::optional<Outcome> outcome_named(std::string_view name);

/// Everything that the card of a failure is made from.
struct Failure {
  std::string sentence;
  std::string expected;    ///< empty where nothing was compared
  std::string got;         ///< empty where nothing was compared
  std::string where;       ///< `unscale_cases.cpp:31`, of the expectation or of the case
  std::string last_words;  ///< the end of what a dead subject wrote to standard error
};

struct CaseResult {
  const Case* test = nullptr;
  Contract contract;
  Outcome outcome = Outcome::kPass;
  std::chrono::nanoseconds duration{0};
  /// For every outcome but pass.
  std::optional<Failure> failure;
  /// Of an `unsupported`: `hello` or a list of what is not supported says so beforehand. One that
  /// is not excused makes the run incomplete, or fails it, where the answer was `required`.
  bool excused = false;
  bool required = false;
  /// Of an `unsupported`: the command at which the case stopped, or `counts`; empty where it was
  /// not asked at all.
  std::string lacks;
  /// Why it is excused, or why it is waived.
  std::string excuse;
  /// The conversation: always of a case that did not pass, of the others only on request.
  std::vector<Exchange> history;

  /// Does this result fail the run?
  bool spoils() const;
  /// An `unsupported` that is neither excused nor a failure.
  bool is_unanswered() const;
};

}  // namespace assay
