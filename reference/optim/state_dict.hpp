// What of an optimizer is saved and loaded again (OPT-011, OPT-012).
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
    std::vector<std::int64_t> params;  ///< numbers, through all groups
  };

  /// What is kept for each parameter that has something. Absent in a dict that lacks the entry.
  std::optional<std::vector<std::pair<std::int64_t, ParamState>>> state;
  std::optional<std::vector<Group>> groups;
};

/// The tensors are the optimizer's own.
StateDict state_dict(Optimizer& optimizer);

/// Raises `key` for a missing entry, `value` for groups that do not fit. Takes over the settings of
/// all groups. Before 2.0 the tensors were copied; since then only those that must be converted.
void load_state_dict(Runtime& runtime, Optimizer& optimizer, const StateDict& saved);

}  // namespace assay::reference
