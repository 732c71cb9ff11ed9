// Loops of `bench.run`: calls under autocast.
#include "reference/autocast/weight_cache.hpp"
#include "reference/autocast/wrapper.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/subject/bench/loops.hpp"
#include "reference/subject/bench/operator.hpp"

namespace assay::reference {
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

}  // namespace assay::reference
