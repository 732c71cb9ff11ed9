// Loops of `bench.run`: calls through the dispatcher.
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/subject/bench/loops.hpp"
#include "reference/subject/bench/operator.hpp"

namespace assay::reference {
namespace {

constexpr auto kUpper = Functionality::kTestingOnlyGenericMode;
constexpr auto kLower = Functionality::kTestingOnlyGenericWrapper;

template <std::size_t kTensors>
BenchRun typed(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, kTensors);
  op.add(Functionality::kCompositeImplicitAutograd, op.kernel(last_bench_kernel));
  return op.call(times);
}

/// The keys above autograd's with `count` active ones.
KeySet upper_keys(const BenchOperator& op, std::size_t count) {
  if (count == 0) return {};
  return count == 1 ? op.set_of({kLower}) : op.set_of({kUpper, kLower});
}

/// Every tensor activates the autograd key.
template <std::size_t kKeys>
BenchRun fallthrough(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, 1);
  op.add(Backend::kCPU, op.kernel(last_bench_kernel));
  op.add(Functionality::kAutograd, Kernel::fallthrough());
  op.add(kUpper, Kernel::fallthrough());
  op.add(kLower, Kernel::fallthrough());
  const IncludeKeyGuard on(runtime, upper_keys(op, kKeys - 1));
  return op.call(times);
}

BenchRun observed(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, 1);
  op.add(Functionality::kCompositeImplicitAutograd, op.kernel(last_bench_kernel));
  Observer observer;
  observer.start = [](const ObservedCall&) { bench_sum().step(4); };
  observer.end = [](const ObservedCall&) { bench_sum().step(5); };
  const Registration watching = op.dispatcher().observers().add(std::move(observer));
  return op.call(times);
}

KeySet below(const Dispatcher& dispatcher, KeySet keys) {
  const KeyLayout& layout = dispatcher.layout();
  return keys & full_after(layout, highest_key(layout, keys));
}

void boxed_step(const OperatorHandle& op, KeySet keys, Stack& stack) {
  bench_sum().step(2);
  Dispatcher& dispatcher = op.dispatcher();
  dispatcher.redispatch_boxed(op, below(dispatcher, keys), stack);
}

BenchRun boxed_fallback(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, 1);
  op.add(Backend::kCPU, op.kernel(last_bench_kernel));
  op.add(Functionality::kAutograd, Kernel::fallthrough());
  op.add_fallback(kUpper, Kernel::boxed(boxed_step));
  const IncludeKeyGuard on(runtime, op.set_of({kUpper}));
  return op.call(times);
}

BenchRun call_boxed(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, 1);
  op.add(Functionality::kCompositeImplicitAutograd, op.kernel(last_bench_kernel));
  Stack stack;
  return run_bench_loop(times, [&] {
    stack.push_back(op.arguments().front());
    op.dispatcher().call_boxed(op.typed().op, stack);
  });
}

template <std::size_t kDepth>
BenchRun redispatch(Runtime& runtime, std::int64_t times) {
  BenchOperator op(runtime, 1);
  const Kernel passing =
      op.kernel([handle = op.typed()](const OperatorHandle&, KeySet keys, const TypedArguments& a) {
        bench_sum().step(3);
        Dispatcher& dispatcher = handle.op.dispatcher();
        return dispatcher.redispatch_typed(handle, below(dispatcher, keys), a);
      });
  op.add(kUpper, passing);
  op.add(kLower, passing);
  op.add(Functionality::kAutograd, passing);
  op.add(Backend::kCPU, op.kernel(last_bench_kernel));
  const IncludeKeyGuard on(runtime, upper_keys(op, kDepth - 1));
  return op.call(times);
}

}  // namespace

std::vector<NamedBenchLoop> dispatch_bench_loops() {
  return {{"typed_1", typed<1>},
          {"typed_2", typed<2>},
          {"typed_4", typed<4>},
          {"observed", observed},
          {"fallthrough_1", fallthrough<1>},
          {"fallthrough_2", fallthrough<2>},
          {"fallthrough_3", fallthrough<3>},
          {"call_boxed", call_boxed},
          {"boxed_fallback", boxed_fallback},
          {"redispatch_1", redispatch<1>},
          {"redispatch_2", redispatch<2>},
          {"redispatch_3", redispatch<3>}};
}

}  // namespace assay::reference
