// What a failed driver call may leave behind: nothing that the rest of a program shows.
#include "harness/perturb/failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/protocol/json.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

enum class Mistake : std::uint8_t {
  kNone,
  kLosesABlock,     ///< an attempt whose second call fails keeps the memory of the first
  kCountsAttempts,  ///< the reply shows how often the command was tried
  kTellsNothing,    ///< a failed call is no error
  kTellsOtherwise,  ///< the error has another code
  kSpoilsTheNext,   ///< a later command fails because an earlier attempt did
  kWarnsOnly,       ///< the command succeeds with a warning, as for a call in a destructor
};

/// Its command `toy.pin` calls malloc and then event_record; `toy.read` calls nothing.
class Machine final : public Link {
 public:
  explicit Machine(Mistake mistake) : mistake_(mistake) {}

  Reply exchange(const Command& command) override {
    if (command.verb == "sim.faults") return plan(command);
    if (command.verb == "sim.log") return log();
    if (command.verb == "sim.live") return Reply::make_ok({{"device_blocks", blocks_}});
    if (command.verb == "toy.read") return Reply::make_ok({{"result", read()}});
    if (command.verb == "toy.pin") return pin();
    return Reply::make_unsupported("no such command");
  }
  void restart() override {}

  int failures() const { return failures_; }

 private:
  Reply plan(const Command& command) {
    planned_.clear();
    for (const Value& item : command.with.find("plan")->get_if<List>()->items) {
      const Dict& fault = *item.get_if<Dict>();
      const auto& name = *fault.items[0].second.get_if<std::string>();
      if (*fault.items[1].second.get_if<std::int64_t>() == 1) planned_.push_back(name);
    }
    return Reply::make_ok();
  }

  Reply log() {
    List lines;
    for (std::string& line : std::exchange(log_, {})) lines.items.emplace_back(std::move(line));
    return Reply::make_ok({{"result", std::move(lines)}});
  }

  bool calls(const std::string& name) {
    const bool fails = std::ranges::find(planned_, name) != planned_.end();
    log_.push_back(name + (fails ? "()!400" : "()"));
    failures_ += fails ? 1 : 0;
    return !fails;
  }

  std::int64_t read() const { return mistake_ == Mistake::kSpoilsTheNext && failures_ > 0 ? 1 : 0; }

  Reply raised() const {
    if (mistake_ == Mistake::kTellsNothing) return done();
    Reply reply = Reply::make_error(ErrorKind::kDevice, "CUDA error");
    reply.error.code = Value(std::int64_t{mistake_ == Mistake::kTellsOtherwise ? 1 : 400});
    return reply;
  }

  Reply done() const {
    Reply reply = Reply::make_ok({{"result", Value(std::int64_t{0})}});
    if (mistake_ == Mistake::kCountsAttempts) reply.ok.set("result", Value(attempts_));
    return reply;
  }

  Reply pin() {
    ++attempts_;
    if (!calls("malloc")) return raised();
    ++blocks_;
    if (calls("event_record")) return done();
    if (mistake_ == Mistake::kWarnsOnly) {
      Reply reply = done();
      reply.warnings.push_back({"UserWarning", "CUDA warning"});
      return reply;
    }
    if (mistake_ != Mistake::kLosesABlock) --blocks_;
    return raised();
  }

  Mistake mistake_;
  std::vector<std::string> planned_;
  std::vector<std::string> log_;
  std::int64_t blocks_ = 0;
  std::int64_t attempts_ = 0;
  int failures_ = 0;
};

std::vector<Exchange> program_of(const std::vector<std::string>& verbs) {
  std::vector<Exchange> program;
  for (const std::string& verb : verbs) {
    Command command;
    command.verb = verb;
    program.push_back({command, Reply::make_ok({{"result", Value(std::int64_t{0})}})});
  }
  return program;
}

SubjectInfo simulated() {
  SubjectInfo info;
  info.areas = {"memory", "sim"};
  return info;
}

std::string sentence_of(Mistake mistake) {
  Machine machine(mistake);
  Session session(machine, simulated());
  try {
    std::vector<Failed> failed;
    send_with_failures(session, program_of({"toy.pin", "toy.read"}), {}, failed);
  } catch (const CheckFailed& failed) {
    return failed.what();
  }
  return "";
}

TEST(Failures, EachCallFailsTwiceAndThenNone) {
  Machine machine(Mistake::kNone);
  Session session(machine, simulated());

  std::vector<Failed> failed;
  send_with_failures(session, program_of({"toy.pin", "toy.read"}), {}, failed);

  EXPECT_EQ(failed.size(), 4);
  EXPECT_EQ(machine.failures(), 4);
}

TEST(Failures, WhatAFailedAttemptLeavesIsNamedWithTheCall) {
  EXPECT_EQ(sentence_of(Mistake::kLosesABlock),
            "the driver call event_record of toy.pin fails twice, and the second time more "
            "device_blocks stay alive");
  EXPECT_EQ(sentence_of(Mistake::kCountsAttempts),
            "the driver call event_record of toy.pin fails; toy.pin replies otherwise then, "
            "result");
  EXPECT_EQ(sentence_of(Mistake::kSpoilsTheNext),
            "the driver call event_record of toy.pin fails; toy.read replies otherwise then, "
            "result");
}

TEST(Failures, AFailedCallIsAnErrorWithItsCode) {
  EXPECT_EQ(sentence_of(Mistake::kTellsNothing),
            "the driver call malloc of toy.pin fails, and it succeeds");
  EXPECT_EQ(sentence_of(Mistake::kTellsOtherwise),
            "the driver call malloc of toy.pin fails, and it raises another error");
}

TEST(Failures, AWarningIsEnoughAndEndsTheComparison) {
  EXPECT_EQ(sentence_of(Mistake::kWarnsOnly), "");
}

TEST(Failures, AreForProgramsWithoutFailuresOnSimulatedMachines) {
  SubjectInfo info = simulated();
  EXPECT_TRUE(bears_failures(program_of({"toy.pin"}), info));
  EXPECT_FALSE(bears_failures(program_of({"toy.pin", "sim.faults"}), info));
  EXPECT_FALSE(bears_failures(program_of({"toy.pin", "reset"}), info));
  info.areas = {"memory"};
  EXPECT_FALSE(bears_failures(program_of({"toy.pin"}), info));
}

}  // namespace
}  // namespace assay
