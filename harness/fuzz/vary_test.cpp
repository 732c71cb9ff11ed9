// Changed programs are valid, repeatable, and of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/fuzz/case_programs.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/suite/tensors.hpp"

namespace assay {
namespace {

Command command(std::string verb, Fields with, std::string as = {}) {
  Command made;
  made.verb = std::move(verb);
  made.with = std::move(with);
  made.as = std::move(as);
  return made;
}

Block program() {
  return {command("core.tensor", {{"value", f32({1, 2})}, {"requires_grad", true}}, "left"),
          command("core.tensor", {{"value", f32({3, 4})}}, "right"),
          command("core.op", {{"name", "mul"}, {"args", List{{Ref{"left"}, Ref{"right"}}}}}, "out"),
          command("core.read", {{"tensor", Ref{"out"}}})};
}

std::string text_of(const Block& block) {
  std::string text;
  for (const Command& one : block) text += to_json(one) + "\n";
  return text;
}

std::string varied_by(std::uint64_t seed, const Block& other = {}) {
  Random random(seed, 0);
  return text_of(varied(program(), other, random));
}

TEST(Vary, EveryChangedProgramIsValid) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 0);
    for (Command one : varied(program(), program(), random)) {
      one.id = 0;
      EXPECT_EQ(validate_command(to_json(one)), std::vector<std::string>{}) << to_json(one);
    }
  }
}

TEST(Vary, OneSeedGivesOneProgram) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(varied_by(seed), varied_by(seed));
}

TEST(Vary, SeedsGiveManyProgramsAndHardlyTheSameAgain) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) seen.insert(varied_by(seed));
  EXPECT_GT(seen.size(), 100U);
}

TEST(Vary, EachKindOfChangeOccurs) {
  std::string all;
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = varied_by(seed, program());
    all += text;
    lengths.insert(static_cast<std::size_t>(std::ranges::count(text, '\n')));
  }
  EXPECT_TRUE(lengths.contains(3)) << "a command is left out";
  EXPECT_TRUE(lengths.contains(5)) << "a command is repeated";
  EXPECT_TRUE(lengths.contains(8)) << "another program follows";
  for (const char* const part :
       {"\"other_left\"", "\"out_again\"", "\"elsewhere\"", "\"on purpose\"", "\"cuda:1\"",
        "7f800000", "\"float16\"", "[{\"ref\":\"right\"},{\"ref\":\"right\"}]",
        "[{\"ref\":\"right\"},{\"ref\":\"left\"}]"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part;
  }
}

TEST(Vary, ArgumentsOfCallbacksKeepTheirNames) {
  Command callback = command("callback", {}, "hook");
  callback.body.push_back(command("value", {{"value", Ref{"$0"}}}));
  std::string all;
  for (std::uint64_t seed = 0; seed < 100; ++seed) all += varied_by(seed, {callback});
  EXPECT_NE(all.find("\"other_hook\""), std::string::npos);
  EXPECT_EQ(all.find("other_$"), std::string::npos);
}

}  // namespace
}  // namespace assay
