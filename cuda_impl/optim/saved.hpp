// An optimizer on its way to a file and back (OPT-011, OPT-012).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda_impl/optim/optimizer.hpp"

namespace assay::cuda {

struct SavedGroup {
  Settings settings;
  std::vector<std::int64_t> numbers;  ///< of its parameters, counted through all groups
};

struct Saved {
  /// Live tensors, for the parameters that have any. None where the entry was missing.
  std::optional<std::map<std::int64_t, std::vector<NamedTensor>>> state;
  std::optional<std::vector<SavedGroup>> groups;
};

Saved save(Optimizer& optimizer);
/// Raises `key` for an entry that is missing, `value` for groups of other sizes; then nothing has
/// changed. Tensors that need no conversion are taken as they are, but copied in 1.13.
void load(const Session& session, Optimizer& optimizer, const Saved& saved);

}  // namespace assay::cuda
