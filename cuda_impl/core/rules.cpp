// The process-wide contract.
#include "cuda_impl/core/rules.hpp"

#include <atomic>

namespace assay::cuda {
namespace {

std::atomic<Contract>& in_force() {
  static std::atomic<Contract> contract{Contract{}};
  return contract;
}

}  // namespace

Contract rules() { return in_force().load(std::memory_order_relaxed); }
void set_rules(Contract contract) { in_force().store(contract, std::memory_order_relaxed); }

}  // namespace assay::cuda
