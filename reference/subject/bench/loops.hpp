// The loops of `bench.run` for the reference, one function for each theme, and the temporary
// operator of a loop.
#pragma once

#include <string_view>
#include <vector>

#include "harness/subject/bench_loop.hpp"
#include "reference/core/runtime.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// Sets up the loop's data, runs the loop, and cleans up.
using BenchLoop = BenchRun (*)(Runtime& runtime, std::int64_t times);

struct NamedBenchLoop {
  std::string_view name;
  BenchLoop run;
};

std::vector<NamedBenchLoop> dispatch_bench_loops();
std::vector<NamedBenchLoop> autocast_bench_loops();
std::vector<NamedBenchLoop> amp_bench_loops();
std::vector<NamedBenchLoop> device_bench_loops();

/// Its parameters are tensor references; it returns nothing.
class BenchOperator {
 public:
  BenchOperator(Runtime& runtime, std::size_t tensors);

  Dispatcher& dispatcher() { return dispatcher_; }
  const TypedHandle& typed() const { return typed_; }
  KeySet set_of(std::initializer_list<DispatchKey> keys) const;
  /// One-element tensors on the CPU.
  std::vector<IValue>& arguments() { return arguments_; }

  void add(DispatchKey key, const Kernel& kernel);
  void add_fallback(DispatchKey key, const Kernel& kernel);
  /// Creates a typed kernel with the operator's signature.
  Kernel kernel(TypedFunction function) const;

  /// Makes a typed call, `times` times.
  BenchRun call(std::int64_t times);

 private:
  Dispatcher& dispatcher_;
  std::vector<Registration> registrations_;
  TypedHandle typed_;
  std::vector<IValue> arguments_;
};

/// The body of the last kernel in a call.
Stack last_bench_kernel(const OperatorHandle& op, KeySet keys, const TypedArguments& arguments);

}  // namespace assay::reference
