// Everything that a litmus program can show: all interleavings of its threads with what its devices
// complete, on the same Machine that the driver runs on.
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
  /// Some interleaving leaves a thread or a device waiting for ever; it has no outcome.
  bool hangs = false;
  std::size_t states = 0;
};

Exploration explore(const LitmusProgram& program);

}  // namespace assay::reference
