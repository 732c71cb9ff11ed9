// Recordings of real PyTorch as cases, which require the recorded replies.
#pragma once

#include <string>
#include <vector>

#include "harness/recorded/transcripts.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// Recorded cases, ready to run. Each applies only to the contract of its recording.
struct RecordedCases {
  std::vector<Case> cases;
  /// Recordings that no longer apply, because their case sends other commands or was removed: the
  /// id and the reason.
  std::vector<std::string> stale;
};

/// Selects the contract of the recordings, if they all have the same one.
void narrow_to_recorded(Selection& selection, const std::vector<Case>& cases);

/// True if the case, given the recorded replies, sends the same commands and has the same verdict.
/// May be false for a case that depends on the clock.
bool is_repeatable(const TranscriptHeader& header, const TranscriptEntry& entry);

/// The recorded cases in `files` that match `selection`. A recording that its case would judge
/// differently today becomes a failing case. Throws UsageError.
RecordedCases recorded_cases(const std::vector<std::string>& files, const Selection& selection);

}  // namespace assay
