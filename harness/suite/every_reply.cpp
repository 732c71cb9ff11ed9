// Looks for the fields that the tables of the waist require, and for the replies of blocks; adds up
// what is in a reply.
#include "harness/suite/every_reply.hpp"

#include <algorithm>

#include "harness/protocol/schema.hpp"
#include "harness/suite/session.hpp"

namespace assay {
namespace {

void refuse_missing_fields(const Command& command, const Reply& reply) {
  for (const std::string& name : required_results(command.verb)) {
    const bool is_blind = std::ranges::find(reply.blind, name) != reply.blind.end();
    if (is_blind || reply.ok.has(name)) continue;
    throw BadReply(command.verb + ": the reply lacks '" + name + "'");
  }
}

void refuse_incomplete_block(const Command& command, const Reply& reply) {
  if (reply.replies.size() != command.body.size()) {
    throw BadReply(command.verb + ": the body has " + std::to_string(command.body.size()) +
                   " commands, the reply has " + std::to_string(reply.replies.size()) + " replies");
  }
  for (std::size_t i = 0; i < command.body.size(); ++i) {
    if (!reply.replies[i].succeeded()) {
      throw BadReply(command.verb + ": the reply is ok, and that of its command " +
                     std::to_string(i + 1) + ", " + command.body[i].verb + ", is not");
    }
    refuse_incomplete(command.body[i], reply.replies[i]);
  }
}

std::size_t weight_of(const Value& value);

std::size_t weight_of(const std::string& text) { return text.size(); }

std::size_t weight_of(const TensorValue& tensor) {
  const std::size_t exceptions = tensor.recipe ? tensor.recipe->set.size() : 0;
  const std::size_t sums = tensor.digest ? tensor.digest->crc.size() : 0;
  return sizeof(TensorValue) + tensor.data.size() + sums * sizeof(std::uint32_t) +
         (tensor.shape.size() + tensor.strides.size() + 2 * exceptions) * sizeof(std::int64_t);
}

template <typename Left, typename Right>
std::size_t weight_of(const std::pair<Left, Right>& pair) {
  return sizeof(pair) + weight_of(pair.first) + weight_of(pair.second);
}

template <typename Items>
std::size_t weight_of_all(const Items& items) {
  std::size_t sum = 0;
  for (const auto& item : items) sum += weight_of(item);
  return sum;
}

/// What a value holds outside itself. Kinds that are left out hold next to nothing.
struct Held {
  std::size_t operator()(const std::string& text) const { return text.size(); }
  std::size_t operator()(const List& list) const { return weight_of_all(list.items); }
  std::size_t operator()(const Tuple& tuple) const { return weight_of_all(tuple.items); }
  std::size_t operator()(const Lazy& lazy) const { return weight_of_all(lazy.items); }
  std::size_t operator()(const Dict& dict) const { return weight_of_all(dict.items); }
  std::size_t operator()(const NamedTuple& tuple) const { return weight_of_all(tuple.fields); }
  std::size_t operator()(const Opaque& opaque) const { return opaque.kind.size(); }
  std::size_t operator()(const Value::TensorPtr& tensor) const { return weight_of(*tensor); }
  std::size_t operator()(const Value::SparsePtr& sparse) const {
    return weight_of(sparse->indices) + weight_of(sparse->values);
  }
  template <typename Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }
};

std::size_t weight_of(const Value& value) {
  return sizeof(Value) + std::visit(Held{}, value.storage());
}

}  // namespace

void refuse_incomplete(const Command& command, const Reply& reply) {
  refuse_missing_fields(command, reply);
  if (command.verb == "scope" || command.verb == "on") refuse_incomplete_block(command, reply);
}

std::size_t weight_of(const Reply& reply) {
  std::size_t sum = sizeof(Reply) + weight_of_all(reply.ok) + weight_of_all(reply.counts) +
                    reply.error.message.size() + reply.reason.size();
  if (reply.error.code) sum += weight_of(*reply.error.code);
  for (const Warning& warning : reply.warnings) {
    sum += sizeof(Warning) + warning.category.size() + warning.text.size();
  }
  for (const std::string& field : reply.blind) sum += sizeof(std::string) + field.size();
  for (const Reply& inner : reply.replies) sum += weight_of(inner);
  return sum;
}

}  // namespace assay
