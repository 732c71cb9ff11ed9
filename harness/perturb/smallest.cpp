// Shrinks the findings of failures.
#include "harness/perturb/smallest.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "harness/perturb/changes.hpp"
#include "harness/program/shrink.hpp"

namespace assay {
namespace {

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

}  // namespace

CaseResult smallest(CaseResult found, const std::vector<Exchange>& program,
                    const SendWithFailures& send, const RunAgain& run) {
  return Smallest(std::move(found), program, send, run).find();
}

}  // namespace assay
