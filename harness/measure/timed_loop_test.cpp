// Tests of timing loops that are correct, wrong or missing; times are not checked.
#include "harness/measure/timed_loop.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "harness/measure/batch.hpp"
#include "harness/measure/calibration.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

constexpr TimingOptions kQuick{.samples = 3, .min_time = std::chrono::nanoseconds(1000)};

/// Runs one iteration fewer than requested, after a number of correct batches.
class Lazy final : public Subject {
 public:
  explicit Lazy(int honest) : honest_(honest) {}

  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const BenchTurn turn(arguments);
    const std::int64_t times = turn.times() - (honest_-- > 0 ? 0 : 1);
    return Reply::make_ok(to_fields(run_bench_loop(times, [] { bench_sum().step(1); })));
  }

 private:
  int honest_;
};

/// Always gives the same reply.
class Fixed final : public Subject {
 public:
  explicit Fixed(Reply reply) : reply_(std::move(reply)) {}
  Reply execute(const Command&, Host&) override { return reply_; }

 private:
  Reply reply_;
};

/// Reports 1 ns per iteration, and one second from some batch on.
class Slowing final : public Subject {
 public:
  explicit Slowing(int fast) : fast_(fast) {}

  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const BenchTurn turn(arguments);
    const std::int64_t times = turn.times();
    BenchRun done = run_bench_loop(times, [] { bench_sum().step(1); });
    done.elapsed_ns = fast_-- > 0 ? times : times * 1'000'000'000;
    return Reply::make_ok(to_fields(done));
  }

 private:
  int fast_;
};

std::unique_ptr<Link> lazy_after(int honest) {
  return connect_in_process([=] { return std::make_unique<Lazy>(honest); });
}

/// An honest subject's replies, changed on their way.
class Changed final : public Link {
 public:
  using Change = std::function<void(Reply& reply)>;
  explicit Changed(Change change) : change_(std::move(change)) {}

  Reply exchange(const Command& command) override {
    Reply reply = honest_->exchange(command);
    change_(reply);
    return reply;
  }
  void restart() override { honest_->restart(); }

 private:
  std::unique_ptr<Link> honest_ = connect_in_process(make_bare_calls);
  Change change_;
};

std::unique_ptr<Link> answering(Reply reply) {
  return connect_in_process([=] { return std::make_unique<Fixed>(reply); });
}

template <typename Error>
std::string refusal(Link& link) {
  return error_of<Error>([&] { time_loop(link, *find_loop("empty"), kQuick); }, "it was timed");
}

TEST(TimedLoop, EveryLoopOfTheBareCallsIsTimed) {
  const auto link = connect_in_process(make_bare_calls);
  for (const char* name : {"empty", "typed_1", "typed_2", "typed_4", "redispatch_3"}) {
    const TimedLoop timed = time_loop(*link, *find_loop(name), kQuick);

    EXPECT_EQ(timed.samples.size(), 3U) << name;
    EXPECT_GE(timed.iterations, 1) << name;
    EXPECT_EQ(timed.via, "c++") << name;
  }
}

TEST(TimedLoop, OneThatTheSubjectDoesNotHaveIsMissing) {
  const auto link = connect_in_process(make_bare_calls);
  try {
    time_loop(*link, *find_loop("autocast_hit"), kQuick);
    ADD_FAILURE() << "it was timed";
  } catch (const LoopMissing& missing) {
    EXPECT_STREQ(missing.what(), "function pointers have no loop autocast_hit");
  }
}

TEST(TimedLoop, ALoopThatBecomesFarSlowerIsLeftEarly) {
  constexpr TimingOptions kTen{.samples = 10, .min_time = std::chrono::nanoseconds(1000)};
  for (const int fast : {0, 6}) {
    const auto link = connect_in_process([=] { return std::make_unique<Slowing>(fast); });

    const TimedLoop timed = time_loop(*link, *find_loop("empty"), kTen);

    EXPECT_GE(timed.samples.size(), 1U);
    EXPECT_LT(timed.samples.size(), 10U);
  }
}

TEST(TimedLoop, ALoopThatIsCutShortAtItsCheckIsNotTimed) {
  const auto link = lazy_after(0);

  EXPECT_TRUE(refusal<LoopFailed>(*link).starts_with("after 5 iterations the checksum is"));
}

TEST(TimedLoop, ALoopThatIsCutShortLaterGivesNoTime) {
  const auto link = lazy_after(2);

  EXPECT_TRUE(holds(refusal<LoopFailed>(*link), "iterations the checksum is"));
}

