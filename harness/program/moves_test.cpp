// Tests that random programs are long, use every command, often raise, and are reproducible.
#include "harness/program/moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kPrograms = 3000;

std::string text_of(const Block& program) {
  std::string text;
  for (const Command& command : program) text += to_json(command) + "\n";
  return text;
}

void collect_verbs(const Block& block, std::set<std::string>& verbs) {
  for (const Command& command : block) {
    verbs.insert(command.verb);
    collect_verbs(command.enter, verbs);
    collect_verbs(command.body, verbs);
  }
}

ProgramPlan whole_plan() { return {areas_with_moves(), {}, 7}; }

TEST(RandomPrograms, AreTheSameForASeedAndOthersForAnother) {
  ProgramPlan plan = whole_plan();
  const std::string first = text_of(write_program(plan, 3));

  EXPECT_EQ(text_of(write_program(plan, 3)), first);
  EXPECT_NE(text_of(write_program(plan, 4)), first);
  plan.seed = 8;
  EXPECT_NE(text_of(write_program(plan, 3)), first);
}

TEST(RandomPrograms, AreLongAndRaiseInsideScopesOften) {
  std::vector<std::size_t> lengths;
  std::uint64_t raising = 0;
  for (std::uint64_t i = 0; i < kPrograms; ++i) {
    const Block program = write_program(whole_plan(), i);
    lengths.push_back(size_of(program));
    if (raises_in_scope(program)) ++raising;
  }

  std::ranges::nth_element(lengths, lengths.begin() + kPrograms / 2);
  EXPECT_GE(lengths[kPrograms / 2], 15u);
  EXPECT_GE(raising * 10, kPrograms * 3);
}

TEST(RandomPrograms, ShareNoMemoryAndAskNoTimeOnAGpu) {
  ProgramPlan plan = whole_plan();
  plan.contract.device_rules = DeviceRules::kCuda;
  for (const bool on_gpu : {false, true}) {
    plan.on_gpu = on_gpu;
    std::set<std::string> verbs;
    std::ptrdiff_t most_named = 0;
    for (std::uint64_t i = 0; i < kPrograms; ++i) {
      const Block program = write_program(plan, i);
      collect_verbs(program, verbs);
      for (const Command& command : program) {
        if (command.verb != "amp.unscale") continue;
        const auto& grads = command.with.find("grads")->get_if<List>()->items;
        most_named = std::max(most_named, std::ranges::count_if(grads, [](const Value& grad) {
                                return grad.get_if<Ref>() != nullptr;
                              }));
      }
    }

    EXPECT_EQ(most_named > 1, !on_gpu);
    for (const char* timed : {"runtime.elapsed", "memory.set_fraction"})
      EXPECT_EQ(verbs.contains(timed), !on_gpu) << timed;
  }
}

TEST(RandomPrograms, UseEveryCommandThatTheyKnow) {
  std::set<std::string> verbs;
  for (std::uint64_t i = 0; i < kPrograms; ++i)
    collect_verbs(write_program(whole_plan(), i), verbs);

  for (const std::string& area : areas_with_moves()) {
    for (const Move& move : moves_of(area))
      EXPECT_TRUE(verbs.contains(std::string(move.verb))) << move.verb;
  }
}

TEST(RandomPrograms, UseEveryCommandOfTheirArea) {
  for (const std::string area : {"dispatch", "memory"}) {
    std::set<std::string> verbs;
    for (std::uint64_t i = 0; i < kPrograms; ++i)
      collect_verbs(write_program({{area}, {}, 7}, i), verbs);

    for (const std::string& verb : known_verbs()) {
      if (verb.starts_with(area + ".")) {
        EXPECT_TRUE(verbs.contains(verb)) << verb;
      }
    }
  }
}

TEST(RandomPrograms, LeaveOutWhatIsToBeAvoided) {
  ProgramPlan plan{{"core"}, {}, 7, {"core.fill_", "core.device_guard"}};
  std::set<std::string> verbs;
  for (std::uint64_t i = 0; i < 100; ++i) collect_verbs(write_program(plan, i), verbs);

  EXPECT_FALSE(verbs.contains("core.fill_"));
  EXPECT_FALSE(verbs.contains("core.device_guard"));
  EXPECT_TRUE(verbs.contains("core.to"));
}

TEST(RandomPrograms, KeepToTheSchema) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    for (const Command& command : write_program(whole_plan(), i)) {
      Command sent = command;
      sent.id = 1;
      const std::string text = to_json(sent);
      EXPECT_EQ(validate_command(text), std::vector<std::string>{}) << text;
    }
  }
}

}  // namespace
}  // namespace assay
