// Each change finds a mistake that the case alone does not, and none in a subject without mistakes.
#include "harness/perturb/perturb.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>
#include <utility>

#include "harness/subject/interpreter.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

enum class Mistake : std::uint8_t {
  kNone,
  kOneForAll,        ///< all counters share one number
  kMainThreadOnly,   ///< on other threads, nothing is counted
  kFirstDeviceOnly,  ///< a counter is always on the first device
  kNeedsGradients,   ///< without them, a counter counts twice
  kTwoOnTwoThreads,  ///< a second counter on another thread breaks the first
  kNeverTheSame,     ///< counts on after a reset
  kDiesOfTheSecond,  ///< a second counter ends the subject
};

constexpr int kSecond = 1;

/// Makes counters.
class Counters final : public Subject {
 public:
  explicit Counters(Mistake mistake) : mistake_(mistake) {}

  Reply execute(const Command& command, Host&) override {
    const std::string& verb = command.verb;
    if (verb == "hello") return hello();
    if (verb == "reset") return reset();
    if (verb == "leave") return leave();
    if (verb == "core.set_device") return Reply::make_ok();
    if (verb == "autograd.grad_mode") {
      has_gradients_ = false;
      return result(Ref{command.as});
    }
    if (verb == "toy.new") return make(command);
    if (verb == "toy.count") return count(std::get<Ref>(command.with.find("of")->storage()).name);
    return Reply::make_unsupported("no command " + verb);
  }

 private:
  struct Counter {
    std::int64_t count = 0;
    Device device;
    std::thread::id thread = std::this_thread::get_id();
  };

  static Reply result(Value value) { return Reply::make_ok({{"result", std::move(value)}}); }

  static Reply hello() {
    return Reply::make_ok({{"protocol", kProtocolVersion},
                           {"name", "counters"},
                           {"version", "1"},
                           {"devices", List{{Device{"cuda", 0}, Device{"cuda", 1}}}},
                           {"areas", List{{"amp", "core", "autograd"}}},
                           {"threads", true}});
  }

  Reply reset() {
    counters_.clear();
    if (mistake_ != Mistake::kNeverTheSame) shared_ = 0;
    return Reply::make_ok({{"uncleaned", List{}}});
  }

  Reply leave() {
    has_gradients_ = true;
    return Reply::make_ok();
  }

  Reply make(const Command& command) {
    if (mistake_ == Mistake::kDiesOfTheSecond && counters_.size() == kSecond) {
      throw LinkBroken(LinkBroken::Cause::kDied, "signal 11");
    }
    Counter counter;
    if (const Value* device = command.with.find("on")) counter.device = *device->get_if<Device>();
    counters_[command.as] = counter;
    return result(Ref{command.as});
  }

  Reply count(const std::string& name) {
    Counter& counter = counters_.at(name);
    const bool is_shared = mistake_ == Mistake::kOneForAll || mistake_ == Mistake::kNeverTheSame;
    const bool is_elsewhere = std::this_thread::get_id() != main_;
    std::int64_t& number = is_shared ? shared_ : counter.count;
    number += mistake_ == Mistake::kMainThreadOnly && is_elsewhere ? 0 : 1;
    if (mistake_ == Mistake::kNeedsGradients && !has_gradients_) ++number;
    if (mistake_ == Mistake::kTwoOnTwoThreads) {
      for (const auto& [other, its] : counters_) number += its.thread == counter.thread ? 0 : 100;
    }
    const bool is_first = mistake_ == Mistake::kFirstDeviceOnly;
    return Reply::make_ok(
        {{"result", number}, {"on", is_first ? Device{"cuda", 0} : counter.device}});
  }

  Mistake mistake_;
  std::map<std::string, Counter> counters_;
  std::int64_t shared_ = 0;
  bool has_gradients_ = true;
  std::thread::id main_ = std::this_thread::get_id();
};

