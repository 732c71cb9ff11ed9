// Loops of `bench.run`: the amp operators, on the CPU.
#include <algorithm>
#include <cstring>

#include "reference/core/tensor/factory.hpp"
#include "reference/dispatch/dispatcher_of.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"
#include "reference/subject/bench/loops.hpp"

namespace assay::reference {
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
