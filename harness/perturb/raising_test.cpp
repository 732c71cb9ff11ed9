// What a callable that raises may leave behind, and how small a finding becomes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/perturb/failures.hpp"
#include "harness/perturb/perturb.hpp"
#include "harness/subject/interpreter.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

enum class Mistake : std::uint8_t {
  kNone,
  kKeepsTheMode,     ///< the mode that is on for a callable stays on if it raises
  kCountsAttempts,   ///< the reply of a command shows how often it was tried
  kSpoilsTheNext,    ///< a later command has another reply
  kTellsOtherwise,   ///< the error of the callable becomes another one
  kSwallowsTheError  ///< the command succeeds although its callable raised, with another reply
};

/// Its command `toy.call` calls a callable with gradients off; `toy.read` reads a number.
class Caller final : public Subject {
 public:
  explicit Caller(Mistake mistake) : mistake_(mistake) {}

  Reply execute(const Command& command, Host& host) override {
    const std::string& verb = command.verb;
    if (verb == "core.tensor") return make(command);
    if (verb == "core.size") return size(command);
    if (verb == "value") return name(command);
    if (verb == "drop") return drop(command);
    if (verb == "autograd.is_grad_enabled") return result(!is_off_);
    if (verb == "toy.call") return call(command, host);
    if (verb == "toy.read") return result(mistake_ == Mistake::kSpoilsTheNext && failures_ > 0);
    if (verb == "reset") return reset();
    return Reply::make_unsupported("no command " + verb);
  }

 private:
  static Reply result(Value value) { return Reply::make_ok({{"result", std::move(value)}}); }

  static const std::string& ref_in(const Command& command, const char* field) {
    return command.with.find(field)->get_if<Ref>()->name;
  }

  Reply reset() {
    names_.clear();
    is_off_ = false;
    attempts_ = failures_ = 0;
    return Reply::make_ok();
  }

  Reply make(const Command& command) {
    names_[command.as] = command.with.find("value")->tensor()->shape.size();
    return result(Ref{command.as});
  }

  Reply name(const Command& command) {
    if (!command.as.empty()) names_[command.as] = names_.at(ref_in(command, "value"));
    return result(*command.with.find("value"));
  }

  Reply drop(const Command& command) {
    names_.erase(ref_in(command, "object"));
    return Reply::make_ok();
  }

  Reply size(const Command& command) {
    if (names_.at(ref_in(command, "tensor")) == 0) {
      return Reply::make_error(ErrorKind::kIndex, "no dimension");
    }
    return result(std::int64_t{1});
  }

  Reply call(const Command& command, Host& host) {
    if (!command.with.has("function")) return Reply::make_invalid("lacks the argument 'function'");
    ++attempts_;
    is_off_ = true;
    Reply reply = host.call(command.with.find("function")->get_if<Callable>()->name, {});
    is_off_ = mistake_ == Mistake::kKeepsTheMode && !reply.succeeded();
    failures_ += reply.succeeded() ? 0 : 1;
    if (!reply.succeeded() && mistake_ == Mistake::kTellsOtherwise) {
      return Reply::make_error(ErrorKind::kError, "it failed");
    }
    if (!reply.succeeded() && mistake_ != Mistake::kSwallowsTheError) return reply;
    if (!reply.succeeded()) return result(std::int64_t{-1});
    return result(mistake_ == Mistake::kCountsAttempts ? attempts_ : std::int64_t{0});
  }

  Mistake mistake_;
  std::map<std::string, std::size_t> names_;
  bool is_off_ = false;
  std::int64_t attempts_ = 0;
  std::int64_t failures_ = 0;
};

class InProcess final : public Link {
 public:
  explicit InProcess(Subject& subject) : interpreter_(subject) {}
  Reply exchange(const Command& command) override { return interpreter_.execute(command); }
  void restart() override {}

 private:
  Interpreter interpreter_;
};

SubjectInfo with_core() {
  SubjectInfo info;
  info.areas = {"core"};
  return info;
}

/// Reads, makes a callable, calls it and reads again.
std::vector<Exchange> program(Mistake mistake) {
  Caller subject(mistake);
  InProcess link(subject);
  Session session(link, with_core());
  session.send("toy.read");
  const Callable callable =
      session.callback("f", session.block([](Session& inner) { inner.send("toy.read"); }));
  session.send("toy.call", {{"function", callable}});
  session.send("toy.read");
  return session.take_history();
}

std::string sentence_of(Mistake mistake) {
  Caller subject(mistake);
  InProcess link(subject);
  Session session(link, with_core());
  std::vector<Failed> failed;
  try {
    send_with_raising(session, program(Mistake::kNone), {}, failed);
  } catch (const CheckFailed& check) {
    return check.what();
  }
  EXPECT_EQ(failed.size(), 1);
  return "";
}

TEST(Raising, EachCommandThatCallsFailsOnceAndThenDoesNot) {
  EXPECT_EQ(sentence_of(Mistake::kNone), "");
}

TEST(Raising, WhatAFailedCallLeavesIsNamed) {
  EXPECT_EQ(sentence_of(Mistake::kKeepsTheMode),
            "a callable that toy.call calls raises, and the state of the thread is not as before");
  EXPECT_EQ(sentence_of(Mistake::kCountsAttempts),
            "a callable that toy.call calls raises; toy.call replies otherwise then, result");
  EXPECT_EQ(sentence_of(Mistake::kSpoilsTheNext),
            "a callable that toy.call calls raises; toy.read replies otherwise then, result");
}

TEST(Raising, TheErrorOfTheCallableIsThatOfTheCommand) {
  EXPECT_EQ(sentence_of(Mistake::kTellsOtherwise),
            "a callable that toy.call calls raises, and it raises another error");
  EXPECT_EQ(sentence_of(Mistake::kSwallowsTheError),
            "nothing fails; toy.call replies otherwise then, result");
}

TEST(Raising, IsForProgramsWithCallables) {
  EXPECT_TRUE(bears_raising(program(Mistake::kNone), with_core()));
  EXPECT_FALSE(bears_raising({program(Mistake::kNone).front()}, with_core()));
  EXPECT_FALSE(bears_raising(program(Mistake::kNone), SubjectInfo()));
}

/// How `perturb` shows the mistake: the commands of the finding.
TEST(Raising, AFindingHasOnlyTheCommandsThatMatter) {
  Caller subject(Mistake::kSpoilsTheNext);
  InProcess link(subject);
  CaseResult found;
  found.outcome = Outcome::kPass;
  found.history = program(Mistake::kNone);
  found.history.insert(found.history.begin(), 20, found.history.front());
  const RunAgain again = [&](const std::function<void(Session&)>& body) {
    Session session(link, with_core());
    CaseResult result;
    result.outcome = Outcome::kPass;
    try {
      body(session);
    } catch (const CheckFailed& failed) {
      result.outcome = Outcome::kFail;
      result.failure.emplace();
      result.failure->sentence = failed.what();
    }
    result.history = session.take_history();
    link.exchange([] {
      Command reset;
      reset.verb = "reset";
      return reset;
    }());
    return result;
  };

  perturb(found, with_core(), again);

  ASSERT_EQ(found.outcome, Outcome::kFail);
  EXPECT_EQ(found.changes, "raise");
  EXPECT_EQ(found.failure->sentence,
            "a callable that toy.call calls raises; toy.read replies otherwise then, result");
  const auto reads = std::ranges::count_if(
      found.history, [](const Exchange& exchange) { return exchange.command.verb == "toy.read"; });
  EXPECT_EQ(reads, 1);
}

}  // namespace
}  // namespace assay
