// Tests of what an audit accepts and refuses, with scripted subjects.
#include "harness/bench/audit.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "harness/measure/batch.hpp"
#include "harness/measure/loops.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/subject/arguments.hpp"

namespace assay::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Works for some time an iteration, and claims another; answers the right checksum.
class Scripted final : public Subject {
 public:
  Scripted(double works_ns, double claims_ns) : works_ns_(works_ns), claims_ns_(claims_ns) {}

  Reply execute(const Command& command, Host&) override {
    Arguments arguments(command);
    const auto times = arguments.integer("n");
    const auto seed = static_cast<std::uint64_t>(arguments.integer("seed", 0));
    const auto end =
        Clock::now() +
        std::chrono::nanoseconds(static_cast<std::int64_t>(works_ns_ * static_cast<double>(times)));
    while (Clock::now() < end) continue;
    const std::uint64_t sum =
        measure::expected_checksum(*measure::find_loop("typed_1"), times, seed);
    const double claimed = claims_ns_ * static_cast<double>(times);
    return Reply::make_ok({{"ns", static_cast<std::int64_t>(claimed)},
                           {"checksum", static_cast<std::int64_t>(sum)},
                           {"via", "c++"}});
  }

 private:
  double works_ns_, claims_ns_;
};

std::string refusal_of(double works_ns, double claims_ns, double reported_ns, double step_ns = 1) {
  const auto link =
      connect_in_process([=] { return std::make_unique<Scripted>(works_ns, claims_ns); });
  return Auditor(step_ns).audit(*link, *measure::find_loop("typed_1"), reported_ns, 2000).refusal;
}

TEST(Audit, AcceptsWhatTheHarnessWaitedFor) {
  EXPECT_EQ(refusal_of(1000, 1000, 1000), "");
  EXPECT_EQ(refusal_of(1000, 1000, 9000), "");  // a busy machine slowed what was timed
}

TEST(Audit, RefusesLessThanAThirdOfTheWait) {
  EXPECT_TRUE(
      holds(refusal_of(1000, 100, 100), "claimed 100 ns for an iteration, the harness waited"));
}

TEST(Audit, RefusesMoreThanTheWait) {
  EXPECT_TRUE(holds(refusal_of(0, 1000, 1000), "for a batch that was answered after"));
}

TEST(Audit, RefusesATimeThatUnknownSeedsDoNotConfirm) {
  EXPECT_TRUE(holds(refusal_of(1000, 1000, 200),
                    "claimed 200 ns for an iteration when it was timed, and 1 us from unknown"))
      << refusal_of(1000, 1000, 200);
}

TEST(Audit, RefusesLessThanTheChecksumTakes) {
  EXPECT_EQ(refusal_of(500, 500, 500, 1500), "");
  EXPECT_EQ(refusal_of(500, 500, 500, 1600),
            "claimed 500 ns for an iteration, whose checksum alone takes 1.6 us here");
}

TEST(Audit, HoldsCountedInstructionsAgainstTheTime) {
  const measure::Loop& loop = *measure::find_loop("observed");  // three steps
  EXPECT_EQ(refusal_by_count(loop, 100, 300), "");
  EXPECT_EQ(refusal_by_count(loop, 100, 6), "");
  EXPECT_EQ(refusal_by_count(loop, 100, 5),
            "an iteration has 5 instructions, fewer than its checksum takes");
  EXPECT_EQ(refusal_by_count(loop, 1, 300), "claimed 1 ns for an iteration of 300 instructions");
}

}  // namespace
}  // namespace assay::bench
