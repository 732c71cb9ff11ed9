// The samples of one case in one round, taken by its subjects in turns.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/measure/timed_loop.hpp"

namespace assay::bench {

/// What one subject took in all turns.
struct Turns {
  std::size_t contender;
  measure::TimedLoop timed;
  /// Its time when the speed that the machine had in each turn is taken out, as a multiple of the
  /// subjects' geometric mean. Nothing for a subject alone, or where a clock too coarse for the
  /// loop gave a zero.
  std::optional<double> relative = {};
};

/// Times a loop of a contender; nothing where it failed or has no time.
using Take = std::function<std::optional<measure::TimedLoop>(std::size_t contender,
                                                             const measure::TimingOptions& timing)>;

/// Each sample is the mean of `slices`, which last a sample's time together. Every contender takes
/// one slice in every turn, in the other order each time, until `timing.samples` are taken or it
/// takes too long: the shorter the slices, the more of what a machine changes its speed by is the
/// same for all. Who fails in a turn takes no further one, and is left out.
std::vector<Turns> take_turns(const std::vector<std::size_t>& contenders,
                              const measure::TimingOptions& timing, int slices, const Take& take);

}  // namespace assay::bench
