// Holm's step-down procedure.
#include "harness/stats/holm.hpp"

#include <algorithm>
#include <numeric>

namespace assay::stats {

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t step = 0; step < order.size(); ++step) {
    const double scaled = p[order[step]] * static_cast<double>(p.size() - step);
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

}  // namespace assay::stats
