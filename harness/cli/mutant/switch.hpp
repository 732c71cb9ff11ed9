// Selects the active fault. Included by sources that scripts/cmake/mutants.py has rewritten, with
// the standard headers that the code of faults needs.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::mutant {

/// The number of a fault: a hash of its name (FNV-1a).
constexpr std::uint32_t number_of(std::string_view name) {
  std::uint32_t number = 2166136261U;
  for (const char letter : name) {
    number = (number ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return number;
}

/// The number of the active fault of this process.
inline std::uint32_t chosen = 0;

/// Enables a fault for the rest of the process; must be called before anything else.
inline void plant(std::string_view name) { chosen = number_of(name); }

/// No fault is active during constant evaluation.
constexpr std::uint32_t fault() { return std::is_constant_evaluated() ? 0 : chosen; }

}  // namespace assay::mutant
