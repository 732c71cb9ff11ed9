// Why a series changed, as far as records know.
#pragma once

#include <span>
#include <vector>

#include "harness/archive/history.hpp"

namespace assay::archive {

/// What differs between the last runs before a change and the first ones behind it. Both are not
/// empty. A change may have been placed a run too early or too late, so that a few runs are asked
/// and most of them count.
std::vector<Reason> differences(const std::vector<const Circumstances*>& before,
                                const std::vector<const Circumstances*>& after);

/// The same, with what the runs measured of the machine itself. `shift` is that of the logarithms.
std::vector<Reason> reasons_of(std::span<const Point> before, std::span<const Point> after,
                               const SeriesName& name, double shift);

}  // namespace assay::archive
