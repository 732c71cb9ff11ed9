// Saving and loading of an optimizer's state (OPT-011, OPT-012).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda_impl/optim/optimizer.hpp"

namespace assay::cuda {

struct SavedGroup {
  Settings settings;
  std::vector<std::int64_t> numbers;  ///< parameter numbers, counted through all groups
};

struct Saved {
  /// Live tensors of the parameters that have state. Absent if the entry was missing.
  std::optional<std::map<std::int64_t, std::vector<NamedTensor>>> state;
  std::optional<std::vector<SavedGroup>> groups;
};

Saved save(Optimizer& optimizer);
/// Raises `key` for a missing entry and `value` for mismatched group sizes; nothing has changed
/// then. Tensors that need no conversion are shared; 1.13 copies them.
void load(const Session& session, Optimizer& optimizer, const Saved& saved);

}  // namespace assay::cuda
