// Names of outcomes, and which of them fail a run.
#include "harness/suite/runner/outcome.hpp"

namespace assay {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kFail:
      return "fail";
    case Outcome::kCrash:
      return "crash";
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kUnsupported:
      return "unsupported";
    case Outcome::kWaived:
      return "waived";
    case Outcome::kFlaky:
      return "flaky";
    case Outcome::kInternal:
      break;
  }
  return "internal";
}

std::optional<Outcome> outcome_named(std::string_view name) {
  for (int i = 0; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (name_of(outcome) == name) return outcome;
  }
  return std::nullopt;
}

bool CaseResult::spoils() const {
  switch (outcome) {
    case Outcome::kPass:
    case Outcome::kWaived:
      return false;
    case Outcome::kUnsupported:
      return required && !excused;
    default:
      return true;
  }
}

bool CaseResult::is_unanswered() const {
  return outcome == Outcome::kUnsupported && !excused && !required;
}

}  // namespace assay
