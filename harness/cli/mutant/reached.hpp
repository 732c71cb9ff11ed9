// Selects the active mutant, and remembers which functions were called. Included by sources that
// scripts/power has rewritten.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/cli/mutant/switch.hpp"

namespace assay::mutant {

inline constexpr std::size_t kMostFunctions = 8192;
inline std::array<std::atomic<bool>, kMostFunctions> reached{};

inline std::uint32_t note_and_choose(std::size_t function) {
  reached[function].store(true, std::memory_order_relaxed);
  return chosen;
}

/// The number of the active mutant, asked by the function with this number.
constexpr std::uint32_t fault_in(std::size_t function) {
  return std::is_constant_evaluated() ? 0 : note_and_choose(function);
}

/// Follows the code of a mutant in a function that returns a value. The compiler refuses the mutant
/// if it can come here, which would be undefined.
[[noreturn]] void runs_off()
    __attribute__((error("control reaches the end of a function that returns a value")));

}  // namespace assay::mutant
