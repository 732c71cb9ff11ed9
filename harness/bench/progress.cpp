// Reports the progress of a run.
#include "harness/bench/progress.hpp"

#include <fmt/format.h>

namespace assay::bench {

void Progress::begin(const std::string& name, const std::string& subject, int round) {
  if (on_step_) {
    Step step{fmt::format("process {}: {} in {}", round + 1, name, subject), done_, planned_, {}};
    if (done_ > 0) {
      const std::chrono::duration<double> spent = Clock::now() - began_;
      const double each = spent.count() / static_cast<double>(done_);
      step.left = std::chrono::ceil<std::chrono::seconds>(
          std::chrono::duration<double>(each * static_cast<double>(planned_ - done_)));
    }
    on_step_(step);
  }
  ++done_;
}

}  // namespace assay::bench
