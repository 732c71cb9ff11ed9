// Sends the programs of cases again with what must not matter changed.
#include "harness/perturb/perturb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/perturb/attempts.hpp"
#include "harness/perturb/changes.hpp"
#include "harness/perturb/failures.hpp"
#include "harness/perturb/rewrite.hpp"
#include "harness/program/compare_replies.hpp"
#include "harness/program/shrink.hpp"
#include "harness/suite/expect.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {
namespace {

// The smallest program, with the fewest failures, that shows a finding.

/// Sends a program of which the chosen attempts fail, and adds them to the list; throws
/// CheckFailed.
using SendWithFailures = std::function<void(Session&, const std::vector<Exchange>&, const Choice&,
                                            std::vector<Failed>&)>;

constexpr std::size_t kMostTries = 200;
/// Marks the command that fails, while others are left out.
constexpr std::int64_t kMark = 1;

class Smallest {
 public:
  Smallest(CaseResult found, std::vector<Exchange> program, const SendWithFailures& send,
           const RunAgain& run)
      : found_(std::move(found)), program_(std::move(program)), send_(send), run_(run) {}

  CaseResult find() {
    if (!finds_one_command()) return std::move(found_);
    leave_out_commands();
    finds_one_attempt();
    return std::move(found_);
  }

 private:
  /// True if the program fails as well with these failures alone; that is then what was found.
  bool fails(const std::vector<Exchange>& program, const Choice& choice) {
    std::vector<Failed> made;
    CaseResult result = run_([&](Session& session) { send_(session, program, choice, made); });
    if (result.outcome != Outcome::kFail) return false;
    found_ = std::move(result);
    made_ = std::move(made);
    return true;
  }

  /// The last command that failed is the likeliest.
  bool finds_one_command() {
    if (!fails(program_, {})) return false;
    std::set<std::size_t> commands;
    for (const Failed& failed : made_) commands.insert(failed.command);
    for (const std::size_t command : commands | std::views::reverse) {
      command_ = command;
      if (fails(program_, {.command = command})) return true;
    }
    return false;
  }

  /// The replies to a shorter program, if it has the same every time and none is refused.
  std::optional<std::vector<Exchange>> played(const Block& block) {
    std::vector<Exchange> program;
    const CaseResult result = run_([&](Session& session) {
      for (Command command : block) {
        command.id.reset();
        Reply reply = session.ask(command);
        program.push_back({std::move(command), std::move(reply)});
      }
    });
    const bool is_refused = std::ranges::any_of(program, [](const Exchange& exchange) {
      return exchange.reply.status == Reply::Status::kInvalid ||
             exchange.reply.status == Reply::Status::kUnsupported;
    });
    if (result.outcome != Outcome::kPass || is_refused || !is_repeatable(program)) return {};
    return program;
  }

  void leave_out_commands() {
    Block block;
    for (const Exchange& exchange : program_) {
      block.push_back(exchange.command);
      block.back().id.reset();
    }
    block[command_].id = kMark;
    shrink(
        std::move(block),
        [this](const Block& shorter) {
          const auto marked = std::ranges::find_if(
              shorter, [](const Command& command) { return command.id == kMark; });
          if (marked == shorter.end()) return false;
          const auto program = played(shorter);
          const auto command = static_cast<std::size_t>(marked - shorter.begin());
          if (!program || !fails(*program, {.command = command})) return false;
          program_ = *program;
          command_ = command;
          return true;
        },
        kMostTries);
  }

  void finds_one_attempt() {
    const std::vector<Failed> made = made_;
    for (const Failed& failed : made | std::views::reverse) {
      if (fails(program_, {.command = command_, .passing = failed.passing})) return;
    }
  }

