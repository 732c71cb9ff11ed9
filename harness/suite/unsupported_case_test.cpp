// Tests of finding the command at which a case stopped.
#include "harness/suite/unsupported_case.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

Command command(const std::string& verb) {
  Command made;
  made.verb = verb;
  return made;
}

Reply lacking(const std::string& verb, std::vector<Reply> replies) {
  Reply reply = Reply::make_unsupported("no " + verb);
  reply.replies = std::move(replies);
  return reply;
}

TEST(UnsupportedCase, IsTheLastCommandOfAConversation) {
  EXPECT_EQ(stopped_at({}), "");
  EXPECT_EQ(stopped_at({{command("core.tensor"), Reply::make_ok()},
                        {command("core.size"), Reply::make_ok()}}),
            "core.size");
}

TEST(UnsupportedCase, IsTheInnermostCommandOfABlock) {
  Command inner = command("scope");
  inner.body = {command("core.size"), command("core.item")};
  Command outer = command("on");
  outer.body = {inner};

  const Reply second = lacking("core.item", {Reply::make_ok(), lacking("core.item", {})});

  EXPECT_EQ(stopped_at({{outer, lacking("core.item", {second})}}), "core.item");
  EXPECT_EQ(stopped_at({{outer, lacking("blocks", {})}}), "on");
}

TEST(UnsupportedCase, TellsAGuardFromTheBodyByTheSentence) {
  Command scope = command("scope");
  scope.enter = {command("dispatch.include")};
  scope.body = {command("dispatch.call")};

  EXPECT_EQ(stopped_at({{scope, lacking("dispatch.include", {lacking("dispatch.include", {})})}}),
            "dispatch.include");
  EXPECT_EQ(stopped_at({{scope, lacking("dispatch.call", {lacking("dispatch.call", {})})}}),
            "dispatch.call");
}

TEST(UnsupportedCase, KnowsTheAreaOfACaseAndOfACommand) {
  EXPECT_EQ(area_of_case("amp/unscale/one"), "amp");
  EXPECT_EQ(area_of_command("amp.unscale"), "amp");
  EXPECT_EQ(area_of_command("scope"), "");
}

TEST(UnsupportedCase, AFieldBelongsToItsCommand) {
  EXPECT_EQ(command_of("core.storage.result"), "core.storage");
  EXPECT_EQ(command_of("core.storage"), "core.storage");
  EXPECT_EQ(command_of("value.result"), "value");
  EXPECT_EQ(command_of("counts"), "counts");
  EXPECT_EQ(area_of_command("core.storage.result"), "core");
  EXPECT_EQ(area_of_command("value.result"), "");
  EXPECT_EQ(area_of_command("scope"), "");
}

}  // namespace
}  // namespace assay