class InProcess final : public Link {
 public:
  explicit InProcess(Subject& subject) : interpreter_(subject) {}
  Reply exchange(const Command& command) override {
    Reply reply = interpreter_.execute(command);
    if (reply.reason.find("signal") != std::string::npos) {
      throw LinkBroken(LinkBroken::Cause::kDied, reply.reason);
    }
    return reply;
  }
  void restart() override {}

 private:
  Interpreter interpreter_;
};

void count_twice(Session& session) {
  session.send("toy.new", {{"on", Device{"cuda", 0}}}, "c");
  for (int i = 0; i < 2; ++i) session.send("toy.count", {{"of", Ref{"c"}}});
}

CaseResult run_perturbed(Mistake mistake, std::function<void(Session&)> body = count_twice) {
  static Case test;  // static, because results refer to their case
  test.id = "amp/one";
  test.body = std::move(body);
  Counters subject(mistake);
  InProcess link(subject);
  RunnerOptions options;
  options.support = SupportPolicy::foreign({});
  options.afterwards = perturb;
  return Runner(link, options).run({&test, Contract{}});
}

TEST(Perturb, PassesASubjectWithoutMistakesWithEveryChange) {
  const CaseResult result = run_perturbed(Mistake::kNone);

  EXPECT_EQ(result.outcome, Outcome::kPass) << result.failure->sentence << result.failure->got;
  EXPECT_EQ(result.changes, "beside thread device no_grad");
  EXPECT_TRUE(result.history.empty());
}

void expect_found(Mistake mistake, const std::string& changes, const std::string& sentence) {
  const CaseResult result = run_perturbed(mistake);

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.changes, changes);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->sentence, sentence);
  EXPECT_FALSE(result.history.empty());
}

TEST(Perturb, FindsThatTwoObjectsAreOne) {
  expect_found(Mistake::kOneForAll, "beside",
               "the program replies otherwise beside a copy of itself: the copy's toy.count, "
               "result");
}

TEST(Perturb, FindsWhatWorksOnOneThreadOnly) {
  expect_found(Mistake::kMainThreadOnly, "thread",
               "the program replies otherwise on another thread: toy.count, result");
}

TEST(Perturb, FindsWhatWorksOnOneDeviceOnly) {
  expect_found(Mistake::kFirstDeviceOnly, "device",
               "the program replies otherwise on another device: toy.count, on");
}

TEST(Perturb, FindsWhatNeedsGradients) {
  expect_found(Mistake::kNeedsGradients, "no_grad",
               "the program replies otherwise with gradients off: toy.count, result");
}

TEST(Perturb, ShowsAllChangesWhereNoneAloneMatters) {
  const CaseResult result = run_perturbed(Mistake::kTwoOnTwoThreads);

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.changes, "beside thread device no_grad");
}

TEST(Perturb, DoesNotBlameChangesForWhatIsNeverTheSame) {
  const CaseResult result = run_perturbed(Mistake::kNeverTheSame);

  EXPECT_EQ(result.outcome, Outcome::kPass);
  EXPECT_EQ(result.changes, "");
}

TEST(Perturb, SendsNothingAgainOfACaseThatFails) {
  int commands = 0;
  const CaseResult result = run_perturbed(Mistake::kNone, [&](Session& session) {
    ++commands;
    count_twice(session);
    expect_bits(Value(1.0), Value(2.0));
  });

  EXPECT_EQ(result.outcome, Outcome::kFail);
  EXPECT_EQ(result.changes, "");
  EXPECT_EQ(commands, 1);
}

TEST(Perturb, LeavesAProgramAloneWhoseThreadsRace) {
  const CaseResult result = run_perturbed(Mistake::kNone, [](Session& session) {
    session.send("toy.new", {}, "c");
    const Block count = session.block([](Session& inner) {
      inner.send("toy.count", {{"of", Ref{"c"}}});
    });
    session.together({{"a", count}, {"b", count}}, 1);
  });

  EXPECT_EQ(result.outcome, Outcome::kPass);
  EXPECT_EQ(result.changes, "");
}

}  // namespace
}  // namespace assay
