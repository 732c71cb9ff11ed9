// What SIGINT and SIGTERM do.
#include "harness/cli/interrupt.hpp"

#include <csignal>

namespace assay::cli {
namespace {

/// Never destroyed: a signal may come at any time.
StopSignal* interruption = nullptr;

void on_signal(int) {
  interruption->set();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

const StopSignal& catch_interrupts() {
  if (interruption == nullptr) interruption = new StopSignal;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return *interruption;
}

}  // namespace assay::cli
