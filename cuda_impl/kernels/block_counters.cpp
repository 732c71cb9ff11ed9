// Which counter of blocks a launch gets.
#include "cuda_impl/kernels/block_counters.hpp"

#include <atomic>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

std::atomic<unsigned> eager = 0;
std::atomic<unsigned> captured = 0;

}  // namespace

unsigned next_block_counter(unsigned counters) {
  const unsigned half = counters / 2;
  // A queue holds about a thousand launches: no counter comes round while its launch is under way.
  if (!is_capturing()) return eager.fetch_add(1) % half;
  const unsigned next = captured.fetch_add(1);
  require(next < half, [] {
    return std::string("expected fewer captured updates of the scale than counters for them");
  });
  return half + next;
}

}  // namespace assay::cuda
