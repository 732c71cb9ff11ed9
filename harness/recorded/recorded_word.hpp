// Finds the recording of real PyTorch for one case.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// A program with the expected replies, and their source.
struct Word {
  Contract contract;
  std::vector<std::pair<Command, Reply>> exchanges;
  /// `what PyTorch 2.11.0 did on the CPU (recording 2.11.0-cpu)`
  std::string whose;
};

/// The first recording in the program that was made of the case in its present form, under a
/// contract in `selection`; recordings on the CPU first. Nothing if there is none.
std::optional<Word> recorded_word(const std::string& case_id, const Selection& selection);

}  // namespace assay
