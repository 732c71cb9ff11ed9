// Replaying a transcript: does the case still say the same, does a subject still answer the same?
#pragma once

#include <string>

#include "harness/cli/subjects.hpp"
#include "harness/program/transcript.hpp"
#include "harness/suite/outcome.hpp"

namespace assay::cli {

struct EntryResult {
  enum class Outcome : std::uint8_t {
    kSame,
    kDifferent,      ///< another reply, or recorded replies that the case now judges otherwise
    kStale,          ///< the case sends other commands now, or is gone
    kNotApplicable,  ///< the subject does not hold to the contract of the recording
  };
  Outcome outcome = Outcome::kSame;
  /// Several lines, ready to be shown; empty where there is nothing to say.
  std::string finding;
};

/// Runs the case on what was recorded, then what was recorded on the subject.
EntryResult replay_entry(const Transcript& transcript, const TranscriptEntry& entry,
                         ConnectedSubject& subject);

}  // namespace assay::cli
