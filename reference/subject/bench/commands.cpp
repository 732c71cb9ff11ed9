// Area bench: loops that measure what a call costs; registers operators for them.
#include "reference/core/tensor/factory.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"
#include "reference/subject/bench/loops.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

constexpr const char* kName = "assay_bench::call";

std::string schema_text(std::size_t tensors) {
  std::string text = std::string(kName) + "(";
  for (std::size_t i = 0; i < tensors; ++i) {
    text += (i == 0 ? "Tensor t" : ", Tensor t") + std::to_string(i);
  }
  return text + ") -> ()";
}

TypedHandle defined(Dispatcher& dispatcher, std::size_t tensors,
                    std::vector<Registration>& registrations) {
  registrations.push_back(dispatcher.define(schema_text(tensors)));
  const OperatorHandle op = dispatcher.op(kName);
  return dispatcher.typed(op, signature_for(op.schema()));
}

}  // namespace

BenchOperator::BenchOperator(Runtime& runtime, std::size_t tensors)
    : dispatcher_(dispatcher_of(runtime)), typed_(defined(dispatcher_, tensors, registrations_)) {
  for (std::size_t i = 0; i < tensors; ++i) {
    arguments_.emplace_back(full(runtime, {1}, 1.0, ScalarType::kFloat, kCpuDevice));
  }
}

KeySet BenchOperator::set_of(std::initializer_list<DispatchKey> keys) const {
  return reference::set_of(dispatcher_.layout(), keys);
}

void BenchOperator::add(DispatchKey key, const Kernel& kernel) {
  registrations_.push_back(dispatcher_.impl(kName, key, kernel, "bench"));
}

void BenchOperator::add_fallback(DispatchKey key, const Kernel& kernel) {
  registrations_.push_back(dispatcher_.fallback(key, kernel, "bench"));
}

Kernel BenchOperator::kernel(TypedFunction function) const {
  return Kernel::typed(typed_.signature, std::move(function));
}

BenchRun BenchOperator::call(std::int64_t times) {
  TypedArguments passed;
  for (IValue& argument : arguments_) passed.push_back(&argument);
  return run_bench_loop(times, [&] { dispatcher_.call_typed(typed_, passed); });
}

Stack last_bench_kernel(const OperatorHandle&, KeySet, const TypedArguments&) {
  bench_sum().step(1);
  return {};
}

namespace {

std::vector<NamedBenchLoop> all_loops() {
  std::vector<NamedBenchLoop> all{{"empty", [](Runtime&, std::int64_t times) {
                                     return run_bench_loop(times, [] { bench_sum().step(1); });
                                   }}};
  for (const auto& theme :
       {dispatch_bench_loops(), autocast_bench_loops(), amp_bench_loops(), device_bench_loops()}) {
    all.insert(all.end(), theme.begin(), theme.end());
  }
  return all;
}

BenchLoop loop_argument(Call& call) {
  const std::string name = call.arguments().text("loop");
  for (const NamedBenchLoop& loop : all_loops()) {
    if (loop.name == name) return loop.run;
  }
  throw NotSupported("there is no loop " + name);
}

}  // namespace

void bench_run(Call& call) {
  const BenchLoop loop = loop_argument(call);
  const BenchTurn turn(call.arguments());
  for (const auto& [name, value] : to_fields(loop(call.runtime(), turn.times())))
    call.set(name, value);
}

}  // namespace assay::reference
