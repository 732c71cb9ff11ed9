// What real PyTorch said, as cases: each demands the replies that were recorded.
#pragma once

#include <string>
#include <vector>

#include "harness/recorded/transcripts.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// Recorded cases, ready to be run. Each holds for the contract that it was recorded under only.
struct RecordedCases {
  std::vector<Case> cases;
  /// Of those that no longer fit, because the case sends other commands now or is gone: its id and
  /// why.
  std::vector<std::string> stale;
};

/// All of one recording hold for the same contract, as a rule: then nothing else is asked for.
void narrow_to_recorded(Selection& selection, const std::vector<Case>& cases);

/// Does the case send the same commands again, given the same replies, and judge them alike? One
/// that goes by the clock may not.
bool is_repeatable(const TranscriptHeader& header, const TranscriptEntry& entry);

/// Of the transcripts in `files`, those that `selection` leaves. A case that would judge the
/// recorded replies otherwise today is one that fails. Throws UsageError.
RecordedCases recorded_cases(const std::vector<std::string>& files, const Selection& selection);

}  // namespace assay
