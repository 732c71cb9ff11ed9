// Runs each batch as one command and checks its reply.
#include "harness/measure/batch.hpp"

#include <atomic>
#include <chrono>
#include <random>

namespace assay::measure {
namespace {

/// Odd, so that alternating iterations are visible in the checksum; above 1, so that order is.
constexpr std::int64_t kTrial = 5;
constexpr std::int64_t kSecondTrial = 2;
constexpr const char* kSimulated = "simulated";
/// The clock for loops that replay work: no host launches count there.
constexpr const char* kDeviceClock = "device";

void expect_ok(const Reply& reply) {
  if (reply.status == Reply::Status::kUnsupported) throw LoopMissing(reply.reason);
  if (reply.status == Reply::Status::kInvalid) throw LoopFailed("invalid: " + reply.reason);
  if (reply.status == Reply::Status::kError) throw LoopFailed(reply.error.message);
}

std::int64_t whole(const Reply& reply, const char* field) {
  const Value* value = reply.ok.find(field);
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  if (number == nullptr) {
    throw LoopFailed(std::string("the reply has no whole number '") + field + "'");
  }
  return *number;
}

std::string language(const Reply& reply) {
  const Value* value = reply.ok.find("via");
  const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
  if (text == nullptr || (*text != "c++" && *text != "python")) {
    throw LoopFailed("the reply says neither \"via\": \"c++\" nor \"via\": \"python\"");
  }
  return *text;
}

/// A subject with simulated devices reports this instead of a time.
bool is_simulated(const Reply& reply) {
  const Value* value = reply.ok.find("no_time");
  if (value == nullptr) return false;
  const auto* text = value->get_if<std::string>();
  if (text != nullptr && *text == kSimulated) return true;
  throw LoopFailed("the reply's \"no_time\" is not \"simulated\"");
}

std::int64_t count_of(const Reply& reply, const std::string& name) {
  const Value* value = reply.counts.find(name);
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  return number == nullptr ? 0 : *number;
}

/// Not 0, which is not sent.
std::uint64_t unknown_seed() {
  static std::random_device unknown;
  return (std::uint64_t{unknown()} << 32U) | unknown() | 1U;
}

std::string after(std::int64_t times) { return "after " + std::to_string(times) + " iterations "; }

}  // namespace

Fields to_fields(const LoopCall& call) {
  Fields fields{{"loop", call.loop->name}};
  for (const auto& [name, value] : call.arguments) {
    std::visit([&, key = name](const auto& plain) { fields.set(key, plain); }, value);
  }
  if (!call.sizes.empty()) fields.set("sizes", List{{call.sizes.begin(), call.sizes.end()}});
  if (call.seed != 0) fields.set("seed", static_cast<std::int64_t>(call.seed));
  return fields;
}

std::int64_t Batches::run(std::int64_t times) {
  const auto elapsed = run(times, Part::kEnds);
  if (!elapsed) throw TimeNotMeaningful(kSimulated);
  return *elapsed;
}

void Batches::check() {
  const auto first = run(kTrial, Part::kWhole);
  const auto second = run(kSecondTrial, Part::kWhole);
  if (!first || !second) throw TimeNotMeaningful(kSimulated);
}

void Batches::check_from_unknown_seeds() {
  for (const std::int64_t times : {kTrial, kSecondTrial}) {
    call_.seed = unknown_seed();
    run(times, Part::kWhole);
  }
}

WatchedBatch Batches::watch(std::int64_t times) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  call_.seed = unknown_seed();
  const Reply reply = ask(times, Part::kEnds);
  const auto end = Clock::now();
  const auto claimed = time_in(reply, times, Part::kEnds);
  if (!claimed) throw TimeNotMeaningful(kSimulated);
  return {static_cast<double>(*claimed),
          std::chrono::duration<double, std::nano>(end - begin).count()};
}

void Batches::run_without_kernels(std::int64_t times) {
  expect_steps(ask(times, Part::kEnds), times);
}

Reply Batches::ask(std::int64_t times, Part part) {
  static std::atomic<std::int64_t> id = 0;
  Command command;
  command.id = ++id;
  command.verb = "bench.run";
  command.with = to_fields(call_);
  command.with.set("n", times);
  if (call_.loop->result != nullptr) command.with.set("whole", part == Part::kWhole);
  command.count = !call_.loop->counted.empty();
  Reply reply = link_.exchange(command);
  expect_ok(reply);
  return reply;
}

std::optional<std::int64_t> Batches::run(std::int64_t times, Part part) {
  return time_in(ask(times, part), times, part);
}

std::optional<std::int64_t> Batches::time_in(const Reply& reply, std::int64_t times, Part part) {
  expect_steps(reply, times);
  expect_result(reply, times, part);
  expect_counts(reply, times);
  via_ = language(reply);
  if (is_simulated(reply)) return std::nullopt;
  const std::int64_t elapsed = whole(reply, "ns");
  if (elapsed < 0) throw LoopFailed("the clock ran backwards");
  return elapsed;
}

void Batches::expect_steps(const Reply& reply, std::int64_t times) {
  const auto got = static_cast<std::uint64_t>(whole(reply, "checksum"));
  const std::uint64_t wanted = expected(times);
  if (got == wanted) return;
  throw LoopFailed(after(times) + "the checksum is " + std::to_string(got) + ", not " +
                   std::to_string(wanted));
}

void Batches::expect_result(const Reply& reply, std::int64_t times, Part part) const {
  if (call_.loop->result == nullptr) return;
  const std::int64_t got = whole(reply, "result");
  const std::int64_t wanted = call_.loop->result(call_, times, part);
  if (got == wanted) return;
  throw LoopFailed(after(times) + "what is left on the device has the CRC-32 " +
                   std::to_string(got) + ", not " + std::to_string(wanted));
}

/// A runtime may need several launches per iteration, but at least one.
void Batches::expect_counts(const Reply& reply, std::int64_t times) const {
  const std::string counted(call_.loop->counted);
  const bool by_device = text_of(call_.arguments, "clock", "") == kDeviceClock;
  if (counted.empty() || reply.counts.empty() || by_device) return;
  if (const std::int64_t got = count_of(reply, counted); got < times) {
    throw LoopFailed(after(times) + std::to_string(got) + " " + counted + " are counted, not " +
                     std::to_string(times) + " or more");
  }
  if (const std::int64_t got = count_of(reply, "host_reads"); got != 0) {
    throw LoopFailed(after(times) + "the host has waited for " + std::to_string(got) +
                     " values of the device");
  }
}

/// All samples have the same number of iterations, so the last result is cached.
std::uint64_t Batches::expected(std::int64_t times) {
  if (times != expected_times_ || call_.seed != expected_seed_)
    expected_sum_ = expected_checksum(*call_.loop, times, call_.seed);
  expected_times_ = times;
  expected_seed_ = call_.seed;
  return expected_sum_;
}

}  // namespace assay::measure
