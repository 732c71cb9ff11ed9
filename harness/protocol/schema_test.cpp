// Unit tests of the schema: known commands, valid and invalid messages.
#include "harness/protocol/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/protocol/embedded.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

constexpr const char* kUpdate =
    R"({"id":2,"do":"amp.update_scale","with":{"scale":{"f":"0x1p+16"},"tracker":1999,)"
    R"("found_inf":{"f":"0x0p+0"},"growth":{"f":"0x1p+1"},"backoff":{"f":"0x1p-1"},"interval":2000}})";

std::string all(const std::vector<std::string>& errors) {
  std::string text;
  for (const std::string& error : errors) text += error + '\n';
  return text;
}

void expect_refused(const std::vector<std::string>& errors, const std::string& pointer) {
  const bool found = std::any_of(errors.begin(), errors.end(), [&](const std::string& error) {
    return error.starts_with(pointer + ":");
  });
  EXPECT_TRUE(found) << "expected an error at " << pointer << ", got:\n" << all(errors);
}

TEST(Schema, KnowsTheCommandsOfItsAreasAndNoOthers) {
  EXPECT_TRUE(knows("hello"));
  EXPECT_TRUE(knows("amp.unscale"));
  EXPECT_FALSE(knows("amp.unscaled"));
  EXPECT_GT(known_verbs().size(), 90U);
}

TEST(Schema, KnowsTheAreasOfItsCommands) {
  const std::vector<std::string>& areas = known_areas();

  EXPECT_TRUE(std::ranges::is_sorted(areas));
  EXPECT_EQ(std::ranges::count(areas, "amp"), 1);
  EXPECT_EQ(std::ranges::count(areas, "hello"), 0);
}

TEST(Schema, EveryResultSaysHowItIsCompared) {
  EXPECT_EQ(comparison_of("amp.unscale", "grads"), Comparison::kNanClass);
  EXPECT_EQ(comparison_of("hello", "name"), Comparison::kOpaque);
  EXPECT_EQ(comparison_of("core.info", "strides"), Comparison::kExact);
  EXPECT_EQ(comparison_of("amp.unscale", "nothing"), std::nullopt);
  EXPECT_EQ(comparison_of("nothing", "result"), std::nullopt);
}

TEST(Schema, LetsARightCommandPass) { EXPECT_EQ(all(validate_command(kUpdate)), ""); }

TEST(Schema, LetsEveryKindOfValuePass) {
  for (const char* value :
       {"null",
        "true",
        "7",
        R"({"i":"9223372036854775807"})",
        R"({"f":"-0x1.8p+1"})",
        R"({"f":"nan:7ff8000000000001"})",
        "2.5",
        R"({"c":["0x1p+0","-inf"]})",
        R"("text")",
        R"([1,[2]])",
        R"({"tuple":[1]})",
        R"({"lazy":[]})",
        R"({"dict":[["a",1]]})",
        R"({"named":{"type":"Pair","fields":[["a",1]]}})",
        R"({"dtype":"bfloat16"})",
        R"({"device":"cuda:1"})",
        R"({"generator":{"device":"cpu","seed":"7"}})",
        R"({"callable":"f"})",
        R"({"ref":"x"})",
        R"({"opaque":"lazy"})",
        R"({"tensor":{"dtype":"float16","shape":[2],"bits":"3c00 7c00"}})",
        R"({"tensor":{"dtype":"float32","shape":[9],"recipe":{"kind":"hash","start":"0",)"
        R"("step":"1","set":[[7,"7fc00000"]]}}})",
        R"({"tensor":{"dtype":"float32","shape":[2],"device":"meta"}})",
        R"({"sparse":{"shape":[3],"indices":{"dtype":"int64","shape":[1,0],"bits":""},)"
        R"("values":{"dtype":"float32","shape":[0],"bits":""},"coalesced":true}})"}) {
    const std::string text = std::string(R"({"id":1,"do":"value","with":{"value":)") + value + "}}";
    EXPECT_EQ(all(validate_command(text)), "") << value;
  }
}

TEST(Schema, RefusesAnArgumentOfAWrongKindWhereItStands) {
  expect_refused(
      validate_command(R"({"id":1,"do":"core.size","with":{"tensor":{"ref":"x"},"dim":"0"}})"),
      "/with/dim");
}

TEST(Schema, RefusesAMissingAndAnUnknownArgument) {
  expect_refused(validate_command(R"({"id":1,"do":"drop","with":{}})"), "/with");
  expect_refused(validate_command(R"({"id":1,"do":"reset","with":{"x":1}})"), "/with");
}

TEST(Schema, RefusesAnUnknownCommandAndACommandWithoutId) {
  expect_refused(validate_command(R"({"id":1,"do":"amp.frobnicate"})"), "/do");
  expect_refused(validate_command(R"({"do":"reset"})"), "/");
}