TEST(TimedLoop, ALostSubjectGetsNoMoreCommandsAndItsEndIsTheReason) {
  int batches = 0;
  Changed link([&](Reply&) {
    if (++batches < 5) return;
    throw LinkBroken(LinkBroken::Cause::kDied, batches == 5 ? "it died" : "it is not running");
  });

  EXPECT_EQ(refusal<LinkBroken>(link), "it died");
  EXPECT_EQ(batches, 5);
}

TEST(TimedLoop, AnErrorOfTheSubjectPassesThroughTheLibrary) {
  const auto link = answering(Reply::make_error(ErrorKind::kError, "no memory for a bench"));

  EXPECT_EQ(refusal<LoopFailed>(*link), "no memory for a bench");
}

TEST(TimedLoop, ARefusalOfTheSubjectPassesThroughTheLibrary) {
  const auto link = answering(Reply::make_unsupported("no bench here"));

  EXPECT_EQ(refusal<LoopMissing>(*link), "no bench here");
}

/// The correct reply of a subject to the loop `kernel`.
Reply right_reply(std::int64_t times) {
  const std::uint64_t sum = expected_checksum(*find_loop("kernel"), times);
  Reply reply = Reply::make_ok({{"ns", times},
                                {"checksum", static_cast<std::int64_t>(sum)},
                                {"result", static_cast<std::int64_t>(counted_tracker(
                                               *find_loop("kernel"), times, Part::kWhole))},
                                {"via", "c++"}});
  reply.counts = {{"launches", times}, {"host_reads", 0}};
  return reply;
}

/// Changes its replies after a number of correct batches.
class Spoilt final : public Subject {
 public:
  using Change = void (*)(Reply& reply);
  Spoilt(int honest, Change change) : honest_(honest), change_(change) {}

  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    Reply reply = right_reply(arguments.integer("n"));
    if (honest_-- <= 0) change_(reply);
    return reply;
  }

 private:
  int honest_;
  Change change_;
};

std::string refusal_of(int honest, Spoilt::Change change) {
  const auto link = connect_in_process([=] { return std::make_unique<Spoilt>(honest, change); });
  return error_of<std::runtime_error>([&] { time_loop(*link, *find_loop("kernel"), kQuick); },
                                      "it was timed");
}

TEST(TimedLoop, DataLeftOnADeviceIsCompared) {
  const auto spoil = [](Reply& reply) { reply.ok.set("result", 1); };

  EXPECT_EQ(refusal_of(0, [](Reply&) {}), "it was timed");
  EXPECT_TRUE(refusal_of(0, spoil).starts_with(
      "after 5 iterations what is left on the device has the CRC-32 1, not "));
  EXPECT_TRUE(refusal_of(1, spoil).starts_with("after 2 iterations what is left on the device"));
  EXPECT_TRUE(holds(refusal_of(2, spoil), "what is left on the device"));
}

TEST(TimedLoop, CountsAreComparedWithIterations) {
  EXPECT_EQ(refusal_of(0, [](Reply& reply) { reply.counts = {}; }), "it was timed");
  EXPECT_EQ(refusal_of(0, [](Reply& reply) { reply.counts.set("launches", 4); }),
            "after 5 iterations 4 launches are counted, not 5 or more");
  EXPECT_EQ(refusal_of(0, [](Reply& reply) { reply.counts.set("host_reads", 2); }),
            "after 5 iterations the host has waited for 2 values of the device");
}

TEST(TimedLoop, UnrequestedCountsAreIgnored) {
  Changed link([](Reply& reply) { reply.counts.set("launches", 0); });

  EXPECT_EQ(refusal<LoopFailed>(link), "it was timed");
}

TEST(TimedLoop, ASimulatedDeviceHasNoTimeButIsChecked) {
  const auto simulated = [](Reply& reply) { reply.ok.set("no_time", "simulated"); };
  const auto wrong = [](Reply& reply) {
    reply.ok.set("no_time", "simulated");
    reply.ok.set("checksum", 3);
  };

  EXPECT_EQ(refusal_of(0, simulated), "simulated");
  EXPECT_TRUE(refusal_of(0, wrong).starts_with("after 5 iterations the checksum is 3, not "));
  EXPECT_EQ(refusal_of(0, [](Reply& reply) { reply.ok.set("no_time", "tired"); }),
            "the reply's \"no_time\" is not \"simulated\"");
}

TEST(TimedLoop, AReplyWithoutALanguageIsRefused) {
  const auto sum = static_cast<std::int64_t>(expected_checksum(*find_loop("empty"), 5));
  const auto link = answering(Reply::make_ok({{"ns", 1}, {"checksum", sum}, {"via", "rust"}}));

  EXPECT_TRUE(holds(refusal<LoopFailed>(*link), "\"via\""));
}

}  // namespace
}  // namespace assay::measure
