// Tests of results read from a journal, and of rejected journals.
#include "harness/suite/journal/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"

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
    return error_of<JournalRefused>([&] { resumed(key); });
  }

  std::string refusal_of_new() {
    return error_of<JournalRefused>([&] { Journal(path_, Journal::Mode::kNew); });
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

  EXPECT_TRUE(holds(refusal({{"subject", "yours"}, {"--filter", "amp/*"}}),
                    "its subject was 'mine', and is 'yours' now"));
  EXPECT_EQ(refusal(key_), "");
}

TEST_F(JournalTest, NamesTheLineThatIsNone) {
  { Journal(path_, Journal::Mode::kNew).begin(1, key_, {}); }
  std::ofstream(path_, std::ios::app) << head_line(1, key_);

  EXPECT_TRUE(holds(refusal(key_), path_ + ":2: ")) << refusal(key_);
}

TEST_F(JournalTest, BelongsToOneRunAtATime) {
  Journal first(path_, Journal::Mode::kNew);
  first.begin(1, key_, {});

  EXPECT_THROW(Journal(path_, Journal::Mode::kNew), JournalFailed);
  EXPECT_THROW(Journal(path_, Journal::Mode::kResume), JournalFailed);
}

TEST_F(JournalTest, IsNoFileBeforeARunBegins) {
  const std::string folder = path_ + "_folder";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  { const Journal named(path_, Journal::Mode::kNew); }
  { const Journal in_folder(folder, Journal::Mode::kInFolder); }

  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_THROW(Journal(path_, Journal::Mode::kResume), JournalFailed);
  std::filesystem::remove_all(folder);
}

TEST_F(JournalTest, InAFolderHasANameOfItsOwn) {
  Journal first(testing::TempDir(), Journal::Mode::kInFolder);
  Journal second(testing::TempDir(), Journal::Mode::kInFolder);
  first.begin(1, key_, {});
  second.begin(1, key_, {});

  EXPECT_NE(first.path(), second.path());
  EXPECT_EQ(std::filesystem::status(first.path()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  first.remove();
  second.remove();
  EXPECT_FALSE(std::filesystem::exists(second.path()));
}

TEST_F(JournalTest, OfARunThatDidNotEndIsLeftAsItIs) {
  {
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, {{&test_, Contract{}}});
    journal.add(failed());
  }
  EXPECT_TRUE(holds(refusal_of_new(), "--resume " + path_)) << refusal_of_new();
  EXPECT_EQ(resumed(key_).size(), 1U);
  for (const std::string other : {"precious", "{\"journ", "\n", "precious\n"}) {
    std::ofstream(path_, std::ios::trunc) << other;
    EXPECT_NE(refusal_of_new(), "") << other;
    EXPECT_EQ(std::filesystem::file_size(path_), other.size());
  }
}

TEST_F(JournalTest, OfARunThatEndedMakesRoomForTheNext) {
  for (const bool is_first : {true, false}) {
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, {{&test_, Contract{}}});
    if (is_first) journal.add(failed());
    journal.finish(true);
  }

  EXPECT_EQ(resumed(key_).size(), 0U);
}

TEST_F(JournalTest, OfAFinishedRunIsNotResumed) {
  for (const bool successful : {false, true}) {
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, {{&test_, Contract{}}});
    journal.add(failed());
    journal.finish(successful);
  }

  EXPECT_TRUE(holds(refusal(key_), "is of a run that is finished")) << refusal(key_);

  std::filesystem::remove(path_);
  {
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, {{&test_, Contract{}}});
    journal.add(failed());
    journal.finish(false);
  }
  EXPECT_EQ(resumed(key_).size(), 1U);
}

TEST_F(JournalTest, IsContinuedByTheSameRunAlone) {
  const std::string kept = path_ + ".1";
  std::filesystem::remove(kept);
  const auto continued = [&](const RunKey& key) {
    Journal journal(path_, Journal::Mode::kContinue);
    const bool has_cases = journal.has_cases();
    const std::size_t known = journal.begin(1, key, {{&test_, Contract{}}}).size();
    EXPECT_EQ(has_cases, known == 1 || !journal.set_aside().empty());
    if (known == 0) journal.add(failed());
    return std::pair(known, journal.set_aside());
  };

  EXPECT_EQ(continued(key_), std::pair(std::size_t{0}, std::string()));
  EXPECT_EQ(continued(key_), std::pair(std::size_t{1}, std::string()));
  const auto [known, why] = continued({{"subject", "yours"}, {"--filter", "amp/*"}});
  EXPECT_EQ(known, 0u);
  EXPECT_TRUE(holds(why, "is kept as " + kept));
  EXPECT_TRUE(holds(why, "its subject was 'mine', and is 'yours' now")) << why;
  EXPECT_TRUE(std::filesystem::exists(kept));
  std::filesystem::remove(kept);
}

