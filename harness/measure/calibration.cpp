// Runs loops through plain function pointers, and measures the floors of this process.
#include "harness/measure/calibration.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include "harness/measure/timed_loop.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

/// Takes the place of a tensor.
struct FakeTensor {
  float value = 0;
};

void last_1(const FakeTensor&) { bench_sum().step(1); }
void last_2(const FakeTensor&, const FakeTensor&) { bench_sum().step(1); }
void last_4(const FakeTensor&, const FakeTensor&, const FakeTensor&, const FakeTensor&) {
  bench_sum().step(1);
}

using Pointer1 = void (*)(const FakeTensor&);
using Pointer2 = void (*)(const FakeTensor&, const FakeTensor&);
using Pointer4 = void (*)(const FakeTensor&, const FakeTensor&, const FakeTensor&,
                          const FakeTensor&);

// Volatile, so that each call loads its target and no call is inlined.
volatile Pointer1 pointer_1 = last_1;
volatile Pointer2 pointer_2 = last_2;
volatile Pointer4 pointer_4 = last_4;

extern volatile Pointer1 chain[4];

template <int kBelow>
void passing(const FakeTensor& thing) {
  bench_sum().step(3);
  chain[kBelow](thing);
}
volatile Pointer1 chain[4]{last_1, passing<0>, passing<1>, passing<2>};

using Run = BenchRun (*)(std::int64_t times);

BenchRun run_empty(std::int64_t times) {
  return run_bench_loop(times, [] { bench_sum().step(1); });
}
BenchRun run_1(std::int64_t times) {
  const FakeTensor a;
  return run_bench_loop(times, [&] { pointer_1(a); });
}
BenchRun run_2(std::int64_t times) {
  const FakeTensor a, b;
  return run_bench_loop(times, [&] { pointer_2(a, b); });
}
BenchRun run_4(std::int64_t times) {
  const FakeTensor a, b, c, d;
  return run_bench_loop(times, [&] { pointer_4(a, b, c, d); });
}
template <int kDepth>
BenchRun run_chain(std::int64_t times) {
  const FakeTensor a;
  return run_bench_loop(times, [&] { chain[kDepth](a); });
}

Run run_named(const std::string& loop) {
  static const std::map<std::string_view, Run> runs{{"empty", run_empty},
                                                    {"typed_1", run_1},
                                                    {"typed_2", run_2},
                                                    {"typed_4", run_4},
                                                    {"redispatch_1", run_chain<1>},
                                                    {"redispatch_2", run_chain<2>},
                                                    {"redispatch_3", run_chain<3>}};
  const auto found = runs.find(loop);
  if (found == runs.end()) throw NotSupported("function pointers have no loop " + loop);
  return found->second;
}

class BareCalls final : public Subject {
 public:
  Reply execute(const Command& command, Host&) override {
    if (command.verb == "reset") return Reply::make_ok({{"uncleaned", List{}}});
    if (command.verb == "hello") return hello();
    if (command.verb != "bench.run") return Reply::make_unsupported("no command " + command.verb);
    try {
      return run(command);
    } catch (const InvalidArgument& wrong) {
      return Reply::make_invalid(wrong.what());
    } catch (const NotSupported& missing) {
      return Reply::make_unsupported(missing.what());
    }
  }

 private:
  static Reply run(const Command& command) {
    Arguments arguments(command);
    const Run run = run_named(arguments.text("loop"));
    const BenchTurn turn(arguments);
    arguments.done();
    return Reply::make_ok(to_fields(run(turn.times())));
  }

  static Reply hello() {
    return Reply::make_ok({{"protocol", kProtocolVersion},
                           {"name", "pointer"},
                           {"version", "1"},
                           {"devices", List{{Device{"cpu", -1}}}},
                           {"areas", List{{"bench"}}},
                           {"threads", false},
                           {"release", name_of(kTimedContract.release)},
                           {"device_rules", name_of(kTimedContract.device_rules)},
                           {"deviations", name_of(kTimedContract.deviations)}});
  }
};

}  // namespace

std::unique_ptr<Subject> make_bare_calls() { return std::make_unique<BareCalls>(); }

// The floors.

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReads = 2000;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

double cost_of_a_read() {
  const auto begin = Clock::now();
  auto end = begin;
  for (int i = 0; i < kReads; ++i) end = Clock::now();
  return nanoseconds(end - begin) / kReads;
}

double smallest_step() {
  double smallest = std::numeric_limits<double>::max();
  for (int i = 0; i < kReads; ++i) {
    const auto begin = Clock::now();
    auto end = Clock::now();
    while (end == begin) end = Clock::now();
    smallest = std::min(smallest, nanoseconds(end - begin));
  }
  return smallest;
}

}  // namespace

Calibration calibrate(const TimingOptions& options) {
  Calibration made;
  for (int i = 0; i < options.samples; ++i) made.timer_cost.push_back(cost_of_a_read());
  made.timer_resolution = smallest_step();
  const auto bare = connect_in_process(make_bare_calls);
  made.empty_loop = time_loop(*bare, *find_loop("empty"), options).samples;
  made.null_call = time_loop(*bare, *find_loop("typed_1"), options).samples;
  return made;
}

}  // namespace assay::measure
