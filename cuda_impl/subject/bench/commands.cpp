// Area bench: loops that measure what calls, launches and kernels cost.
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/logs.hpp"
#include "cuda_impl/runtime/stream_guard.hpp"
#include "cuda_impl/subject/bench/clock.hpp"
#include "cuda_impl/subject/bench/data.hpp"
#include "cuda_impl/subject/bench/host.hpp"
#include "cuda_impl/subject/bench/named_range.hpp"
#include "cuda_impl/subject/command_table.hpp"
#include "cuda_impl/subject/simulated.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::cuda {
namespace {

/// Loops without results on a device, such as event records, use the launch clock.
BenchClock clock_argument(Call& call) {
  const std::string name = call.arguments().text("clock", "launch");
  const std::string l2 = call.arguments().text("l2", "hot");
  if (l2 == "cold" && name == "device") return BenchClock::kCold;
  if (l2 == "cold" && name == "activity") return BenchClock::kColdActivity;
  if (l2 != "hot") throw InvalidArgument("bench.run: 'l2' is hot, or by the device's clock cold");
  if (name == "launch") return BenchClock::kLaunch;
  if (name == "submit") return BenchClock::kSubmit;
  if (name == "sync") return BenchClock::kSync;
  if (name == "device") return BenchClock::kDevice;
  if (name == "activity") return BenchClock::kActivity;
  throw InvalidArgument("bench.run: there is no clock '" + name + "'");
}

std::unique_ptr<BenchWork> work_argument(Call& call) {
  const Uncounted uncounted;
  return make_bench_work(call);
}

/// An operator without a kernel for the dtype counts as an unsupported loop.
std::int64_t time_or_refuse(Call& call, BenchWork& work, std::int64_t times) {
  const BenchClock clock = clock_argument(call);
  const NamedRange range(call.arguments().text("loop") + " by the clock " +
                         call.arguments().text("clock", "launch"));
  try {
    return time_on(clock, work, times, call.release());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotImplemented) throw;
    throw NotSupported(error.message());
  }
}

/// The stream of the loop: `default`, or one from the pool.
std::optional<Stream> stream_for_loop(Call& call) {
  const std::string kind = call.arguments().text("stream", "default");
  if (kind == "default") return std::nullopt;
  if (kind == "pool") return stream_from_pool_by_rank(false, 0);
  if (kind == "high") return stream_from_pool_by_rank(true, 0);
  throw InvalidArgument("bench.run: there is no stream '" + kind + "'");
}

void run_on_device(Call& call, std::int64_t times) {
  const Untraced untraced;
  const bool whole = call.arguments().boolean("whole", false);
  const OptionalStreamGuard guard(stream_for_loop(call));
  const std::unique_ptr<BenchWork> work = work_argument(call);
  const std::int64_t elapsed = time_or_refuse(call, *work, times);
  const Uncounted uncounted;
  if (const auto results = work->results(); !results.empty()) {
    call.set("result", static_cast<std::int64_t>(bench_result(results, whole)));
  }
  call.set("checksum", static_cast<std::int64_t>(bench_sum().value()));
  call.set("via", "c++");
  if (is_simulated()) return call.set("no_time", "simulated");
  call.set("ns", elapsed);
}

}  // namespace

void bench_run(Call& call) {
  const BenchTurn turn(call.arguments());
  const HostLoop loop = host_loop_named(call.arguments().text("loop"));
  if (loop == nullptr) return run_on_device(call, turn.times());
  const Uncounted uncounted;
  for (const auto& [name, value] : to_fields(loop(call.contract(), turn.times())))
    call.set(name, value);
}

}  // namespace assay::cuda
