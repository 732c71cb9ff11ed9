// Tests that random litmus programs have the documented sizes and elements.
#include "harness/program/litmus_random.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace assay::litmus {
namespace {

/// Situations that the programs must cover (§5.6).
class Situations {
 public:
  void look_at(const Program& program) {
    const auto all = program.operations();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i]->verb == Verb::kWait) wait(all, i);
      if (all[i]->verb == Verb::kRecord)
        ++seen_[waited(all, i) ? "record behind a wait" : "record"];
    }
    if (to_text(program).find("open(g1); open(g0)") != std::string::npos)
      ++seen_["reverse opening"];
    seen_["threads"] += program.threads.size() > 1 ? 1 : 0;
  }

  void look_at(const Permitted& permitted) {
    if (permitted.hangs) ++seen_[permitted.outcomes.empty() ? "hangs" : "may hang"];
    if (permitted.outcomes.size() == 1) ++seen_["forced"];
    if (permitted.outcomes.size() > 1) ++seen_["free"];
  }

  int operator[](const std::string& situation) { return seen_[situation]; }

 private:
  using Operations = std::vector<const Operation*>;

  void wait(const Operations& all, std::size_t at) {
    bool recorded = false;
    for (std::size_t i = 0; i < at; ++i) {
      recorded = recorded || (all[i]->verb == Verb::kRecord && all[i]->object == all[at]->object);
    }
    if (!recorded) ++seen_["wait on unrecorded"];
    for (std::size_t i = at + 1; recorded && i < all.size(); ++i) {
      if (all[i]->verb == Verb::kRecord && all[i]->object == all[at]->object) ++seen_["re-record"];
    }
  }

  static bool waited(const Operations& all, std::size_t at) {
    for (std::size_t i = 0; i < at; ++i) {
      if (all[i]->verb == Verb::kWait && all[i]->stream.name == all[at]->stream.name) return true;
    }
    return false;
  }

  std::map<std::string, int> seen_;
};

TEST(RandomLitmus, IsReadAgainAsItWasWritten) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    Random random(1, i);
    const Program program = random_program(random);

    EXPECT_EQ(to_text(parse(to_text(program))), to_text(program));
    EXPECT_LE(program.device_operations(), 8u);
  }
}

TEST(RandomLitmus, ReachesEverySituation) {
  Situations situations;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Random random(2, i);
    const Program program = random_program(random);
    situations.look_at(program);
    situations.look_at(permitted(program));
  }

  for (const char* situation :
       {"re-record", "wait on unrecorded", "record behind a wait", "record", "reverse opening",
        "threads", "hangs", "may hang", "forced", "free"}) {
    EXPECT_GE(situations[situation], 10) << situation;
  }
}

TEST(RandomLitmus, LongProgramsCanBeMadeOneCallAfterAnother) {
  std::size_t longest = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(3, i);
    const LongProgram made = random_long_program(random, {.devices = 2, .copies = i % 2 == 0});
    longest = std::max(longest, made.calls.size());

    EXPECT_EQ(to_text(parse(to_text(made.program))), to_text(made.program));
    EXPECT_EQ(made.calls.size(), program_order(made.program).size());
    const auto order = one_by_one(made.program);
    if (made.program.threads.size() > 1) continue;
    EXPECT_EQ(order, made.calls);
  }
  EXPECT_GE(longest, 38u);
}

}  // namespace
}  // namespace assay::litmus
