// Tests of truncated texts and replies.
#include "harness/suite/card/excerpt.hpp"

#include <gtest/gtest.h>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"

namespace assay {
namespace {

Exchange answered(Reply reply) {
  Exchange exchange;
  exchange.command.verb = "core.promote";
  reply.id = 7;
  exchange.reply = std::move(reply);
  return exchange;
}

TEST(ExcerptTest, AShortTextStaysAsItIs) {
  EXPECT_EQ(excerpt("abc", 3), "abc");
  EXPECT_EQ(excerpt("", 0), "");
}

TEST(ExcerptTest, ALongTextIsCutAndSaysSo) {
  EXPECT_EQ(excerpt("abcdef", 2), "ab… (cut; 6 bytes in all)");
}

TEST(ExcerptTest, NoCharacterIsCutInTwo) {
  EXPECT_EQ(excerpt("aäb", 2), "a… (cut; 4 bytes in all)");
  EXPECT_EQ(excerpt("ä€𐍈", 8), "ä€… (cut; 9 bytes in all)");
  EXPECT_EQ(excerpt(std::string(9, '\x80'), 6).size(),
            2 + std::string("… (cut; 9 bytes in all)").size());
}

TEST(ExcerptTest, LongRepliesAreCutWhateverTheySay) {
  const std::string text(1 << 20, 'x');
  CaseResult result;
  result.history = {answered(Reply::make_ok({{"result", Value(text)}})),
                    answered(Reply::make_error(ErrorKind::kError, text)),
                    answered(Reply::make_unsupported(text)), answered(Reply::make_invalid(text))};

  shorten(result);

  for (const Exchange& exchange : result.history) {
    const std::string json = to_json(exchange.reply);
    EXPECT_LT(json.size(), 20'000U);
    EXPECT_TRUE(holds(json, "(cut; ")) << json;
    EXPECT_EQ(to_json(reply_from_json(json)), json);
    EXPECT_EQ(exchange.reply.id, 7);
  }
  EXPECT_EQ(result.history[1].reply.status, Reply::Status::kError);
  EXPECT_EQ(result.history[2].reply.status, Reply::Status::kUnsupported);
}

TEST(ExcerptTest, ManyRepliesAreBoundedTogether) {
  CaseResult result;
  const Reply reply = Reply::make_ok({{"result", Value(std::string(10'000, 'x'))}});
  for (int i = 0; i < 2000; ++i) result.history.push_back(answered(reply));

  shorten(result);

  std::size_t bytes = 0;
  for (const Exchange& exchange : result.history) bytes += to_json(exchange.reply).size();
  EXPECT_LT(bytes, 2U << 20);
  EXPECT_FALSE(holds(to_json(result.history.front().reply), "cut"));
}

TEST(ExcerptTest, TheTextsOfAFailureAreCut) {
  CaseResult result;
  const std::string text(1 << 20, 'x');
  result.failure = Failure{text, text, text, "here", "words"};

  shorten(result);

  for (const std::string* part :
       {&result.failure->sentence, &result.failure->expected, &result.failure->got}) {
    EXPECT_LT(part->size(), 20'000U);
    EXPECT_NE(part->find("(cut; 1048576 bytes in all)"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay
