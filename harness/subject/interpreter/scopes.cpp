// Blocks in special places: in a scope, which enters guards in order and leaves them in reverse
// order, whatever the result of the body; as callbacks; and on named threads.
#include <algorithm>

#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {

// Scopes.

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

// Named blocks that the subject calls back.

namespace {

Substitution arguments_by_name(const std::vector<Value>& arguments, const Fields& named) {
  Substitution made;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    made.emplace('$' + std::to_string(i), arguments[i]);
  }
  for (const auto& [name, value] : named) made.emplace('$' + name, value);
  return made;
}

void gather_warnings(std::vector<Warning>& warnings, const Reply& reply) {
  warnings.insert(warnings.end(), reply.warnings.begin(), reply.warnings.end());
  for (const Reply& inner : reply.replies) gather_warnings(warnings, inner);
}

}  // namespace

Reply Interpreter::State::define_callback(const Command& command) {
  if (command.as.empty()) return Reply::make_invalid("'callback' needs 'as': its name");
  if (!command.with.empty()) return Reply::make_invalid("'callback' takes no 'with'");
  const std::scoped_lock lock(mutex_);
  const bool is_new =
      callbacks_.emplace(command.as, std::make_shared<const Block>(command.body)).second;
  if (!is_new) return Reply::make_invalid("the name '" + command.as + "' is already bound");
  if (command.as.find(kLocalMark) != std::string::npos) {
    ContextScope::current().locals->add(command.as);
  }
  return Reply::make_ok();
}

Reply Interpreter::State::call(const std::string& callback, const std::vector<Value>& arguments,
                               const Fields& named) {
  std::shared_ptr<const Block> body;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = callbacks_.find(callback);
    if (found == callbacks_.end()) {
      return Reply::make_invalid("no callback is named '" + callback + "'");
    }
    body = found->second;
  }
  Substitution substitution = arguments_by_name(arguments, named);
  add_fresh_names(substitution, *body, fresh_);
  ForeignThread foreign_thread(foreign_threads_);
  Context context = here(foreign_thread);
  if (++context.depth > kDeepestBlock) {
    return Reply::make_invalid("callbacks nest deeper than " + std::to_string(kDeepestBlock));
  }
  const ContextScope scope(context);
  return invoke(substituted(*body, substitution));
}

Reply Interpreter::State::invoke(const Block& body) {
  Reply reply = run_block(body);
  gather_warnings(reply.warnings, reply);
  if (!reply.succeeded()) return reply;
  const Value* result = reply.replies.empty() ? nullptr : reply.replies.back().ok.find("result");
  reply.ok.set("result", result == nullptr ? Value() : *result);
  return reply;
}

// The block command `on`: runs a block on a named thread.

Reply deadlock_reply(const Actor& awaited) {
  return Reply::make_invalid("thread '" + awaited.name + "' waits for this command to end");
}

std::optional<Reply> Interpreter::State::no_thread(const std::string& name) const {
  if (!threads_allowed_) {
    return Reply::make_unsupported("this subject's 'hello' does not say that threads may call it");
  }
  // The main thread reads commands, so it is at the head of every chain of waits.
  if (name == main_.name) return deadlock_reply(main_);
  return std::nullopt;
}

Reply Interpreter::State::on(const Command& command) {
  const Value* wanted = command.with.find("thread");
  const auto* name = wanted == nullptr ? nullptr : wanted->get_if<std::string>();
  if (name == nullptr || command.with.size() != 1) {
    return Reply::make_invalid("'on' needs the argument 'thread', a string, and no other");
  }
  const Context context = ContextScope::current();
  if (*name == context.self->name) return run_block(command.body);
  if (std::optional<Reply> refusal = no_thread(*name)) return std::move(*refusal);
  NamedThread& thread = threads_.named(*name);
  const WaitGraph::Wait wait(waits_, *context.self, {&thread.actor()}, false);
  if (wait.refused_by() != nullptr) return deadlock_reply(*wait.refused_by());
  Reply reply;
  thread.run([&] {
    const ContextScope scope({this, &thread.actor(), context.locals, context.depth});
    reply = reply_or_failure([&] { return run_block(command.body); });
  });
  return reply;
}

}  // namespace assay