TEST_F(JournalTest, OfAFinishedRunIsNotContinuedButBegunAnew) {
  const auto known = [&] {
    Journal journal(path_, Journal::Mode::kContinue);
    const std::size_t count = journal.begin(1, key_, {{&test_, Contract{}}}).size();
    if (count == 0) journal.add(failed());
    journal.finish(true);
    return count;
  };

  EXPECT_EQ(known(), 0u);
  EXPECT_EQ(known(), 0u);
}

TEST_F(JournalTest, DoesNotFollowLinks) {
  const std::string target = path_ + "_target";
  for (const bool is_there : {true, false}) {
    std::filesystem::remove(path_);
    std::filesystem::remove(target);
    if (is_there) std::ofstream(target) << "precious";
    std::filesystem::create_symlink(target, path_);

    EXPECT_THROW(Journal(path_, Journal::Mode::kNew).begin(1, key_, {}), JournalFailed);
    EXPECT_THROW(Journal(path_, Journal::Mode::kResume), JournalFailed);
    EXPECT_EQ(std::filesystem::exists(target), is_there);
  }
  std::filesystem::remove(target);
}

// Tests that a damaged journal returns the added results or fewer, but never others.

class DamagedJournal : public testing::Test {
 protected:
  DamagedJournal() : path_(testing::TempDir() + "damaged_journal_" + std::to_string(::getpid())) {
    for (const char* id : {"amp/a", "amp/b", "amp/c", "amp/d"}) {
      Case test;
      test.id = id;
      cases_.push_back(test);
    }
    for (const Case& test : cases_) tasks_.push_back({&test, Contract{}});
    std::filesystem::remove(path_);
    Journal journal(path_, Journal::Mode::kNew);
    journal.begin(1, key_, tasks_);
    for (const Case& test : cases_) journal.add(result_of(test));
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    text_ = text.str();
  }
  ~DamagedJournal() override { std::filesystem::remove(path_); }

  static CaseResult result_of(const Case& test) {
    CaseResult result;
    result.test = &test;
    if (test.id == "amp/a") return result;
    result.outcome = Outcome::kFail;
    result.failure = Failure{"differs in " + test.id, "1", "2", "a.cpp:3", ""};
    Command command;
    command.id = 1;
    command.verb = "value";
    command.with = {{"value", 0.5}};
    result.history = {{command, Reply::make_ok({{"result", 0.5}})}};
    return result;
  }

  void write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
  }

  /// The results from the file; nothing if it is rejected with a message.
  std::optional<std::vector<CaseResult>> resumed() {
    try {
      Journal journal(path_, Journal::Mode::kResume);
      return journal.begin(1, key_, tasks_);
    } catch (const JournalRefused& refused) {
      EXPECT_TRUE(holds(refused.what(), path_)) << refused.what();
      return std::nullopt;
    }
  }

  void expect_true_results(const std::vector<CaseResult>& results, const std::string& text) {
    for (const CaseResult& result : results) {
      const CaseResult wanted = result_of(*result.test);
      EXPECT_EQ(case_line(1, result), case_line(1, wanted)) << text;
    }
  }

  RunKey key_{{"subject", "mine"}, {"--filter", "amp/*"}};
  std::vector<Case> cases_;
  std::vector<Task> tasks_;
  std::string path_;
  std::string text_;
};

TEST_F(DamagedJournal, CutAnywhereHoldsWhatWasWhole) {
  for (std::size_t length = 0; length <= text_.size(); ++length) {
    const std::string text = text_.substr(0, length);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    write(text);

    const auto results = resumed();

    ASSERT_TRUE(results) << "cut to " << length;
    EXPECT_EQ(static_cast<std::ptrdiff_t>(results->size()), std::max<std::ptrdiff_t>(lines - 1, 0));
    expect_true_results(*results, text);
  }
}

TEST_F(DamagedJournal, ReportsOnlyResultsThatWereRecorded) {
  Damage damage(6, other_json_values());
  std::size_t kept = 0;

  for (int i = 0; i < 1000; ++i) {
    const std::string text = damage(text_);
    write(text);
    const auto results = resumed();
    if (!results) continue;
    kept += results->size();
    expect_true_results(*results, text);
  }

  EXPECT_GT(kept, 1000U) << "one damaged line must not cost the others";
}

TEST_F(DamagedJournal, SaysWhichLinesItPassedOver) {
  std::string text = text_;
  text.replace(text.find("amp/b"), 5, "amp/c");
  write(text);

  Journal journal(path_, Journal::Mode::kResume);

  EXPECT_EQ(journal.damaged(), std::vector<std::size_t>{3});
  EXPECT_EQ(journal.begin(1, key_, tasks_).size(), cases_.size() - 1);
}

TEST_F(DamagedJournal, ThatIsRefusedIsLeftAsItIs) {
  for (const std::string other : {"precious", "precious\n", "\n", "{\"journal\":2,"}) {
    write(other);

    EXPECT_FALSE(resumed()) << other;

    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    EXPECT_EQ(text.str(), other);
  }
}

}  // namespace
}  // namespace assay
