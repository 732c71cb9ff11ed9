// Many tests at once: p-values adjusted so that the whole family errs no more often than one test.
#pragma once

#include <span>
#include <vector>

namespace assay::stats {

/// Holm's adjusted p-values, in the order of `p`. Rejecting those at most alpha makes one or more
/// false rejections in at most alpha of all families, however the tests depend on each other.
std::vector<double> holm(std::span<const double> p);

}  // namespace assay::stats
