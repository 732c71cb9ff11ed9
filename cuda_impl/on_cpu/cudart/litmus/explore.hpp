// Every outcome that a litmus program has on this machine, whatever the order in which host threads
// and streams proceed.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "cuda_impl/on_cpu/cudart/litmus/program.hpp"

namespace assay::cuda::on_cpu::litmus {

struct Outcomes {
  std::set<std::vector<std::int64_t>> observed;
  bool hangs = false;  ///< at least one order deadlocks
  std::size_t states = 0;
};

Outcomes explore(const Program& program);

}  // namespace assay::cuda::on_cpu::litmus
