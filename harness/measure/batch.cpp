// One command a batch.
#include "harness/measure/batch.hpp"

namespace assay::measure {
namespace {

/// Odd, so that a loop whose iterations alternate shows it; more than one, so that order does.
constexpr std::int64_t kTrial = 5;

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

}  // namespace

Fields to_fields(const LoopCall& call) {
  Fields fields{{"loop", call.loop->name}};
  for (const auto& [name, value] : call.arguments) {
    std::visit([&, key = name](const auto& plain) { fields.set(key, plain); }, value);
  }
  return fields;
}

std::int64_t Batches::run(std::int64_t times) {
  static std::int64_t id = 0;
  Command command;
  command.id = ++id;
  command.verb = "bench.run";
  command.with = to_fields(call_);
  command.with.set("n", times);
  const Reply reply = link_.exchange(command);
  expect_ok(reply);
  const auto got = static_cast<std::uint64_t>(whole(reply, "checksum"));
  if (const std::uint64_t wanted = expected(times); got != wanted) {
    throw LoopFailed("after " + std::to_string(times) + " iterations the checksum is " +
                     std::to_string(got) + ", not " + std::to_string(wanted));
  }
  const std::int64_t elapsed = whole(reply, "ns");
  if (elapsed < 0) throw LoopFailed("the clock ran backwards");
  via_ = language(reply);
  return elapsed;
}

void Batches::check() { run(kTrial); }

/// Samples have the same number of iterations, so the last answer is kept.
std::uint64_t Batches::expected(std::int64_t times) {
  if (times != expected_times_) expected_sum_ = expected_checksum(*call_.loop, times);
  expected_times_ = times;
  return expected_sum_;
}

}  // namespace assay::measure
