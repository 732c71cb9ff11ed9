// The scheduler's affinity of the calling thread.
#include "harness/measure/one_cpu.hpp"

namespace assay::measure {
namespace {

/// The `turn`-th of `cpus`, counted round.
cpu_set_t one_of(const cpu_set_t& cpus, int turn) {
  int skip = turn % CPU_COUNT(&cpus);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &cpus) || skip-- > 0) continue;
    CPU_SET(cpu, &one);
    break;
  }
  return one;
}

}  // namespace

OnOneCpu::OnOneCpu(std::optional<int> turn) {
  cpu_set_t cpus;
  if (!turn || sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) < 2) return;
  const cpu_set_t one = one_of(cpus, *turn);
  if (sched_setaffinity(0, sizeof one, &one) == 0) before_ = cpus;
}

OnOneCpu::~OnOneCpu() {
  if (before_) sched_setaffinity(0, sizeof *before_, &*before_);
}

}  // namespace assay::measure