  CaseResult found_;
  std::vector<Exchange> program_;
  const SendWithFailures& send_;
  const RunAgain& run_;
  std::vector<Failed> made_;
  std::size_t command_ = 0;
};

/// `found` is what the program shows if all its attempts fail. Looks for the one command, and the
/// one attempt at it, that has to fail, and leaves out the commands that do not matter. The result
/// has the history of the smallest program.
CaseResult smallest(CaseResult found, const std::vector<Exchange>& program,
                    const SendWithFailures& send, const RunAgain& run) {
  return Smallest(std::move(found), program, send, run).find();
}

// The changes.

/// The subject refuses the program only because it was changed.
class NotBorne : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The reply to the case's command, which is the only one of its block.
Reply inside(Reply reply, int depth) {
  while (depth-- > 0 && !reply.replies.empty()) {
    Reply inner = std::move(reply.replies.back());
    reply = std::move(inner);
  }
  return reply;
}

const Command& inside(const Command& command, int depth) {
  return depth == 0 ? command : inside(command.body.front(), depth - 1);
}

void send(Session& session, const std::vector<Step>& steps, const Changes& changes) {
  ProgramComparison of_program, of_copy;
  for (const Step& step : steps) {
    Reply got = inside(session.ask(step.command), step.depth);
    if (got.status != step.wanted.status &&
        (got.status == Reply::Status::kInvalid || got.status == Reply::Status::kUnsupported)) {
      throw NotBorne(got.reason);
    }
    if (step.is_copy && changes.beside) drop_warnings(got);
    const Command& command = inside(step.command, step.depth);
    ProgramComparison& comparison = step.is_copy ? of_copy : of_program;
    const auto difference = comparison.compare(command, got, step.wanted);
    if (!difference && comparison.unanswered().empty()) continue;
    if (!difference) throw NotBorne("it does not show " + comparison.unanswered().front());
    const char* which = !changes.beside ? "" : step.is_copy ? "the copy's " : "its ";
    throw CheckFailed(fmt::format("the program replies otherwise {}: {}{}{}{}{}", in_words(changes),
                                  which, command.verb, difference->where.empty() ? "" : ", ",
                                  difference->where, difference->distance),
                      difference->wanted, difference->got, {});
  }
}

class Again {
 public:
  Again(const std::vector<Exchange>& program, const SubjectInfo& info, const RunAgain& run)
      : program_(program), info_(info), run_(run) {}

  /// Nothing if the program does not bear the changes.
  std::optional<CaseResult> with(const Changes& changes) const {
    const std::vector<Step> steps = changed(program_, changes, info_);
    bool is_borne = true;
    CaseResult result = run_([&](Session& session) {
      try {
        send(session, steps, changes);
      } catch (const NotBorne&) {
        is_borne = false;
      }
    });
    if (!is_borne && result.outcome == Outcome::kPass) return std::nullopt;
    result.changes = names_of(changes);
    return result;
  }

 private:
  const std::vector<Exchange>& program_;
  const SubjectInfo& info_;
  const RunAgain& run_;
};

/// What fails is no change of the program, and has a run of its own.
struct FailingKind {
  const char* name;
  bool (*is_borne)(const std::vector<Exchange>&, const SubjectInfo&);
  SendWithFailures send;
};

const FailingKind kFailing[] = {{"failure", bears_failures, send_with_failures},
                                {"raise", bears_raising, send_with_raising}};

bool passes(const std::optional<CaseResult>& result) {
  return result && result->outcome == Outcome::kPass;
}

void change(CaseResult& result, const SubjectInfo& info, const RunAgain& again) {
  const std::vector<Exchange> program = result.history;
  const Again send_again(program, info, again);
  const Changes all = borne_by(program, info);
  if (all == Changes{}) return;
  std::optional<CaseResult> shown = send_again.with(all);
  if (passes(shown)) {
    result.changes = shown->changes;
    return;
  }
  if (!passes(send_again.with({}))) return;
  std::string borne;
  for (const Changes& one : each_of(all, program)) {
    std::optional<CaseResult> alone = send_again.with(one);
    if (!alone) continue;
    borne += (borne.empty() ? "" : " ") + alone->changes;
    if (passes(alone)) continue;
    shown = std::move(alone);
    break;
  }
  if (!shown) {
    result.changes = borne;
    return;
  }
  shown->duration = result.duration;
  result = std::move(*shown);
}

void make_fail(CaseResult& result, const FailingKind& kind, const std::vector<Exchange>& program,
               const SubjectInfo& info, const RunAgain& again) {
  if (!kind.is_borne(program, info)) return;
  std::vector<Failed> failed;
  CaseResult shown =
      again([&](Session& session) { kind.send(session, program, Choice(), failed); });
  if (failed.empty() && shown.outcome == Outcome::kPass) return;
  if (shown.outcome == Outcome::kPass) {
    result.changes += (result.changes.empty() ? "" : " ") + std::string(kind.name);
    return;
  }
  if (!passes(Again(program, info, again).with({}))) return;
  shown = smallest(std::move(shown), program, kind.send, again);
  shown.changes = kind.name;
  shown.duration = result.duration;
  result = std::move(shown);
}

}  // namespace

void perturb(CaseResult& result, const SubjectInfo& info, const RunAgain& again) {
  const std::vector<Exchange> program = result.history;
  change(result, info, again);
  for (const FailingKind& kind : kFailing) {
    if (result.outcome == Outcome::kPass) make_fail(result, kind, program, info, again);
  }
}

}  // namespace assay
