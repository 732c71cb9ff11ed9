// Seeded random choices: the same on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "harness/protocol/recipe.hpp"

namespace assay {

/// Different seeds or streams give independent sequences.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream)
      : recipe_{Recipe::Kind::kHash, 0, 0x9e3779b97f4a7c15, {}} {
    recipe_.start = recipe_bits(recipe_, seed) ^ (stream * 0xd1342543de82ef95);
  }

  std::uint64_t bits() { return recipe_bits(recipe_, next_++); }
  /// In [0, end); `end` must not be 0.
  std::uint64_t below(std::uint64_t end) { return bits() % end; }
  /// In [first, last].
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
  }
  /// True once in `times`.
  bool one_in(std::uint64_t times) { return below(times) == 0; }

  template <typename T>
  const T& of(std::span<const T> choices) {
    return choices[below(choices.size())];
  }
  template <typename T>
  const T& of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  template <typename T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

 private:
  Recipe recipe_;
  std::uint64_t next_ = 0;
};

}  // namespace assay
