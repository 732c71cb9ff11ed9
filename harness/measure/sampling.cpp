// One command a batch.
#include "harness/measure/sampling.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::measure {
namespace {

/// Odd, so that a loop whose iterations alternate shows it; more than one, so that order does.
constexpr std::int64_t kTrial = 5;
constexpr std::int64_t kMostTimes = 1'000'000'000;

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Lacking : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::int64_t whole(const Reply& reply, const char* field) {
  const Value* value = reply.ok.find(field);
  const auto* number = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  if (number == nullptr) throw Wrong(std::string("the reply has no whole number '") + field + "'");
  return *number;
}

void expect_ok(const Reply& reply) {
  if (reply.status == Reply::Status::kUnsupported) throw Lacking(reply.reason);
  if (reply.status == Reply::Status::kInvalid) throw Wrong("invalid: " + reply.reason);
  if (reply.status == Reply::Status::kError) throw Wrong(reply.error.message);
}

/// Nanoseconds of a batch. Throws Lacking and Wrong.
std::int64_t run_batch(const Contender& contender, std::int64_t times) {
  static std::int64_t id = 0;
  Command command;
  command.id = ++id;
  command.verb = "bench.run";
  command.with = {{"loop", std::string(contender.loop->name)}, {"n", times}};
  const Reply reply = contender.link->exchange(command);
  expect_ok(reply);
  const auto got = static_cast<std::uint64_t>(whole(reply, "checksum"));
  const std::uint64_t wanted = expected_checksum(*contender.loop, times);
  if (got != wanted) {
    throw Wrong("after " + std::to_string(times) + " iterations the checksum is " +
                std::to_string(got) + ", not " + std::to_string(wanted));
  }
  const std::int64_t elapsed = whole(reply, "ns");
  if (elapsed < 0) throw Wrong("the clock ran backwards");
  return elapsed;
}

/// How many iterations take as long as a batch should.
std::int64_t calibrated(const Contender& contender, std::chrono::nanoseconds batch) {
  run_batch(contender, kTrial);
  std::int64_t times = 1;
  while (times < kMostTimes) {
    const std::int64_t elapsed = run_batch(contender, times);
    if (elapsed >= batch.count()) break;
    // Aims a little further than needed; a short batch says little about a long one.
    const std::int64_t aim = batch.count() * 12 / 10 * times / std::max<std::int64_t>(elapsed, 1);
    times = std::clamp(aim, times + 1, times * 10);
  }
  return std::min(times, kMostTimes);
}

/// Runs `step` unless the contender is out already; puts it out if it fails.
template <typename Step>
void attempt(Samples& samples, const Step& step) {
  if (samples.status != Samples::Status::kTimed) return;
  try {
    step();
  } catch (const Lacking& lacking) {
    samples = {Samples::Status::kLacking, lacking.what()};
  } catch (const Wrong& wrong) {
    samples = {Samples::Status::kWrong, wrong.what()};
  }
}

}  // namespace

std::vector<Samples> sample(const std::vector<Contender>& contenders,
                            const SamplingOptions& options) {
  std::vector<Samples> all(contenders.size());
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    attempt(all[i], [&] { all[i].times = calibrated(contenders[i], options.batch); });
  }
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
      const std::size_t i = round % 2 == 0 ? turn : contenders.size() - 1 - turn;
      attempt(all[i], [&] {
        const std::int64_t elapsed = run_batch(contenders[i], all[i].times);
        all[i].ns.push_back(static_cast<double>(elapsed) / static_cast<double>(all[i].times));
      });
    }
  }
  return all;
}

}  // namespace assay::measure
