// Finds all outcomes of a litmus program: every interleaving of host threads and device
// completions, on the Machine that the driver uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "reference/runtime/device/litmus_program.hpp"

namespace assay::reference {

using LitmusOutcome = std::vector<std::int64_t>;

struct Exploration {
  std::set<LitmusOutcome> outcomes;
  /// Some interleaving deadlocks, and therefore has no outcome.
  bool hangs = false;
  std::size_t states = 0;
};

Exploration explore(const LitmusProgram& program);

}  // namespace assay::reference
