// Loops of `bench.run` for calls through the dispatcher.
#include <ATen/core/ivalue.h>  // complete type required by record_function.h
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/adapters/libtorch/bench/operator.hpp"

namespace assay::libtorch {
namespace {

using at::Tensor;
using c10::DispatchKey;
using c10::DispatchKeySet;
using On1 = void(const Tensor&);
using On2 = void(const Tensor&, const Tensor&);
using On4 = void(const Tensor&, const Tensor&, const Tensor&, const Tensor&);

constexpr auto kUpper = DispatchKey::TESTING_ONLY_GenericMode;
constexpr auto kLower = DispatchKey::TESTING_ONLY_GenericWrapper;

void last_1(const Tensor&) { bench_sum().step(1); }
void last_2(const Tensor&, const Tensor&) { bench_sum().step(1); }
void last_4(const Tensor&, const Tensor&, const Tensor&, const Tensor&) { bench_sum().step(1); }

BenchRun call(const BenchOperator& op, std::int64_t times) {
  const auto typed = op.handle().typed<On1>();
  const Tensor a = bench_tensor(1);
  return run_bench_loop(times, [&] { typed.call(a); });
}

BenchRun typed_1(std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(DispatchKey::CompositeImplicitAutograd, TORCH_FN(last_1));
  return call(op, times);
}

BenchRun typed_2(std::int64_t times) {
  BenchOperator op("Tensor a, Tensor b");
  op.add(DispatchKey::CompositeImplicitAutograd, TORCH_FN(last_2));
  const auto typed = op.handle().typed<On2>();
  const Tensor a = bench_tensor(1), b = bench_tensor(1);
  return run_bench_loop(times, [&] { typed.call(a, b); });
}

BenchRun typed_4(std::int64_t times) {
  BenchOperator op("Tensor a, Tensor b, Tensor c, Tensor d");
  op.add(DispatchKey::CompositeImplicitAutograd, TORCH_FN(last_4));
  const auto typed = op.handle().typed<On4>();
  const Tensor a = bench_tensor(1), b = bench_tensor(1), c = bench_tensor(1), d = bench_tensor(1);
  return run_bench_loop(times, [&] { typed.call(a, b, c, d); });
}

/// Keys above autograd's; this many are active.
DispatchKeySet upper_keys(std::size_t count) {
  if (count == 0) return {};
  return count == 1 ? DispatchKeySet(kLower) : DispatchKeySet({kUpper, kLower});
}

/// Autograd's key is active for every tensor.
template <std::size_t kKeys>
BenchRun fallthrough(std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(DispatchKey::CPU, TORCH_FN(last_1));
  op.add_fallthrough(DispatchKey::Autograd);
  op.add_fallthrough(kUpper);
  op.add_fallthrough(kLower);
  const c10::impl::IncludeDispatchKeyGuard on(upper_keys(kKeys - 1));
  return call(op, times);
}

std::unique_ptr<at::ObserverContext> call_begins(const at::RecordFunction&) {
  bench_sum().step(4);
  return nullptr;
}
void call_ends(const at::RecordFunction&, at::ObserverContext*) { bench_sum().step(5); }

BenchRun observed(std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(DispatchKey::CompositeImplicitAutograd, TORCH_FN(last_1));
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(call_begins, call_ends));
  const BenchRun run = call(op, times);
  at::removeCallback(handle);
  return run;
}

template <DispatchKey kOwn>
DispatchKeySet below(DispatchKeySet keys) {
  return keys & DispatchKeySet(DispatchKeySet::FULL_AFTER, kOwn);
}

void boxed_step(const c10::OperatorHandle& op, DispatchKeySet keys, torch::jit::Stack* stack) {
  bench_sum().step(2);
  op.redispatchBoxed(below<kUpper>(keys), stack);
}

BenchRun boxed_fallback(std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(DispatchKey::CPU, TORCH_FN(last_1));
  op.add_fallthrough(DispatchKey::Autograd);
  torch::Library fallback(torch::Library::IMPL, "_", kUpper, __FILE__, __LINE__);
  fallback.fallback(torch::CppFunction::makeFromBoxedFunction<&boxed_step>());
  const c10::impl::IncludeDispatchKeyGuard on(kUpper);
  return call(op, times);
}

BenchRun call_boxed(std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(DispatchKey::CompositeImplicitAutograd, TORCH_FN(last_1));
  const c10::OperatorHandle handle = op.handle();
  const Tensor a = bench_tensor(1);
  torch::jit::Stack stack;
  return run_bench_loop(times, [&] {
    stack.emplace_back(a);
    handle.callBoxed(&stack);
  });
}

/// PyTorch's own code also looks an operator up once, in a static variable.
const c10::TypedOperatorHandle<On1>*& chain_handle() {
  static const c10::TypedOperatorHandle<On1>* handle = nullptr;
  return handle;
}

template <DispatchKey kOwn>
void passing(DispatchKeySet keys, const Tensor& a) {
  bench_sum().step(3);
  chain_handle()->redispatch(below<kOwn>(keys), a);
}

BenchRun through_chain(std::size_t depth, std::int64_t times) {
  BenchOperator op("Tensor a");
  op.add(kUpper, TORCH_FN(passing<kUpper>));
  op.add(kLower, TORCH_FN(passing<kLower>));
  op.add(DispatchKey::AutogradCPU, TORCH_FN(passing<DispatchKey::AutogradCPU>));
  op.add(DispatchKey::CPU, TORCH_FN(last_1));
  const auto typed = op.handle().typed<On1>();
  chain_handle() = &typed;
  const c10::impl::IncludeDispatchKeyGuard on(upper_keys(depth - 1));
  return call(op, times);
}

template <std::size_t kDepth>
BenchRun redispatch(std::int64_t times) {
  return through_chain(kDepth, times);
}

}  // namespace

std::vector<NamedBenchLoop> dispatch_bench_loops() {
  return {{"typed_1", typed_1},
          {"typed_2", typed_2},
          {"typed_4", typed_4},
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

}  // namespace assay::libtorch
