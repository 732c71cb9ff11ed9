// Checks the number of results.
#include "cuda_impl/dispatch/call/through_stack.hpp"

namespace assay::cuda::dispatch::detail {

void look_at_count(const Table& table, std::size_t wanted, bool is_read, const Stack& stack) {
  const std::size_t got = stack.size();
  const bool passes = !table.is_strict && (!is_read || got > wanted);
  require(passes, ErrorKind::kInternal, [&] {
    return table.op->text() + ": a boxed kernel was expected to return " + std::to_string(wanted) +
           " values, but returned " + std::to_string(got);
  });
}

}  // namespace assay::cuda::dispatch::detail
