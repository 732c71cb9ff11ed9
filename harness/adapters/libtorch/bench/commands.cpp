// Area bench: loops that measure the cost of calls.
#include "harness/adapters/libtorch/bench/loops.hpp"
#include "harness/adapters/libtorch/command_table.hpp"

namespace assay::libtorch {
namespace {

BenchRun empty(std::int64_t times) {
  return run_bench_loop(times, [] { bench_sum().step(1); });
}

std::vector<NamedBenchLoop> all_loops() {
  std::vector<NamedBenchLoop> all{{"empty", empty}};
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
  for (const auto& [name, value] : to_fields(loop(turn.times()))) call.set(name, value);
}

}  // namespace assay::libtorch
