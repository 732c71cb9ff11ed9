// Tests of shrinking, and of leaving out unsupported commands.
#include "harness/program/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/program/moves.hpp"

namespace assay {
namespace {

Command value_command(int number) {
  Command command;
  command.verb = "value";
  command.with.set("value", number);
  command.with.set("other", 1);
  return command;
}

bool holds(const Block& block, std::int64_t number) {
  return std::ranges::any_of(block, [&](const Command& command) {
    const Value* value = command.with.find("value");
    const auto* held = value == nullptr ? nullptr : value->get_if<std::int64_t>();
    return (held != nullptr && *held == number) || holds(command.body, number);
  });
}

Block numbered(int count) {
  Block block;
  for (int i = 0; i < count; ++i) block.push_back(value_command(i));
  return block;
}

TEST(Shrink, LeavesTheCommandsThatAreNeeded) {
  const Block small =
      shrink(numbered(40), [](const Block& block) { return holds(block, 7) && holds(block, 31); });

  ASSERT_EQ(small.size(), 2u);
  EXPECT_TRUE(holds(small, 7) && holds(small, 31));
  EXPECT_FALSE(small[0].with.has("other"));
}

TEST(Shrink, TakesBlocksApart) {
  Command scope;
  scope.verb = "scope";
  scope.enter.push_back(value_command(100));
  scope.body = numbered(20);

  const Block small = shrink({scope}, [](const Block& block) { return holds(block, 11); });

  ASSERT_EQ(small.size(), 1u);
  EXPECT_EQ(small[0].verb, "value");
}

TEST(Shrink, KeepsABlockThatMatters) {
  Command scope;
  scope.verb = "scope";
  scope.body = numbered(20);

  const Block small = shrink({value_command(0), scope}, [](const Block& block) {
    return std::ranges::any_of(block, [](const Command& command) {
      return command.verb == "scope" && holds(command.body, 11);
    });
  });

  EXPECT_EQ(size_of(small), 2u);
}

TEST(Shrink, CutsTensorsToTheElementsThatMatter) {
  TensorValue tensor;
  tensor.shape = {64};
  tensor.data.resize(256);
  tensor.set_bits(5, 0x7f800000);
  Command command;
  command.verb = "core.tensor";
  command.with.set("value", tensor);

  const Block small = shrink({command}, [](const Block& block) {
    if (block.empty()) return false;
    const Value* value = block[0].with.find("value");
    return value != nullptr && value->tensor()->numel() > 5 &&
           value->tensor()->bits_at(5) == 0x7f800000;
  });

  EXPECT_EQ(small[0].with.find("value")->tensor()->numel(), 6);
}

TEST(Shrink, KeepsWhatTheSchemaDemands) {
  Command command;
  command.verb = "module.set_parameter";
  command.with = {{"module", Ref{"m"}}, {"name", "a"}, {"tensor", Value()}, {"raw", true}};

  const Block small = shrink({command}, [](const Block& block) { return !block.empty(); });

  EXPECT_TRUE(small[0].with.has("tensor"));
  EXPECT_FALSE(small[0].with.has("raw"));
}

TEST(Shrink, GivesUpAfterSoManyTries) {
  std::size_t asked = 0;

  shrink(
      numbered(100), [&](const Block&) { return ++asked, false; }, 50);

  EXPECT_EQ(asked, 50u);
}

Command command_of(const char* verb) {
  Command command;
  command.verb = verb;
  return command;
}

Reply lacking() { return Reply::make_unsupported("not here"); }

/// A result that ended at the last of these commands.
ProgramResult ended_at(const Block& program, std::size_t index, Reply trusted, Reply got) {
  ProgramResult result;
  result.end = ProgramResult::End::kUnsupported;
  for (std::size_t i = 0; i < index; ++i) {
    result.exchanges.emplace_back(program[i], Reply::make_ok());
  }
  result.exchanges.emplace_back(program[index], std::move(trusted));
  result.got = std::move(got);
  return result;
}

TEST(LeaveOut, TakesOutWhatTheSubjectLacks) {
  const Block program{command_of("value"), command_of("alias"), command_of("same")};

  const Block rest = without_lacking(program, ended_at(program, 1, Reply::make_ok(), lacking()));

  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].verb, "value");
  EXPECT_EQ(rest[1].verb, "same");
}

TEST(LeaveOut, TakesOutWhatTheBelievedOneLacks) {
  const Block program{command_of("value"), command_of("alias")};

  const Block rest = without_lacking(program, ended_at(program, 0, lacking(), Reply::make_ok()));

  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].verb, "alias");
}

TEST(LeaveOut, KeepsTheRestOfABlock) {
  Command scope = command_of("scope");
  scope.body = {command_of("value"), command_of("alias"), command_of("same")};
  Reply reply = lacking();
  reply.replies = {Reply::make_ok(), lacking()};

  const Block rest = without_lacking({scope}, ended_at({scope}, 0, Reply::make_ok(), reply));

  ASSERT_EQ(rest.size(), 1u);
  ASSERT_EQ(rest[0].body.size(), 2u);
  EXPECT_EQ(rest[0].body[1].verb, "same");
}

TEST(LeaveOut, TakesOutABlockThatCannotBeEntered) {
  Command scope = command_of("scope");
  scope.enter = {command_of("dispatch.below")};
  scope.body = {command_of("value")};

  const Block rest = without_lacking({scope}, ended_at({scope}, 0, Reply::make_ok(), lacking()));

  EXPECT_TRUE(rest.empty());
}

}  // namespace
}  // namespace assay
