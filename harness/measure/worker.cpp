// Answers the orchestrator's commands with the subject behind a link.
#include "harness/measure/worker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/measure/batch.hpp"
#include "harness/measure/calibration.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::measure {
namespace {

constexpr std::int64_t kMostSamples = 1000;
constexpr std::int64_t kLongestSample = 100'000'000'000;

TimingOptions options_of(Arguments& arguments) {
  const std::int64_t samples = arguments.integer("samples");
  const std::int64_t min_time = arguments.integer("min_time_ns");
  if (samples < 1 || samples > kMostSamples) {
    throw InvalidArgument("'samples' must be 1 to " + std::to_string(kMostSamples));
  }
  if (min_time < 1 || min_time > kLongestSample) {
    throw InvalidArgument("'min_time_ns' must be 1 to " + std::to_string(kLongestSample));
  }
  const std::int64_t iterations = arguments.integer("iterations", 0);
  if (iterations < 0) throw InvalidArgument("'iterations' must be 0 or more");
  return {static_cast<int>(samples), std::chrono::nanoseconds(min_time), iterations};
}

/// Arguments that are not the worker's own belong to the loop.
LoopCall call_of(Arguments& arguments, const Command& command) {
  const std::string name = arguments.text("loop");
  const Loop* loop = find_loop(name);
  if (loop == nullptr) throw NotSupported("no loop " + name);
  LoopCall call(*loop);
  for (const auto& [key, value] : command.with) {
    if (key == "loop" || key == "samples" || key == "min_time_ns" || key == "iterations") continue;
    if (value.is<List>()) {
      call.sizes = arguments.integers(key);
    } else if (value.is<std::int64_t>()) {
      call.arguments.emplace_back(key, arguments.integer(key));
    } else {
      call.arguments.emplace_back(key, arguments.text(key));
    }
  }
  return call;
}

template <typename Number>
Value to_value(const std::vector<Number>& numbers) {
  return List{{numbers.begin(), numbers.end()}};
}

class Worker final : public Subject {
 public:
  Worker(std::unique_ptr<Link> link, Fields build, ClockReader read_clock)
      : link_(std::move(link)), build_(std::move(build)), read_clock_(std::move(read_clock)) {}

  Reply execute(const Command& command, Host&) override {
    try {
      return answer(command);
    } catch (const InvalidArgument& wrong) {
      return Reply::make_invalid(wrong.what());
    } catch (const NotSupported& missing) {
      return Reply::make_unsupported(missing.what());
    } catch (const LoopMissing& missing) {
      return Reply::make_unsupported(missing.what());
    } catch (const TimeNotMeaningful& none) {
      return Reply::make_ok({{"no_time", none.what()}});
    } catch (const LoopFailed& failed) {
      return Reply::make_error(ErrorKind::kError, failed.what());
    } catch (const LinkBroken& broken) {
      link_->restart();
      return Reply::make_error(ErrorKind::kError, broken.what());
    }
  }

 private:
  Reply answer(const Command& command) {
    if (command.verb == "bench.measure") return measure(command);
    if (command.verb == "bench.calibrate") return calibrated(command);
    if (command.verb == "bench.build") return Reply::make_ok(build_);
    if (command.verb != "hello" && command.verb != "reset" && command.verb != "bench.run") {
      throw NotSupported("unknown command of a bench worker: " + command.verb);
    }
    return link_->exchange(command);
  }

  Reply measure(const Command& command) {
    Arguments arguments(command);
    const TimingOptions options = options_of(arguments);
    const TimedLoop timed = time_loop(*link_, call_of(arguments, command), options, read_clock_);
    Reply reply = Reply::make_ok({{"samples", to_value(timed.samples)},
                                  {"iterations", timed.iterations},
                                  {"via", timed.via}});
    if (!timed.sm_clocks_mhz.empty()) reply.ok.set("sm_clocks_mhz", to_value(timed.sm_clocks_mhz));
    if (!timed.throttled_by.empty())
      reply.ok.set("throttled_by", fmt::format("{}", fmt::join(timed.throttled_by, ", ")));
    return reply;
  }

  static Reply calibrated(const Command& command) {
    Arguments arguments(command);
    const TimingOptions options = options_of(arguments);
    arguments.done();
    const Calibration found = calibrate(options);
    return Reply::make_ok({{"timer_cost_ns", to_value(found.timer_cost)},
                           {"timer_resolution_ns", found.timer_resolution},
                           {"empty_loop_ns", to_value(found.empty_loop)},
                           {"null_call_ns", to_value(found.null_call)},
                           {"takes_iterations", true}});
  }

  std::unique_ptr<Link> link_;
  Fields build_;
  ClockReader read_clock_;
};

}  // namespace

std::unique_ptr<Subject> make_worker(std::unique_ptr<Link> link, Fields build,
                                     ClockReader read_clock) {
  return std::make_unique<Worker>(std::move(link), std::move(build), std::move(read_clock));
}

}  // namespace assay::measure
