// Timing loops that are right, wrong, or not there; no test looks at a time.
#include "harness/measure/timed_loop.hpp"

#include <gtest/gtest.h>

#include "harness/measure/bare_calls.hpp"
#include "harness/measure/batch.hpp"
#include "harness/subject/bench_loop.hpp"

namespace assay::measure {
namespace {

constexpr TimingOptions kQuick{.samples = 3, .min_time = std::chrono::nanoseconds(1000)};

/// Runs one iteration fewer than it was asked for, once it has been trusted for so many batches.
class Lazy final : public Subject {
 public:
  explicit Lazy(int honest) : honest_(honest) {}

  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const std::int64_t times = bench_times(arguments) - (honest_-- > 0 ? 0 : 1);
    const auto turn = bench_turn();
    return Reply::make_ok(to_fields(run_bench_loop(times, [] { bench_sum().step(1); })));
  }

 private:
  int honest_;
};

/// Answers what it was made with.
class Fixed final : public Subject {
 public:
  explicit Fixed(Reply reply) : reply_(std::move(reply)) {}
  Reply execute(const Command&, Host&) override { return reply_; }

 private:
  Reply reply_;
};

std::unique_ptr<Link> lazy_after(int honest) {
  return connect_in_process([=] { return std::make_unique<Lazy>(honest); });
}

std::unique_ptr<Link> answering(Reply reply) {
  return connect_in_process([=] { return std::make_unique<Fixed>(reply); });
}

template <typename Error>
std::string refusal(Link& link) {
  try {
    time_loop(link, *find_loop("empty"), kQuick);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was timed";
}

TEST(TimedLoop, EveryLoopOfTheBareCallsIsTimed) {
  const auto link = connect_in_process(make_bare_calls);
  for (const char* name : {"empty", "typed_1", "typed_2", "typed_4", "redispatch"}) {
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
    EXPECT_STREQ(missing.what(), "a function pointer has no autocast_hit");
  }
}

TEST(TimedLoop, ALoopThatIsCutShortAtItsCheckIsNotTimed) {
  const auto link = lazy_after(0);

  EXPECT_TRUE(refusal<LoopFailed>(*link).starts_with("after 5 iterations the checksum is"));
}

TEST(TimedLoop, ALoopThatIsCutShortLaterGivesNoTime) {
  const auto link = lazy_after(2);

  EXPECT_NE(refusal<LoopFailed>(*link).find("iterations the checksum is"), std::string::npos);
}

TEST(TimedLoop, AnErrorOfTheSubjectPassesThroughTheLibrary) {
  const auto link = answering(Reply::make_error(ErrorKind::kError, "no memory for a bench"));

  EXPECT_EQ(refusal<LoopFailed>(*link), "no memory for a bench");
}

TEST(TimedLoop, ARefusalOfTheSubjectPassesThroughTheLibrary) {
  const auto link = answering(Reply::make_unsupported("no bench here"));

  EXPECT_EQ(refusal<LoopMissing>(*link), "no bench here");
}

TEST(TimedLoop, AReplyWithoutALanguageIsRefused) {
  const auto sum = static_cast<std::int64_t>(expected_checksum(*find_loop("empty"), 5));
  const auto link = answering(Reply::make_ok({{"ns", 1}, {"checksum", sum}, {"via", "rust"}}));

  EXPECT_NE(refusal<LoopFailed>(*link).find("\"via\""), std::string::npos);
}

}  // namespace
}  // namespace assay::measure
