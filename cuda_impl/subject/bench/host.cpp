// Loops through the dispatcher.
#include "cuda_impl/subject/bench/host.hpp"

#include <array>

#include "cuda_impl/dispatch/call/boxed_call.hpp"

namespace assay::cuda {
namespace {

using dispatch::Backend;
using dispatch::Entry;
using dispatch::Functionality;
using dispatch::Kernel;
using dispatch::Key;
using dispatch::KeySet;
using dispatch::Stack;
using dispatch::TypedHandle;

constexpr auto kUpper = Functionality::kGenericMode;
constexpr auto kLower = Functionality::kGenericWrapper;

template <typename... Tensors>
void last(const Tensors&...) {
  bench_sum().step(1);
}

Kernel last_unary() { return dispatch::typed_kernel<&last<Tensor>>(); }

BenchRun empty(const Contract&, std::int64_t times) {
  return run_bench_loop(times, [] { bench_sum().step(1); });
}

BenchRun typed_1(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  return op.call_unary(times);
}

BenchRun typed_2(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 2);
  op.add(Functionality::kCompositeImplicit, dispatch::typed_kernel<&last<Tensor, Tensor>>());
  const TypedHandle<void(const Tensor&, const Tensor&)> handle(op.op());
  return run_bench_loop(times, [&] { handle.call(op.tensor(0), op.tensor(1)); });
}

BenchRun typed_4(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 4);
  op.add(Functionality::kCompositeImplicit,
         dispatch::typed_kernel<&last<Tensor, Tensor, Tensor, Tensor>>());
  const TypedHandle<void(const Tensor&, const Tensor&, const Tensor&, const Tensor&)> handle(
      op.op());
  return run_bench_loop(
      times, [&] { handle.call(op.tensor(0), op.tensor(1), op.tensor(2), op.tensor(3)); });
}

BenchRun observed(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  dispatch::Observer observer;
  observer.start = [](const dispatch::ObservedCall&) { bench_sum().step(4); };
  observer.end = [](const dispatch::ObservedCall&) { bench_sum().step(5); };
  op.hold(op.dispatcher().add_observer(std::move(observer)));
  return op.call_unary(times);
}

/// The keys above autograd, `count` of which are active.
KeySet upper_keys(const BenchOperator& op, int count) {
  if (count == 0) return {};
  return count == 1 ? op.set_of({kLower}) : op.set_of({kUpper, kLower});
}

/// The autograd key is active for every tensor.
template <int kKeys>
BenchRun fallthrough(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  for (const Key key : {Key(Functionality::kAliasAutograd), Key(kUpper), Key(kLower)}) {
    op.add(key, Kernel::fallthrough());
  }
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, upper_keys(op, kKeys - 1));
  return op.call_unary(times);
}

void boxed_step(const Entry& entry, KeySet keys, Stack& stack) {
  bench_sum().step(2);
  redispatch_below(entry, keys, stack);
}

BenchRun boxed_fallback(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  op.add(Functionality::kAliasAutograd, Kernel::fallthrough());
  op.add_fallback(kUpper, Kernel::of_boxed(boxed_step));
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, op.set_of({kUpper}));
  return op.call_unary(times);
}

BenchRun call_boxed(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Functionality::kCompositeImplicit, last_unary());
  Stack stack;
  return run_bench_loop(times, [&] {
    stack.emplace_back(op.tensor(0));
    dispatch::call_boxed(op.op(), stack);
  });
}

void passing_step(const Entry& entry, KeySet keys, const Tensor& tensor) {
  bench_sum().step(3);
  dispatch::redispatch_below<void, const Tensor&>(entry, keys, tensor);
}

template <int kDepth>
BenchRun redispatch(const Contract& contract, std::int64_t times) {
  BenchOperator op(contract, 1);
  op.add(Backend::kCpu, last_unary());
  for (const Key key : {Key(kUpper), Key(kLower), Key(Functionality::kAliasAutograd)}) {
    op.add(key, dispatch::typed_kernel<&passing_step>());
  }
  const dispatch::KeyGuard on(contract, dispatch::Which::kIncluded, upper_keys(op, kDepth - 1));
  return op.call_unary(times);
}

constexpr std::array kLoops = {
    NamedLoop{"empty", empty},
    NamedLoop{"typed_1", typed_1},
    NamedLoop{"typed_2", typed_2},
    NamedLoop{"typed_4", typed_4},
    NamedLoop{"observed", observed},
    NamedLoop{"fallthrough_1", fallthrough<1>},
    NamedLoop{"fallthrough_2", fallthrough<2>},
    NamedLoop{"fallthrough_3", fallthrough<3>},
    NamedLoop{"boxed_fallback", boxed_fallback},
    NamedLoop{"call_boxed", call_boxed},
    NamedLoop{"redispatch_1", redispatch<1>},
    NamedLoop{"redispatch_2", redispatch<2>},
    NamedLoop{"redispatch_3", redispatch<3>},
};

}  // namespace

std::span<const NamedLoop> dispatch_loops() { return kLoops; }

HostLoop host_loop_named(std::string_view name) {
  for (const auto loops : {dispatch_loops, autocast_loops, amp_loops}) {
    for (const auto& [known, loop] : loops()) {
      if (known == name) return loop;
    }
  }
  return nullptr;
}

}  // namespace assay::cuda
