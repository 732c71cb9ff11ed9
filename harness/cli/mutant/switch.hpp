// Which fault is on: included by sources that scripts/cmake/mutants.py has rewritten, with what the
// text of faults needs of the standard library.
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

/// A fault is known by a number made of its name (FNV-1a).
constexpr std::uint32_t number_of(std::string_view name) {
  std::uint32_t number = 2166136261U;
  for (const char letter : name) {
    number = (number ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return number;
}

/// Of the one fault that is on in this process.
inline std::uint32_t chosen = 0;

using Listener = void (*)(std::uint32_t);
inline std::vector<Listener>& listeners() {
  static std::vector<Listener> all;
  return all;
}
/// Of a memory that has a copy of the number. Always true.
inline bool tell_also(Listener listener) {
  listeners().push_back(listener);
  return true;
}

/// For the rest of the process; before anything else is called.
inline void plant(std::string_view name) {
  chosen = number_of(name);
  for (const Listener tell : listeners()) tell(chosen);
}

/// While compiling, none is on.
constexpr std::uint32_t fault() { return std::is_constant_evaluated() ? 0 : chosen; }

}  // namespace assay::mutant
