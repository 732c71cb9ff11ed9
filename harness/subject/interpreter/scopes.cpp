// The block command `scope`: enters guards in order and leaves them in reverse order, whatever the
// result of the body.
#include <algorithm>

#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {

/// The guards of a scope, in order of entering.
struct Interpreter::State::Entered {
  std::vector<std::string> guards;
  std::vector<std::string> unnamed;  ///< guards without a client's name
  std::vector<Warning> warnings;     ///< from entering and leaving
};

Reply Interpreter::State::scope(const Command& command) {
  if (!command.with.empty()) return Reply::make_invalid("'scope' takes no 'with'");
  if (command.enter.empty()) return run_block(command.body);
  Entered entered;
  Reply outcome = enter(command.enter, entered);
  if (outcome.succeeded()) outcome = run_block(command.body);
  leave_all(entered, outcome);
  return outcome;
}

/// On failure, the reply of the command that could not enter; otherwise nothing.
Reply Interpreter::State::enter(const Block& block, Entered& entered) {
  for (Command command : block) {
    const bool is_unnamed = command.as.empty();
    if (is_unnamed) command.as = "guard#" + fresh_suffix();
    Reply reply = run(command);
    if (!reply.succeeded()) {
      Reply failed = failure_of(reply);
      failed.replies.push_back(std::move(reply));
      return failed;
    }
    std::move(reply.warnings.begin(), reply.warnings.end(), std::back_inserter(entered.warnings));
    if (is_unnamed) entered.unnamed.push_back(command.as);
    const std::scoped_lock lock(mutex_);
    held_guards_[command.as] = false;
    entered.guards.push_back(std::move(command.as));
  }
  return {};
}

void Interpreter::State::leave_all(Entered& entered, Reply& outcome) {
  for (std::size_t i = entered.guards.size(); i-- > 0;) {
    Reply left = leave_guard(entered.guards[i]);
    std::move(left.warnings.begin(), left.warnings.end(), std::back_inserter(entered.warnings));
    if (left.succeeded() || !outcome.succeeded()) continue;
    Reply failed = failure_of(left);
    failed.replies = std::move(outcome.replies);
    failed.replies.push_back(std::move(left));
    outcome = std::move(failed);
  }
  for (std::size_t i = entered.unnamed.size(); i-- > 0;) drop_quietly(entered.unnamed[i]);
  outcome.warnings = std::move(entered.warnings);
}

Reply Interpreter::State::leave_guard(const std::string& guard) {
  {
    const std::scoped_lock lock(mutex_);
    const auto held = held_guards_.find(guard);
    const bool is_left = held == held_guards_.end() || held->second;
    if (held != held_guards_.end()) held_guards_.erase(held);
    if (is_left) return {};
  }
  Command command;
  command.verb = "leave";
  command.with = {{"guard", Ref{guard}}};
  return ask_subject(command);
}

/// Leaves a guard out of order, so that its scope does not leave it again.
Reply Interpreter::State::leave(const Command& command) {
  Reply reply = ask_subject(command);
  const Value* guard = command.with.find("guard");
  const Ref* ref = guard == nullptr ? nullptr : guard->get_if<Ref>();
  if (ref == nullptr || !reply.succeeded()) return reply;
  const std::scoped_lock lock(mutex_);
  const auto held = held_guards_.find(ref->name);
  if (held != held_guards_.end()) held->second = true;
  return reply;
}

}  // namespace assay
