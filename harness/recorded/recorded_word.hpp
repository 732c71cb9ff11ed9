// What a recording of real PyTorch says to one case.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay {

/// A program with the replies that are expected, and whose they are.
struct Word {
  Contract contract;
  std::vector<std::pair<Command, Reply>> exchanges;
  /// `what PyTorch 2.11.0 was recorded to do on the CPU (recording 2.11.0-cpu)`
  std::string whose;
};

/// Of the recordings in the program, the first that was made of the case as it is today, under a
/// contract that `selection` leaves; the CPU's first. Nothing where there is none.
std::optional<Word> recorded_word(const std::string& case_id, const Selection& selection);

}  // namespace assay
