// How close to a training a case is: who meets a failure of it, and in what order failures are
// shown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

/// The closest first.
enum class Reach : std::uint8_t {
  kTraining,   ///< a training loop with ordinary arguments
  kState,      ///< only a state that no training reaches: it must be loaded or set
  kArguments,  ///< only arguments that no public function passes, or that nobody means
  kWidth,      ///< width and rounding of arithmetic beyond what a training notices
  kWords,      ///< PyTorch's own words, names and counts
};

inline constexpr std::array kReaches{Reach::kTraining, Reach::kState, Reach::kArguments,
                                     Reach::kWidth, Reach::kWords};

/// `training`, `state`, `arguments`, `width`, `words`
std::string_view name_of(Reach reach);
/// Nothing if there is no such word.
std::optional<Reach> reach_named(std::string_view name);
/// The same, but a training for the empty text and for unknown words, as of a later version.
Reach reach_or_training(std::string_view name);

/// What cases of this reach are like, to follow the word: `case with a state that no training
/// reaches`.
std::string_view in_words(Reach reach);

}  // namespace assay
