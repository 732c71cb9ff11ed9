// Tests of several parallel subjects: every case runs once, and a lost subject ends the run.
#include "harness/suite/runner/pool.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <set>

#include "harness/protocol/testing.hpp"
#include "harness/suite/scripted_link.hpp"

namespace assay {
namespace {

class PoolTest : public testing::Test {
 protected:
  static constexpr std::size_t kCases = 40;

  PoolTest() {
    for (std::size_t i = 0; i < kCases; ++i) {
      cases_.push_back(case_of([this](Session& session) { body_(session); }));
      cases_.back().id = "amp/case" + std::to_string(100 + i);
    }
    for (const Case& test : cases_) tasks_.push_back({&test, Contract{}});
    options_.open = [this]() -> std::unique_ptr<Link> {
      ++opened_;
      return std::make_unique<Scripted>();
    };
  }

  PoolRun run() {
    Scripted first;
    return Pool(tasks_, options_).run(first);
  }

  static std::multiset<std::string> ids_of(const PoolRun& run) {
    std::multiset<std::string> ids;
    for (const CaseResult& result : run.results) ids.insert(result.test->id);
    return ids;
  }

  std::function<void(Session&)> body_ = send_one;
  std::vector<Case> cases_;
  std::vector<Task> tasks_;
  PoolOptions options_;
  std::atomic<int> opened_ = 0;
};

TEST_F(PoolTest, RunsEachCaseOnceWhateverTheNumberOfSubjects) {
  for (const int jobs : {1, 2, 7, 200}) {
    options_.jobs = jobs;
    opened_ = 0;

    const PoolRun done = run();

    std::multiset<std::string> wanted;
    for (const Case& test : cases_) wanted.insert(test.id);
    EXPECT_EQ(ids_of(done), wanted);
    EXPECT_EQ(done.lost, "");
    EXPECT_EQ(opened_, std::min(jobs, static_cast<int>(kCases)) - 1);
  }
}

TEST_F(PoolTest, RunsCasesAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable both;
  int inside = 0;
  body_ = [&](Session&) {
    std::unique_lock lock(mutex);
    ++inside;
    both.notify_all();
    expect_true(both.wait_for(lock, std::chrono::minutes(5), [&] { return inside >= 2; }),
                "the other case did not begin");
  };
  options_.jobs = 2;

  const PoolRun done = run();

  EXPECT_EQ(done.results.size(), kCases);
  for (const CaseResult& result : done.results) EXPECT_EQ(result.outcome, Outcome::kPass);
}

TEST_F(PoolTest, KeepsAResultAsItWasJudgesItAndTellsItInThisOrder) {
  tasks_.resize(1);
  std::vector<std::string> calls;
  options_.on_start = [&](const Task&) { calls.emplace_back("start"); };
  options_.keep = [&](const CaseResult& result) {
    calls.emplace_back("keep " + std::string(name_of(result.outcome)));
  };
  options_.judge = [&](CaseResult& result) { result.outcome = Outcome::kWaived; };
  options_.on_result = [&](const CaseResult& result) {
    calls.emplace_back("tell " + std::string(name_of(result.outcome)));
  };

  run();

  EXPECT_EQ(calls, (std::vector<std::string>{"start", "keep pass", "tell waived"}));
}

TEST_F(PoolTest, JudgesWhatIsKnownButKeepsItNoSecondTime) {
  int kept = 0, judged = 0;
  options_.keep = [&](const CaseResult&) { ++kept; };
  options_.judge = [&](CaseResult&) { ++judged; };
  CaseResult known;
  known.test = tasks_.back().test;
  tasks_.pop_back();
  Scripted first;
  Pool pool(tasks_, options_);

  pool.add_known(known);
  const PoolRun done = pool.run(first);

  EXPECT_EQ(done.results.size(), kCases);
  EXPECT_EQ(kept, static_cast<int>(kCases) - 1);
  EXPECT_EQ(judged, static_cast<int>(kCases));
}

TEST_F(PoolTest, BeginsNothingAfterAFailureThatEndsTheRun) {
  body_ = [](Session&) { expect_true(false, "no"); };
  options_.fail_fast = true;

  const PoolRun done = run();

  EXPECT_EQ(done.results.size(), 1U);
  EXPECT_TRUE(done.failed_fast);
}

TEST_F(PoolTest, BeginsNothingOnceItIsStopped) {
  StopSignal stop;
  options_.stop = &stop;
  options_.on_result = [&](const CaseResult&) { stop.set(); };

  EXPECT_EQ(run().results.size(), 1U);
  EXPECT_EQ(run().results.size(), 0U);
}

TEST_F(PoolTest, KeepsNoResultOfACaseThatWasGivenUp) {
  int begun = 0;
  body_ = [&](Session&) {
    if (++begun == 3) throw Interrupted();
  };

  const PoolRun done = run();

  EXPECT_EQ(done.results.size(), 2U);
  EXPECT_EQ(done.lost, "");
}

TEST_F(PoolTest, KeepsWhatIsDoneWhenTheSubjectIsLost) {
  Scripted link;
  int commands = 0;
  link.answer = [&](const Command&) -> Reply {
    if (++commands < 3) return Reply::make_ok({{"result", 1}});
    link.dies_at = "hello";
    throw LinkBroken(LinkBroken::Cause::kDied, "gone");
  };

  const PoolRun done = Pool(tasks_, options_).run(link);

  ASSERT_EQ(done.results.size(), 3U);
  EXPECT_EQ(done.results[1].outcome, Outcome::kPass);
  EXPECT_EQ(done.results[2].outcome, Outcome::kCrash);
  EXPECT_TRUE(holds(done.lost, "3 times in a row")) << done.lost;
}

TEST_F(PoolTest, IsOverWhenASubjectMoreCannotBeStarted) {
  options_.jobs = 2;
  options_.open = []() -> std::unique_ptr<Link> {
    throw LinkBroken(LinkBroken::Cause::kDied, "cannot start");
  };

  EXPECT_EQ(run().lost, "cannot start");
}

TEST_F(PoolTest, HandsOnWhatACallbackThrows) {
  options_.jobs = 3;
  options_.keep = [](const CaseResult&) { throw std::runtime_error("the disk is full"); };

  EXPECT_THROW(run(), std::runtime_error);
}

}  // namespace
}  // namespace assay
