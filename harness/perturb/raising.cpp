// Makes the callables of a program raise, one after the other.
//
// The block of each callable begins with one more command, which asks for the size of the first
// dimension of a tensor of the perturbation's own, the fuse. While this tensor has one, nothing
// changes; one without dimensions makes the command raise an index error. So a command that calls
// callables fails in the first of them. Which of them it is does not matter: those after it would
// fail when those before have had their effects, which they would have a second time.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "harness/perturb/changes.hpp"
#include "harness/perturb/failures.hpp"
#include "harness/protocol/json.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

constexpr const char* kFuse = "fuse-of-callables";
constexpr std::size_t kMostFailures = 100;

Command command_of(std::string verb, Fields with = {}) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

class Raising {
 public:
  Raising(Session& session, const std::vector<Exchange>& program, const Choice& choice,
          std::vector<Failed>& failures)
      : session_(session),
        program_(program),
        choice_(choice),
        state_(session, program),
        failures_(failures) {}

  void send_all() {
    for (const bool is_whole : {true, false}) {
      TensorValue fuse;
      fuse.dtype = Dtype::kFloat32;
      fuse.device = {"cpu", -1};
      if (is_whole) fuse.shape = {1};
      fuse.data.assign(4, {});
      Command make = command_of("core.tensor", {{"value", std::move(fuse)}});
      make.as = name_of_fuse(is_whole);
      session_.ask(std::move(make));
    }
    for (at_ = 0; at_ < program_.size(); ++at_) {
      const Exchange& exchange = program_[at_];
      const Command command = with_fuse(exchange.command);
      const bool fails = has_callables_ && choice_.allows(at_) &&
                         failures_.size() < kMostFailures && exchange.reply.succeeded() &&
                         bears_attempts(exchange.command) &&
                         !minds_inside(exchange.command, "raising");
      Reply got = fails ? until_it_succeeds(command) : whole(command);
      comparison_.compare(exchange, std::move(got),
                          failures_.empty() ? std::nullopt : std::optional(in_words()));
    }
  }

 private:
  /// The command with the test of the fuse in each callable that it makes.
  Command with_fuse(Command command) {
    for (const auto member : {&Command::enter, &Command::body, &Command::observe}) {
      for (Command& inner : command.*member) inner = with_fuse(std::move(inner));
    }
    if (command.verb != "callback") return command;
    has_callables_ = true;
    if (command.body.empty()) command.body.push_back(command_of("value", {{"value", Value()}}));
    command.body.insert(command.body.begin(),
                        command_of("core.size", {{"tensor", Ref{kFuse}}, {"dim", 0}}));
    return command;
  }

  static std::string name_of_fuse(bool is_whole) {
    return std::string(kFuse) + (is_whole ? "-whole" : "-blown");
  }

  void give_fuse(bool is_whole) {
    if (is_whole_ == is_whole) return;
    if (is_whole_) session_.ask(command_of("drop", {{"object", Ref{kFuse}}}));
    Command name = command_of("value", {{"value", Ref{name_of_fuse(is_whole)}}});
    name.as = kFuse;
    session_.ask(std::move(name));
    is_whole_ = is_whole;
  }

  Reply whole(const Command& command) {
    if (has_callables_) give_fuse(true);
    return session_.ask(command);
  }

  Reply until_it_succeeds(const Command& command) {
    const std::string state = state_.before(command);
    give_fuse(false);
    Reply reply = session_.ask(command);
    if (reply.succeeded()) return reply;
    note_failure(command, reply);
    state_.expect(state, command, in_words());
    return whole(command);
  }

  void note_failure(const Command& command, const Reply& reply) {
    failures_.push_back({at_, {}});
    last_ = command.verb;
    const bool is_raised = reply.status == Reply::Status::kError;
    if (is_raised && reply.error.kind == ErrorKind::kIndex) return;
    throw CheckFailed(in_words() + ", and it raises another error", "an error of kind index",
                      to_json(reply), {});
  }

  std::string in_words() const { return fmt::format("a callable that {} calls raises", last_); }

  Session& session_;
  const std::vector<Exchange>& program_;
  const Choice& choice_;
  ThreadState state_;
  ComparisonAfterFailures comparison_;
  std::size_t at_ = 0;
  bool has_callables_ = false;
  std::optional<bool> is_whole_;
  std::vector<Failed>& failures_;
  std::string last_;
};

}  // namespace

bool bears_raising(const std::vector<Exchange>& program, const SubjectInfo& info) {
  if (std::ranges::find(info.areas, "core") == info.areas.end()) return false;
  return is_repeatable(program) && mentions(program, "callback");
}

void send_with_raising(Session& session, const std::vector<Exchange>& program, const Choice& choice,
                       std::vector<Failed>& failed) {
  Raising(session, program, choice, failed).send_all();
}

}  // namespace assay
