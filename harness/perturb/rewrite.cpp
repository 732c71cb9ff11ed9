// Rewrites commands and replies.
#include "harness/perturb/rewrite.hpp"

#include <utility>

namespace assay {
namespace {

Value rewritten(const Value& value, const Rewrite& rewrite);

/// `cuda:1` is also written as text.
std::string rewritten_text(const std::string& text, const Rewrite& rewrite) {
  const auto device = device_from_text(text);
  if (!device || device->index < 0) return text;
  return to_text(rewrite.device(*device));
}

TensorValue rewritten(const TensorValue& tensor, const Rewrite& rewrite) {
  TensorValue other = tensor;
  other.device = rewrite.device(tensor.device);
  return other;
}

SparseValue rewritten(const SparseValue& sparse, const Rewrite& rewrite) {
  SparseValue other = sparse;
  other.indices = rewritten(sparse.indices, rewrite);
  other.values = rewritten(sparse.values, rewrite);
  return other;
}

template <typename Items>
Items with_items_rewritten(Items sequence, const Rewrite& rewrite) {
  for (Value& item : sequence.items) item = rewritten(item, rewrite);
  return sequence;
}

/// Rewrites what a value holds; kinds without names and devices stay.
struct Visitor {
  const Rewrite& rewrite;

  template <typename T>
  Value operator()(const T& same) const {
    return same;
  }
  Value operator()(const std::string& text) const { return rewritten_text(text, rewrite); }
  Value operator()(const Device& device) const { return rewrite.device(device); }
  Value operator()(const Ref& ref) const { return Ref{rewrite.name(ref.name)}; }
  Value operator()(const Callable& callable) const { return Callable{rewrite.name(callable.name)}; }
  Value operator()(const List& list) const { return with_items_rewritten(list, rewrite); }
  Value operator()(const Tuple& tuple) const { return with_items_rewritten(tuple, rewrite); }
  Value operator()(const Lazy& lazy) const { return with_items_rewritten(lazy, rewrite); }
  Value operator()(Dict dict) const {
    for (auto& [key, item] : dict.items) {
      key = rewritten(key, rewrite);
      item = rewritten(item, rewrite);
    }
    return dict;
  }
  Value operator()(NamedTuple tuple) const {
    for (auto& [name, item] : tuple.fields) item = rewritten(item, rewrite);
    return tuple;
  }
  Value operator()(Generator generator) const {
    generator.device = rewrite.device(generator.device);
    return generator;
  }
  Value operator()(const Value::TensorPtr& tensor) const { return rewritten(*tensor, rewrite); }
  Value operator()(const Value::SparsePtr& sparse) const { return rewritten(*sparse, rewrite); }
};

Value rewritten(const Value& value, const Rewrite& rewrite) {
  return std::visit(Visitor{rewrite}, value.storage());
}

Fields rewritten(const Fields& fields, const Rewrite& rewrite) {
  Fields other;
  for (const auto& [name, value] : fields) other.set(name, rewritten(value, rewrite));
  return other;
}

Block rewritten(const Block& block, const Rewrite& rewrite) {
  Block other;
  for (const Command& command : block) other.push_back(rewritten(command, rewrite));
  return other;
}

}  // namespace

Command rewritten(const Command& command, const Rewrite& rewrite) {
  Command other = command;
  other.with = rewritten(command.with, rewrite);
  if (command.verb == "on") {
    const Value* thread = command.with.find("thread");
    const auto* name = thread == nullptr ? nullptr : thread->get_if<std::string>();
    if (name != nullptr) other.with.set("thread", rewrite.name(*name));
  }
  if (!command.as.empty()) other.as = rewrite.name(command.as);
  for (const auto member : {&Command::enter, &Command::body, &Command::observe}) {
    other.*member = rewritten(command.*member, rewrite);
  }
  for (auto& [thread, block] : other.threads) {
    thread = rewrite.name(thread);
    block = rewritten(block, rewrite);
  }
  return other;
}

Reply rewritten(const Reply& reply, const Rewrite& rewrite) {
  Reply other = reply;
  other.ok = rewritten(reply.ok, rewrite);
  for (Reply& inner : other.replies) inner = rewritten(inner, rewrite);
  return other;
}

void drop_warnings(Reply& reply) {
  reply.warnings.clear();
  for (Reply& inner : reply.replies) drop_warnings(inner);
}

}  // namespace assay
