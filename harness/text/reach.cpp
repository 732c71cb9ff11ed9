// The words of each reach.
#include "harness/text/reach.hpp"

#include <algorithm>

namespace assay {
namespace {

struct Words {
  std::string_view name, cases;
};

constexpr std::array<Words, kReaches.size()> kWords{{
    {"training", "that a training loop can meet"},
    {"state", "with a state that no training reaches"},
    {"arguments", "with arguments or calls that no training makes"},
    {"width", "about the width and rounding of arithmetic"},
    {"words", "about PyTorch's own words, names and counts"},
}};

const Words& words_of(Reach reach) { return kWords[static_cast<std::size_t>(reach)]; }

}  // namespace

std::string_view name_of(Reach reach) { return words_of(reach).name; }

std::string_view in_words(Reach reach) { return words_of(reach).cases; }

std::optional<Reach> reach_named(std::string_view name) {
  const auto found = std::ranges::find(kWords, name, &Words::name);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<Reach>(found - kWords.begin());
}

Reach reach_or_training(std::string_view name) {
  return reach_named(name).value_or(Reach::kTraining);
}

}  // namespace assay
