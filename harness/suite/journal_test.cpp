// What a journal gives back, and what it refuses.
#include "harness/suite/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

class JournalTest : public testing::Test {
 protected:
  JournalTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "journal_" + info->name();
    std::filesystem::remove(path_);
    test_.id = "amp/one";
  }
  ~JournalTest() override { std::filesystem::remove(path_); }

  CaseResult failed() const {
    CaseResult result;
    result.test = &test_;
    result.outcome = Outcome::kCrash;
    result.duration = std::chrono::nanoseconds(12345);
    result.failure = Failure{"it\ndied", "a", "b", "one.cpp:3", "last \xff words"};
    Command command;
    command.id = 1;
    command.verb = "value";
    command.with = {{"value", 0.1}};
    result.history = {{command, Reply::make_invalid("there was no reply")}};
    return result;
  }

  std::vector<CaseResult> resumed(const RunKey& key) {
    Journal journal(path_, Journal::Mode::kResume);
    return journal.begin(1, key, {{&test_, Contract{}}});
  }

  std::string refusal(const RunKey& key) {
    try {
      resumed(key);
    } catch (const JournalRefused& refused) {
      return refused.what();
    }
    return "";
  }

  Case test_;
  std::string path_;
  RunKey key_{{"subject", "mine"}, {"--filter", "amp/*"}};
};

TEST_F(JournalTest, GivesBackWhatWasAddedToIt) {
  {
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, {{&test_, Contract{}}});
    journal.add(failed());
  }

  const auto results = resumed(key_);

  ASSERT_EQ(results.size(), 1U);
  const CaseResult& result = results[0];
  EXPECT_EQ(result.test, &test_);
  EXPECT_EQ(result.outcome, Outcome::kCrash);
  EXPECT_EQ(result.duration.count(), 12345);
  EXPECT_EQ(result.failure->sentence, "it\ndied");
  EXPECT_EQ(result.failure->last_words, "last \xef\xbf\xbd words");
  ASSERT_EQ(result.history.size(), 1U);
  EXPECT_EQ(to_json(result.history[0].command), to_json(failed().history[0].command));
  EXPECT_EQ(result.history[0].reply.reason, "there was no reply");
}

TEST_F(JournalTest, SaysInWhatAnotherRunDiffers) {
  { Journal(path_, Journal::Mode::kNew).begin(1, key_, {}); }

  EXPECT_NE(refusal({{"subject", "yours"}, {"--filter", "amp/*"}})
                .find("its subject was 'mine', and is 'yours' now"),
            std::string::npos);
  EXPECT_EQ(refusal(key_), "");
}

TEST_F(JournalTest, NamesTheLineThatIsNone) {
  { Journal(path_, Journal::Mode::kNew).begin(1, key_, {}); }
  std::ofstream(path_, std::ios::app) << head_line(1, key_);

  EXPECT_NE(refusal(key_).find(path_ + ":2: "), std::string::npos) << refusal(key_);
}

TEST_F(JournalTest, BelongsToOneRunAtATime) {
  const Journal first(path_, Journal::Mode::kNew);

  EXPECT_THROW(Journal(path_, Journal::Mode::kNew), JournalFailed);
}

}  // namespace
}  // namespace assay
