// The words of each property.
#include "harness/suite/property.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

struct Words {
  std::string_view name, sentence;
};

constexpr std::array<Words, 3> kWords{{
    {"flushes_subnormals", "the platform flushes subnormals"},
    {"bool_flag", "the platform keeps the flag as a bool"},
    {"double_scale", "the platform keeps the scale in double"},
}};

const Words& words_of(Property property) { return kWords[static_cast<std::size_t>(property)]; }

}  // namespace

std::string_view name_of(Property property) { return words_of(property).name; }

std::string_view in_words(Property property) { return words_of(property).sentence; }

std::optional<Property> property_named(std::string_view name) {
  const auto found = std::ranges::find(kWords, name, &Words::name);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<Property>(found - kWords.begin());
}

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const Words& words : kWords) names.emplace_back(words.name);
  return names;
}

}  // namespace assay
