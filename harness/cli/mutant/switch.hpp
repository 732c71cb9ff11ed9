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

using Listener = void (*)(std::uint32_t);
inline std::vector<Listener>& listeners() {
  static std::vector<Listener> all;
  return all;
}
/// Registers a memory that keeps a copy of the number. Always true.
inline bool tell_also(Listener listener) {
  listeners().push_back(listener);
  return true;
}

/// Enables a fault for the rest of the process; must be called before anything else.
inline void plant(std::string_view name) {
  chosen = number_of(name);
  for (const Listener tell : listeners()) tell(chosen);
}

/// No fault is active during constant evaluation.
constexpr std::uint32_t fault() { return std::is_constant_evaluated() ? 0 : chosen; }

}  // namespace assay::mutant
