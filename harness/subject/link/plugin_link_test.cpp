// Tests of the plugin transport, with the toy subject as a shared library.
#include <gtest/gtest.h>

#include <cstdio>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

std::string reason_against(const std::string& path) {
  return error_of<LinkBroken>([&] { connect_plugin(path); }, "it was loaded");
}

TEST(PluginLinkTest, APluginAnswersCommandsAndBlocks) {
  const auto link = connect_plugin(ASSAY_TOY_PLUGIN);
  Command box = command("toy.box", {{"value", 5}}, "x");
  box.id = 7;

  EXPECT_EQ(to_json(link->exchange(box)), R"({"id":7,"ok":{"result":{"ref":"x"}}})");
  EXPECT_EQ(to_json(link->exchange(scope_of({}, {command("toy.read", {{"box", Ref{"x"}}})}))),
            R"({"ok":{},"replies":[{"ok":{"result":5}}]})");
}

TEST(PluginLinkTest, ARestartMakesAFreshSubject) {
  const auto link = connect_plugin(ASSAY_TOY_PLUGIN);
  link->exchange(command("toy.box", {{"value", 5}}, "x"));

  link->restart();

  EXPECT_EQ(link->exchange(command("toy.read", {{"box", Ref{"x"}}})).reason,
            "nothing is named 'x'");
}

TEST(PluginLinkTest, TwoSessionsDoNotShareNames) {
  const auto first = connect_plugin(ASSAY_TOY_PLUGIN);
  const auto second = connect_plugin(ASSAY_TOY_PLUGIN);

  first->exchange(command("toy.box", {{"value", 5}}, "x"));

  EXPECT_EQ(to_json(*second->exchange(command("toy.boxes")).ok.find("result")), "0");
}

TEST(PluginLinkTest, ALibraryThatIsNoPluginIsRefusedWithTheReason) {
  EXPECT_TRUE(reason_against("no_such.so").starts_with("cannot load the plugin: ./no_such.so"));
  EXPECT_EQ(reason_against("/lib/x86_64-linux-gnu/libz.so.1"),
            "'/lib/x86_64-linux-gnu/libz.so.1' does not export assay_open");
}

TEST(PluginLinkTest, APluginExportsThreeFunctionsAndNothingElse) {
  FILE* names = ::popen("nm -D --defined-only -P " ASSAY_TOY_PLUGIN " | cut -d' ' -f1 | sort", "r");
  std::string text;
  char line[256];
  while (std::fgets(line, sizeof line, names) != nullptr) text += line;
  ::pclose(names);

  EXPECT_EQ(text, "assay_close\nassay_execute\nassay_open\n");
}

}  // namespace
}  // namespace assay
