// From what the user types after `bench --subject` to worker processes.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/plan.hpp"

namespace assay::bench {

struct ContenderWishes {
  std::vector<std::string> subjects;  ///< as typed; none: all that this program has to time
  bool twice = false;                 ///< each beside a copy of itself
  std::string against;                ///< another build's program; its subjects as well
};

/// Throws UsageError for a subject that is none, or named twice, and a program that is none.
std::vector<Contender> contenders(const ContenderWishes& wishes,
                                  const measure::TimingOptions& timing);

/// Serves as the worker of a subject until standard input ends; the exit status.
int be_bench_worker(const std::string& subject);

}  // namespace assay::bench
