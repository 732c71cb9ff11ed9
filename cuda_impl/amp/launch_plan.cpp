// Splits a list of tensors into launches as PyTorch does.
#include "cuda_impl/amp/launch_plan.hpp"

#include <algorithm>

namespace assay::cuda {

std::vector<PlannedLaunch> plan_launches(std::span<const std::int64_t> counts,
                                         const LaunchLimits& limits, bool keeps_empty) {
  std::vector<PlannedLaunch> launches;
  PlannedLaunch open{};
  std::int64_t places = 0;
  for (std::size_t tensor = 0; tensor < counts.size(); ++tensor) {
    const std::int64_t count = counts[tensor];
    if (count != 0 || keeps_empty) ++places;
    for (std::int64_t first = 0; first < count; first += kPlannedChunk) {
      const bool ends_tensor = count - first <= kPlannedChunk;
      open = {open.blocks + 1, tensor, std::min(count, first + kPlannedChunk)};
      const bool tensors_full = ends_tensor && places >= limits.most_tensors;
      if (!tensors_full && open.blocks < limits.most_blocks) continue;
      launches.push_back(open);
      open.blocks = 0;
      places = ends_tensor ? 0 : 1;  // the rest of the tensor comes first in the next launch
    }
  }
  const bool is_lost = keeps_empty && !counts.empty() && counts.back() == 0;
  if (open.blocks > 0 && !is_lost) launches.push_back(open);
  return launches;
}

}  // namespace assay::cuda
