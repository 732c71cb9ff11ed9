// Tests of what cases need, on conversations made by hand.
#include "harness/next/needs.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

Command command(const std::string& verb, Block body = {}) {
  Command made;
  made.verb = verb;
  made.body = std::move(body);
  return made;
}

using Names = std::set<std::string>;

TEST(Needs, CommandsInBlocksAreNeededToo) {
  Command together = command("together");
  together.threads = {{"one", {command("amp.unscale")}}};
  together.observe = {command("core.read")};
  Command scope = command("scope", {command("core.to"), command("scope", {command("amp.plan")})});
  scope.enter = {command("autocast.enter")};

  EXPECT_EQ(commands_in({{together, Reply::make_ok()}, {scope, Reply::make_ok()}}),
            (Names{"together", "amp.unscale", "core.read", "core.to", "amp.plan", "scope",
                   "autocast.enter"}));
}

TEST(Needs, AnErrorIsAnAnswerAndAnUnsupportedBlockIsNone) {
  Reply half = Reply::make_unsupported("no plan");
  half.replies = {Reply::make_ok(), Reply::make_unsupported("no plan")};
  const Command scope = command("scope", {command("core.to"), command("amp.plan")});

  EXPECT_EQ(answered_in({{command("core.cat"), Reply::make_error(ErrorKind::kType, "no")},
                         {command("core.add"), Reply::make_invalid("no")},
                         {scope, half}}),
            (Names{"core.cat", "core.to"}));
}

TEST(Suggestions, BeginWithWhatUnlocksMost) {
  const auto found = suggestions({{"a", {"x"}},
                                  {"b", {"y"}},
                                  {"c", {"y"}},
                                  {"d", {"x", "z"}},
                                  {"e", {"x", "z"}},
                                  {"f", {"x", "w"}}});

  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].command, "y");
  EXPECT_EQ(found[0].unlocks, 2u);
  EXPECT_EQ(found[1].command, "x");
  EXPECT_EQ(found[1].unlocks, 1u);
  EXPECT_EQ(found[1].needed, 4u);
  EXPECT_EQ(found[2].command, "z");
  EXPECT_EQ(found[3].command, "w");
}

TEST(Suggestions, PreferWhatBringsCasesNearerIfNothingUnlocksOne) {
  const auto found = suggestions({{"a", {"k", "l", "m"}}, {"b", {"k", "n"}}});

  EXPECT_EQ(found.front().command, "k");
  EXPECT_EQ(found.front().unlocks, 0u);
  EXPECT_EQ(found.front().needed, 2u);
  EXPECT_TRUE(suggestions({}).empty());
}

}  // namespace
}  // namespace assay
