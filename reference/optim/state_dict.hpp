// Saves and loads the state of an optimizer (OPT-011, OPT-012).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/optim/optimizer.hpp"

namespace assay::reference {

struct StateDict {
  struct Group {
    Settings settings;
    std::vector<std::int64_t> params;  ///< consecutive numbers over all groups
  };

  /// The state of each parameter that has any. Absent if the dict lacks the entry.
  std::optional<std::vector<std::pair<std::int64_t, ParamState>>> state;
  std::optional<std::vector<Group>> groups;
};

/// The tensors are shared with the optimizer.
StateDict state_dict(Optimizer& optimizer);

/// Raises `key` for a missing entry and `value` for groups that do not match. Loads all groups'
/// settings. Before 2.0 it copied all tensors; since then only those that need a conversion.
void load_state_dict(Runtime& runtime, Optimizer& optimizer, const StateDict& saved);

}  // namespace assay::reference
