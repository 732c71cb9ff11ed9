// Sends commands to a worker and validates its replies.
#include "harness/bench/worker_client.hpp"

#include <cmath>

#include "harness/measure/batch.hpp"
#include "harness/measure/timed_loop.hpp"
#include "harness/stats/median.hpp"
#include "harness/suite/runner/hello.hpp"

namespace assay::bench {
namespace {

template <typename T>
const T& member(const Reply& reply, const char* name) {
  const Value* value = reply.ok.find(name);
  const T* found = value == nullptr ? nullptr : value->get_if<T>();
  if (found == nullptr) {
    throw WorkerError(std::string("the worker's reply has no valid '") + name + "'");
  }
  return *found;
}

/// Requires at least one value, all of them finite and not negative.
std::vector<double> times(const Reply& reply, const char* name) {
  std::vector<double> numbers;
  for (const Value& item : member<List>(reply, name).items) {
    const auto* number = item.get_if<double>();
    if (number == nullptr || !std::isfinite(*number) || *number < 0) {
      throw WorkerError(std::string("the worker's '") + name +
                        "' holds a value that is not a time");
    }
    numbers.push_back(*number);
  }
  if (numbers.empty()) throw WorkerError(std::string("the worker's '") + name + "' is empty");
  return numbers;
}

/// Requires one clock for each sample, or none at all.
std::vector<std::int64_t> clocks(const Reply& reply, std::size_t samples) {
  std::vector<std::int64_t> clocks;
  if (!reply.ok.has("sm_clocks_mhz")) return clocks;
  for (const Value& item : member<List>(reply, "sm_clocks_mhz").items) {
    const auto* clock = item.get_if<std::int64_t>();
    if (clock == nullptr || *clock < 0)
      throw WorkerError("the worker's 'sm_clocks_mhz' holds a value that is not a clock");
    clocks.push_back(*clock);
  }
  if (clocks.size() == samples) return clocks;
  throw WorkerError("the worker's 'sm_clocks_mhz' does not hold one clock for each sample");
}

Fields fields_of(const measure::TimingOptions& options) {
  Fields fields{{"samples", options.samples},
                {"min_time_ns", static_cast<std::int64_t>(options.min_time.count())}};
  if (options.iterations > 0) fields.set("iterations", options.iterations);
  return fields;
}

}  // namespace

Reply WorkerClient::ask(const char* verb, Fields with) {
  Command command;
  command.id = ++last_id_;
  command.verb = verb;
  command.with = std::move(with);
  Reply reply = link_->exchange(command);
  if (reply.status == Reply::Status::kUnsupported) throw measure::LoopMissing(reply.reason);
  if (reply.status == Reply::Status::kInvalid) throw WorkerError("invalid: " + reply.reason);
  if (reply.status == Reply::Status::kError) throw WorkerError(reply.error.message);
  return reply;
}

SubjectInfo WorkerClient::hello() { return say_hello(*link_, kTimedContract); }

report::BenchBuild WorkerClient::build() {
  const Reply reply = ask("bench.build", {});
  report::BenchBuild build{member<std::string>(reply, "tool"),
                           member<std::string>(reply, "revision"),
                           member<bool>(reply, "dirty"),
                           member<std::string>(reply, "build_type"),
                           member<std::string>(reply, "compiler"),
                           member<std::string>(reply, "flags"),
                           {}};
  // Older builds omit this field.
  if (reply.ok.has("program")) build.program = member<std::string>(reply, "program");
  return build;
}

Floors WorkerClient::calibrate(const measure::TimingOptions& options) {
  const Reply reply = ask("bench.calibrate", fields_of(options));
  const auto median = [&](const char* name) { return stats::median_of(times(reply, name)).value; };
  return {median("timer_cost_ns"), member<double>(reply, "timer_resolution_ns"),
          median("empty_loop_ns"), median("null_call_ns"), reply.ok.has("takes_iterations")};
}

measure::TimedLoop WorkerClient::time(const measure::LoopCall& call,
                                      const measure::TimingOptions& options) {
  Fields with = fields_of(options);
  for (const auto& [name, value] : measure::to_fields(call)) with.set(name, value);
  const Reply reply = ask("bench.measure", std::move(with));
  if (reply.ok.has("no_time"))
    throw measure::TimeNotMeaningful(member<std::string>(reply, "no_time"));
  measure::TimedLoop timed{times(reply, "samples"),
                           member<std::int64_t>(reply, "iterations"),
                           member<std::string>(reply, "via"),
                           {},
                           {}};
  timed.sm_clocks_mhz = clocks(reply, timed.samples.size());
  if (reply.ok.has("throttled_by"))
    timed.throttled_by = {member<std::string>(reply, "throttled_by")};
  if (timed.iterations < 1) throw WorkerError("the worker's 'iterations' is less than 1");
  if (timed.via != "c++" && timed.via != "python") {
    throw WorkerError("the worker's 'via' is neither c++ nor python");
  }
  return timed;
}

}  // namespace assay::bench
