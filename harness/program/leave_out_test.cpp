// Tests of removing an unsupported command from a program.
#include "harness/program/leave_out.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

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
