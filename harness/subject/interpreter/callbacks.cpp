// Named blocks that the subject calls back.
#include <algorithm>

#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {
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

}  // namespace assay