TEST(Schema, LooksIntoBlocks) {
  const char* text = R"({"id":1,"do":"scope","enter":[],"body":[{"do":"on","with":{"thread":"a"},)"
                     R"("body":[{"do":"core.size","with":{"tensor":{"ref":"x"}}}]}]})";

  expect_refused(validate_command(text), "/body/0/body/0/with");
}

TEST(Schema, SurvivesWhatIsNoMessage) {
  for (const char* text : {"", "{", "[]", "{\"id\":1}", "\xff\xfe", "{\"do\":1}"}) {
    EXPECT_FALSE(validate_command(text).empty()) << text;
    EXPECT_FALSE(validate_reply("reset", text).empty()) << text;
  }
}

TEST(Schema, NoPatternMatchesWithoutALimit) {
  EXPECT_EQ(unlimited_patterns(R"({"pattern": "^a+$", "x": {"pattern":"[+*]{1,2}\\+"}})"),
            std::vector<std::string>{"^a+$"});
  for (const EmbeddedFile& file : protocol_schema()) {
    EXPECT_EQ(unlimited_patterns(file.text), std::vector<std::string>{}) << file.name;
  }
}

TEST(Schema, RefusesALongTextWhereItStands) {
  const std::string digits(1000000, '1');
  for (const std::string& value :
       {R"({"f":"0x)" + digits + R"(p+0"})", R"({"f":"0x1.)" + digits + R"(p+0"})",
        R"({"f":"0x1p+)" + std::string(1000000, '0') + R"("})",
        R"({"device":")" + std::string(1000000, 'a') + R"("})",
        R"({"device":"cuda:)" + digits + R"("})"}) {
    const auto errors = validate_command(R"({"id":1,"do":"value","with":{"value":)" + value + "}}");

    ASSERT_FALSE(errors.empty()) << value.substr(0, 20);
    EXPECT_TRUE(errors[0].starts_with("/")) << errors[0].substr(0, 100);
  }
}

TEST(Schema, LetsEachKindOfReplyPass) {
  for (
      const char* text :
      {R"({"id":1,"ok":{"uncleaned":[]}})", R"({"id":1,"error":{"kind":"type","message":"m"}})",
       R"({"id":1,"unsupported":"no area"})", R"({"id":null,"invalid":"not JSON"})",
       R"({"id":1,"ok":{"uncleaned":["core"]},"warnings":[["UserWarning","w"]],"counts":{"launches":1}})"}) {
    EXPECT_EQ(all(validate_reply("reset", text)), "") << text;
  }
}

TEST(Schema, RefusesResultsThatAreMissingUnknownOrOfAWrongKind) {
  expect_refused(validate_reply("reset", R"({"id":1,"ok":{}})"), "/ok");
  expect_refused(validate_reply("reset", R"({"id":1,"ok":{"uncleaned":[],"more":1}})"), "/ok");
  expect_refused(validate_reply("same", R"({"id":1,"ok":{"result":1}})"), "/ok/result");
  expect_refused(validate_reply("amp.plan", R"({"id":1,"ok":{"result":[1,"2"]}})"), "/ok/result/1");
}

TEST(Schema, ATensorInAReplyNamesItsDevice) {
  const char* without =
      R"({"id":1,"ok":{"result":{"tensor":{"dtype":"float32","shape":[1],"bits":"3f800000"}}}})";
  const char* with =
      R"({"id":1,"ok":{"result":{"tensor":{"dtype":"float32","shape":[1],"device":"cpu","bits":"3f800000"}}}})";

  EXPECT_FALSE(validate_reply("core.read", without).empty());
  EXPECT_EQ(all(validate_reply("core.read", with)), "");
}

TEST(Schema, AResultMayBeMissingWhereTheSubjectIsBlind) {
  EXPECT_EQ(all(validate_reply("core.storage", R"({"id":1,"ok":{"offset":0},"blind":["result"]})")),
            "");
  EXPECT_FALSE(validate_reply("core.storage", R"({"id":1,"ok":{"offset":0}})").empty());
}

TEST(Schema, HoldsTheRepliesOfABlockAgainstItsCommands) {
  const char* block =
      R"({"id":1,"do":"on","with":{"thread":"a"},"body":[{"do":"gone","with":{"weak":{"ref":"w"}}}]})";

  EXPECT_EQ(all(validate_exchange(block, R"({"id":1,"ok":{},"replies":[{"ok":{"result":true}}]})")),
            "");
  expect_refused(validate_exchange(block, R"({"id":1,"ok":{},"replies":[{"ok":{"result":1}}]})"),
                 "/replies/0/ok/result");
  expect_refused(validate_exchange(block, R"({"id":1,"ok":{}})"), "/replies");
}

}  // namespace
}  // namespace assay
