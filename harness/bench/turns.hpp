// The samples of one case in one round, taken by its subjects in turns.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/measure/timed_loop.hpp"

namespace assay::bench {

/// The times of one subject in all turns.
struct Turns {
  std::size_t contender;
  measure::TimedLoop timed;
  /// Its time, corrected for the speed of the machine in each turn, as a multiple of the
  /// subjects' geometric mean. Empty for a single subject, or if a clock too coarse for the
  /// loop gave a zero.
  std::optional<double> relative = {};
};

/// Times a loop of a contender; empty if it failed or has no time.
using Take = std::function<std::optional<measure::TimedLoop>(std::size_t contender,
                                                             const measure::TimingOptions& timing)>;

/// Each sample is the mean of `slices`, which together last as long as a sample. Every contender
/// takes one slice in every turn, in alternating order, until `timing.samples` are taken or it
/// takes too long. With shorter slices, changes of the machine's speed affect all contenders more
/// equally. A contender that fails in a turn takes no further ones, and is omitted.
std::vector<Turns> take_turns(const std::vector<std::size_t>& contenders,
                              const measure::TimingOptions& timing, int slices, const Take& take);

}  // namespace assay::bench
