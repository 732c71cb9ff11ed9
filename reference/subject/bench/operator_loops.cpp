// Loops of `bench.run`: calls through the dispatcher and under autocast, and the amp operators, on
// the CPU.
#include <algorithm>
#include <cstring>

#include "reference/autocast/weight_cache.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"
#include "reference/subject/bench/loops.hpp"

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

// Under autocast.

namespace {

/// Enables CPU autocast to bfloat16 with the weight cache for its lifetime, and clears the cache
/// afterwards.
class AutocastOn {
 public:
  explicit AutocastOn(Runtime& runtime)
      : runtime_(runtime),
        was_on_(is_autocast_enabled(runtime, DeviceType::kCpu)),
        dtype_(autocast_dtype(runtime, DeviceType::kCpu)),
        was_caching_(is_cache_enabled(runtime)) {
    set_autocast_enabled(runtime, DeviceType::kCpu, true);
    set_autocast_dtype(runtime, DeviceType::kCpu, ScalarType::kBFloat16);
    set_cache_enabled(runtime, true);
  }
  ~AutocastOn() {
    clear_weight_cache(runtime_);
    set_cache_enabled(runtime_, was_caching_);
    set_autocast_dtype(runtime_, DeviceType::kCpu, dtype_);
    set_autocast_enabled(runtime_, DeviceType::kCpu, was_on_);
  }
  AutocastOn(const AutocastOn&) = delete;
  AutocastOn& operator=(const AutocastOn&) = delete;

 private:
  Runtime& runtime_;
  bool was_on_;
  ScalarType dtype_;
  bool was_caching_;
};

/// A kernel that returns a checksum of the dtypes it received.
Stack type_kernel(const OperatorHandle& op, KeySet, const TypedArguments& arguments) {
  const Release release = op.dispatcher().layout().release();
  for (const IValue* argument : arguments) {
    const ScalarType type = argument->to_tensor().dtype();
    bench_sum().step(static_cast<std::uint64_t>(number_of(type, release)));
  }
  return {};
}

BenchOperator wrapped_operator(Runtime& runtime, std::size_t tensors, CastPolicy policy) {
  BenchOperator op(runtime, tensors);
  const DispatchKey key = autocast_key(DeviceType::kCpu, runtime.contract().release);
  op.add(key, autocast_wrapper({policy, DeviceType::kCpu, ""}));
  op.add(Functionality::kAutograd, Kernel::fallthrough());
  op.add(Backend::kCPU, op.kernel(type_kernel));
  return op;
}

BenchOperator cast_operator(Runtime& runtime) {
  BenchOperator op = wrapped_operator(runtime, 1, CastPolicy::kLower);
  op.arguments().front().to_tensor().set_requires_grad(true);
  return op;
}

BenchRun off(Runtime& runtime, std::int64_t times) { return cast_operator(runtime).call(times); }

BenchRun hit(Runtime& runtime, std::int64_t times) {
  BenchOperator op = cast_operator(runtime);
  const AutocastOn on(runtime);
  op.dispatcher().call(op.typed().op, op.arguments());  // performs the cast that the cache keeps
  return op.call(times);
}

BenchRun miss(Runtime& runtime, std::int64_t times) {
  BenchOperator op = cast_operator(runtime);
  const AutocastOn on(runtime);
  TypedArguments passed{&op.arguments().front()};
  return run_bench_loop(times, [&] {
    clear_weight_cache(runtime);
    op.dispatcher().call_typed(op.typed(), passed);
  });
}

BenchRun promote(Runtime& runtime, std::int64_t times) {
  BenchOperator op = wrapped_operator(runtime, 2, CastPolicy::kPromote);
  op.arguments().front() = IValue(full(runtime, {1}, 1.0, ScalarType::kBFloat16, kCpuDevice));
  const AutocastOn on(runtime);
  return op.call(times);
}

}  // namespace

std::vector<NamedBenchLoop> autocast_bench_loops() {
  return {{"autocast_off", off},
          {"autocast_hit", hit},
          {"autocast_miss", miss},
          {"autocast_promote", promote}};
}

// The amp operators.

namespace {

TypedHandle amp_operator(Runtime& runtime, const char* name) {
  if (runtime.contract().release == Release::k1_13) {
    throw NotSupported("1.13 has no amp operators for the CPU");  // AMP-004
  }
  Dispatcher& dispatcher = dispatcher_of(runtime);
  const OperatorHandle op = dispatcher.op(name);
  return dispatcher.typed(op, signature_for(op.schema()));
}

Tensor number(Runtime& runtime, double value, ScalarType type = ScalarType::kFloat) {
  return full(runtime, {}, value, type, kCpuDevice);
}

/// The bits of a one-element tensor of 32 bits.
std::uint64_t bits_of(const Tensor& tensor) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, tensor.data(), sizeof bits);
  return bits;
}

/// Calls the operator, then reads the bits of `written`. By-value arguments are consumed by each
/// call.
BenchRun run_watching(const TypedHandle& op, const Stack& given, const Tensor& written,
                      std::int64_t times) {
  Stack values = given;
  TypedArguments passed;
  for (IValue& value : values) passed.push_back(&value);
  Dispatcher& dispatcher = op.op.dispatcher();
  return run_bench_loop(times, [&] {
    std::ranges::copy(given, values.begin());
    dispatcher.call_typed(op, passed);
    bench_sum().step(bits_of(written));
  });
}

BenchRun update_scale(Runtime& runtime, std::int64_t times) {
  const TypedHandle op = amp_operator(runtime, "aten::_amp_update_scale_");
  const Tensor tracker = number(runtime, 0, ScalarType::kInt);
  Stack values{IValue(number(runtime, 1)), IValue(tracker), IValue(number(runtime, 0))};
  values.insert(values.end(), {IValue(1.0), IValue(1.0), IValue(std::int64_t{2})});
  return run_watching(op, values, tracker, times);
}

BenchRun unscale(Runtime& runtime, std::int64_t times) {
  const TypedHandle op = amp_operator(runtime, "aten::_amp_foreach_non_finite_check_and_unscale_");
  const Tensor grad = full(runtime, {1}, 1.0, ScalarType::kFloat, kCpuDevice);
  const auto grads = std::make_shared<IValue::List>(IValue::List{IValue(grad)});
  Stack values{IValue(grads), IValue(number(runtime, 0)), IValue(number(runtime, -1))};
  return run_watching(op, values, grad, times);
}

}  // namespace

std::vector<NamedBenchLoop> amp_bench_loops() {
  return {{"amp_update_scale", update_scale}, {"amp_unscale", unscale}};
}

}  // namespace assay::reference
