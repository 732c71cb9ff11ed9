// Answers one command: block commands here, others through the subject.
#include "harness/subject/interpreter.hpp"

#include "harness/protocol/json.hpp"
#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {
namespace {

thread_local Context current_context;

bool is_block_word(std::string_view verb) {
  return verb == "scope" || verb == "on" || verb == "together" || verb == "callback";
}

/// The sum of the counts of a block's parts.
Fields summed_counts(const std::vector<Reply>& replies) {
  Fields sums;
  for (const Reply& reply : replies) {
    for (const auto& [name, count] : reply.counts) {
      const auto* number = count.get_if<std::int64_t>();
      if (number == nullptr) continue;
      const Value* former = sums.find(name);
      sums.set(name, *number + (former == nullptr ? 0 : *former->get_if<std::int64_t>()));
    }
  }
  return sums;
}

/// Requests for a block (counts, digests) apply to its commands.
Command with_requests_passed_to_blocks(const Command& command) {
  Command made = command;
  for (Block* block : {&made.enter, &made.body, &made.observe}) {
    for (Command& inner : *block) {
      inner.count |= command.count;
      if (inner.digest == 0) inner.digest = command.digest;
    }
  }
  return made;
}

}  // namespace

ContextScope::ContextScope(Context context) : former_(std::exchange(current_context, context)) {}
ContextScope::~ContextScope() { current_context = former_; }
const Context& ContextScope::current() { return current_context; }

Reply failure_of(const Reply& part) {
  Reply reply;
  reply.status = part.status;
  reply.error = part.error;
  reply.reason = part.reason;
  return reply;
}

Interpreter::Interpreter(Subject& subject) : state_(std::make_unique<State>(*this, subject)) {}
Interpreter::~Interpreter() = default;

Reply Interpreter::execute(const Command& command) {
  Reply reply = reply_or_failure([&] { return state_->execute(command); });
  reply.id = command.id;
  return reply;
}

Reply Interpreter::call(const std::string& callback, const std::vector<Value>& arguments,
                        const Fields& named) {
  return reply_or_failure([&] { return state_->call(callback, arguments, named); });
}

Reply Interpreter::State::execute(const Command& command) {
  LocalNames locals;
  const ContextScope scope({this, &main_, &locals, 0});
  Reply reply = run(command);
  release(locals);
  release(foreign_threads_);
  return reply;
}

Interpreter::State::ForeignThread::~ForeignThread() {
  for (std::string& name : locals.take()) ended.add(std::move(name));
}

Context Interpreter::State::here(ForeignThread& foreign_thread) {
  const Context& current = ContextScope::current();
  if (current.interpreter == this) return current;
  return {this, &foreign_thread.actor, &foreign_thread.locals, 0};
}

Reply Interpreter::State::run(const Command& command) {
  if (command.verb.empty()) return Reply::make_invalid("the command lacks 'do'");
  if (const char* member = misplaced_member(command)) {
    return Reply::make_invalid("'" + command.verb + "' takes no '" + member + "'");
  }
  const bool is_word = command.verb.find('.') == std::string::npos;
  return is_word ? run_word(command) : ask_subject(command);
}

Reply Interpreter::State::run_word(const Command& command) {
  if (is_block_word(command.verb)) {
    Context context = ContextScope::current();
    if (++context.depth > kDeepestBlock) {
      return Reply::make_invalid("blocks nest deeper than " + std::to_string(kDeepestBlock));
    }
    const ContextScope scope(context);
    if (command.verb == "callback") return define_callback(command);
    if (!command.as.empty()) return Reply::make_invalid("'" + command.verb + "' takes no 'as'");
    if (command.count || command.digest != 0) return run_counted(command);
    return run_blocks(command);
  }
  if (command.verb == "hello") return hello(command);
  if (command.verb == "reset") return reset(command);
  if (command.verb == "drop") return drop(command);
  if (command.verb == "leave") return leave(command);
  return ask_subject(command);
}

Reply Interpreter::State::run_blocks(const Command& command) {
  if (command.verb == "scope") return scope(command);
  return command.verb == "on" ? on(command) : together(command);
}

Reply Interpreter::State::run_counted(const Command& command) {
  if (command.count && command.verb == "together") {
    return Reply::make_unsupported("'together' takes no 'count'; set it on its commands");
  }
  Reply reply = run_blocks(with_requests_passed_to_blocks(command));
  if (command.count) reply.counts = summed_counts(reply.replies);
  return reply;
}

Reply Interpreter::State::run_block(const Block& block) {
  std::vector<Reply> replies;
  replies.reserve(block.size());
  for (const Command& command : block) {
    replies.push_back(run(command));
    replies.back().id = command.id;
    if (replies.back().succeeded()) continue;
    Reply failed = failure_of(replies.back());
    failed.replies = std::move(replies);
    return failed;
  }
  Reply done;
  done.replies = std::move(replies);
  return done;
}

Reply Interpreter::State::ask_subject(const Command& command) {
  Reply reply = reply_or_failure([&] { return subject_.execute(command, host_); });
  if (!command.as.empty()) note_bound(*ContextScope::current().locals, command, reply);
  return reply;
}

const char* Interpreter::State::misplaced_member(const Command& command) const {
  const bool is_scope = command.verb == "scope";
  const bool is_together = command.verb == "together";
  if (!command.enter.empty() && !is_scope) return "enter";
  if (!command.threads.empty() && !is_together) return "threads";
  if (!command.observe.empty() && !is_together) return "observe";
  const bool has_body = is_scope || command.verb == "on" || command.verb == "callback";
  return !command.body.empty() && !has_body ? "body" : nullptr;
}

Reply Interpreter::State::hello(const Command& command) {
  if (ContextScope::current().depth != 0) {
    return Reply::make_invalid("'hello' is not allowed inside a block");
  }
  Command wish;
  wish.verb = command.verb;
  wish.with = command.with;
  if (std::string text = to_json(wish); text != greeted_with_) {
    forget();  // objects of the old contract become invalid
    greeted_with_ = std::move(text);
  }
  Reply reply = ask_subject(command);
  const Value* threads = reply.ok.find("threads");
  const bool* allowed = threads == nullptr ? nullptr : threads->get_if<bool>();
  if (reply.succeeded()) threads_allowed_ = allowed != nullptr && *allowed;
  return reply;
}

Reply Interpreter::State::reset(const Command& command) {
  if (ContextScope::current().depth != 0) {
    return Reply::make_invalid("'reset' is not allowed inside a block");
  }
  forget();
  return ask_subject(command);
}

void Interpreter::State::forget() {
  threads_.end_all();  // including the runtime's thread-local state
  const std::scoped_lock lock(mutex_);
  callbacks_.clear();
  held_guards_.clear();
}

Reply Interpreter::State::drop(const Command& command) {
  const Value* object = command.with.find("object");
  std::string name;
  if (object != nullptr) {
    if (const auto* ref = object->get_if<Ref>()) name = ref->name;
    if (const auto* callable = object->get_if<Callable>()) name = callable->name;
  }
  {
    const std::scoped_lock lock(mutex_);
    if (callbacks_.erase(name) != 0) return Reply::make_ok();
  }
  return ask_subject(command);
}

void Interpreter::State::drop_quietly(const std::string& name) {
  Command command;
  command.verb = "drop";
  command.with = {{"object", Ref{name}}};
  // The client may have dropped it already.
  reply_or_failure([&] { return drop(command); });
}

void Interpreter::State::release(LocalNames& locals) {
  if (locals.empty()) return;
  for (const std::string& name : locals.take()) drop_quietly(name);
}

}  // namespace assay
