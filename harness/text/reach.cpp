// The words of each reach.
#include "harness/text/reach.hpp"

#include <algorithm>

namespace assay {
namespace {

struct Words {
  std::string_view name, where;
};

constexpr std::array<Words, kReaches.size()> kWords{{
    {"training", "in a training loop"},
    {"state", "after loading or setting a state that no training reaches"},
    {"arguments", "with arguments that no training passes"},
    {"width", "in the width and rounding of arithmetic, beyond what a training notices"},
    {"words", "in PyTorch's own words, names and counts"},
}};

const Words& words_of(Reach reach) { return kWords[static_cast<std::size_t>(reach)]; }

}  // namespace

std::string_view name_of(Reach reach) { return words_of(reach).name; }

std::string_view in_words(Reach reach) { return words_of(reach).where; }

std::optional<Reach> reach_named(std::string_view name) {
  const auto found = std::ranges::find(kWords, name, &Words::name);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<Reach>(found - kWords.begin());
}

Reach reach_or_training(std::string_view name) {
  return reach_named(name).value_or(Reach::kTraining);
}

}  // namespace assay
