// Holm's correction for multiple tests: keeps the error rate of the whole family at that of one.
#pragma once

#include <span>
#include <vector>

namespace assay::stats {

/// Holm's adjusted p-values, in the order of `p`. Rejecting those that are at most alpha keeps the
/// probability of any false rejection at most alpha, for any dependence between the tests.
std::vector<double> holm(std::span<const double> p);

}  // namespace assay::stats
