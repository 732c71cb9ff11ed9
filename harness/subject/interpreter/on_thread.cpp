// The block command `on`: runs a block on a named thread.
#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {

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
