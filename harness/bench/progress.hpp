// The progress of a bench run, with an estimate of the remaining time.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "harness/bench/plan.hpp"

namespace assay::bench {

/// Counts only cases that are timed: skipped cases take no time.
class Progress {
 public:
  Progress(std::function<void(const Step&)> on_step, std::size_t cells, int rounds)
      : on_step_(std::move(on_step)), planned_(cells * static_cast<std::size_t>(rounds)) {}

  void begin(const std::string& name, const std::string& subject, int round);
  void skip() { planned_ -= planned_ > done_ ? 1 : 0; }

 private:
  using Clock = std::chrono::steady_clock;

  std::function<void(const Step&)> on_step_;
  std::size_t planned_;
  std::size_t done_ = 0;
  Clock::time_point began_ = Clock::now();
};

}  // namespace assay::bench
