// The flag that a signal sets.
#include "harness/cli/interrupt.hpp"

#include <csignal>

namespace assay::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int number) {
  interrupted.store(true);
  std::signal(number, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return interrupted;
}

}  // namespace assay::cli
