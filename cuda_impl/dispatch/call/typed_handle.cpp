// Checks signatures (DSP-704) and the number of results; creates the stacks of a thread and frees
// them when it ends.
#include "cuda_impl/dispatch/call/typed_handle.hpp"

#include <utility>

#include "cuda_impl/dispatch/schema/signature.hpp"

namespace assay::cuda::dispatch {

thread_local constinit StackPool stack_pool;

namespace {

struct FreesAtEnd {
  FreesAtEnd() = default;
  ~FreesAtEnd() {
    for (std::uint32_t i = 0; i < stack_pool.made; ++i) delete stack_pool.stacks[i];
    stack_pool = {};
  }
  FreesAtEnd(const FreesAtEnd&) = delete;
  FreesAtEnd& operator=(const FreesAtEnd&) = delete;
};

}  // namespace

void push_tensor(Stack& stack, const Tensor& tensor) { stack.emplace_back(tensor); }
void push_tensor(Stack& stack, Tensor&& tensor) { stack.emplace_back(std::move(tensor)); }

void PooledStack::make_another() {
  constexpr std::size_t kUsual = 16;
  thread_local const FreesAtEnd frees;
  require(stack_pool.made < StackPool::kMost, ErrorKind::kInternal, [] {
    return "typed calls of boxed kernels are more than " + std::to_string(StackPool::kMost) +
           " deep";
  });
  auto made = std::make_unique<Stack>();
  made->reserve(kUsual);
  stack_pool.stacks[stack_pool.made++] = made.release();
}

}  // namespace assay::cuda::dispatch

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

namespace assay::cuda::dispatch {
namespace {

[[noreturn]] void refuse(const Table& table, const std::string& correct, const std::string& where,
                         const Signature& signature) {
  throw Error("Tried to access or call an operator with a wrong signature.\n  operator: " +
              table.op->text() + "\n  correct signature: " + correct + "\n    " + where +
              "\n  accessed/called as: " + signature.name());
}

}  // namespace

void expect_called_as(const Table& table, const Signature& signature) {
  const OperatorState& state = *table.state;
  if (state.first && state.first->signature != &signature) {
    refuse(table, state.first->signature->name(), state.first->debug, signature);
  }
  if (state.first || !state.has_schema() || !table.is_strict) return;
  const Definition& definition = *state.definition;
  const auto reason = schema_difference(definition.schema, signature.schema(), table.contract());
  if (reason)
    refuse(table, definition.schema.text() + " (" + *reason + ")", definition.debug, signature);
}

}  // namespace assay::cuda::dispatch
