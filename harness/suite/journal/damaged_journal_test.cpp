// Tests that a damaged journal returns the added results or fewer, but never others.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/protocol/json.hpp"
#include "harness/protocol/testing.hpp"
#include "harness/suite/journal/journal.hpp"

namespace assay {
namespace {

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
