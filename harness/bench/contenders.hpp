// Worker processes for the subjects named by `bench --subject`.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/plan.hpp"

namespace assay::bench {

struct ContenderOptions {
  std::vector<std::string> subjects;  ///< as typed; empty: all subjects that this program can time
  bool twice = false;                 ///< also times a copy of each
  std::string against;  ///< the program of another build, whose subjects are timed too
};

/// Throws UsageError for an unknown subject, a duplicate subject, or a file that is not a program.
std::vector<Contender> contenders(const ContenderOptions& options,
                                  const measure::TimingOptions& timing);

/// Runs this process as the worker of a subject until standard input ends. Returns the exit status.
int run_bench_worker(const std::string& subject);

}  // namespace assay::bench
