// Decides whether a line can proceed.
#include "cuda_impl/on_cpu/cudart/timeline.hpp"

#include <algorithm>

namespace assay::cuda::on_cpu {

bool can_go_on(const Line& line) {
  if (line.waiting.empty()) return false;
  const Operation& next = line.waiting.front();
  const bool is_free = next.gate == nullptr || next.gate->is_open;
  return is_free && std::all_of(next.after.begin(), next.after.end(), is_reached);
}

}  // namespace assay::cuda::on_cpu
