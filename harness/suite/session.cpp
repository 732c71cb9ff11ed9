// Implements the conversation of a case with a subject.
#include "harness/suite/session.hpp"

#include <algorithm>

#include "harness/protocol/schema.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {

// Looks for the fields that the tables of the waist require, and for the replies of blocks; adds up
// what is in a reply.

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

// The conversation.

namespace {

/// A case keeps its replies for the report of a failure. No sound case has a tenth of this.
constexpr std::size_t kMostWeight = std::size_t{256} << 20;

void throw_unless_ok(const Command& command, const Reply& reply) {
  switch (reply.status) {
    case Reply::Status::kOk:
      return;
    case Reply::Status::kError:
      throw SubjectError(reply.error);
    case Reply::Status::kUnsupported:
      throw Unsupported(reply.reason);
    case Reply::Status::kInvalid:
      throw BadReply(command.verb + " was answered `invalid`: " + reply.reason +
                     " (the adapter could not read the command: no result of what it adapts)");
  }
}

Command make(std::string verb, Fields with = {}, std::string as = {}) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  command.as = std::move(as);
  return command;
}

/// Restores the old value at the end of the scope.
template <typename T>
class Restore {
 public:
  Restore(T& place, T value) : place_(place), old_(std::exchange(place, std::move(value))) {}
  ~Restore() { place_ = std::move(old_); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& place_;
  T old_;
};

}  // namespace

Session::Session(Link& link, SubjectInfo info) : link_(link), info_(std::move(info)) {}

Device Session::device(int index) const {
  const std::string type = contract().cuda() ? "cuda" : "cpu";
  std::vector<Device> mine;
  std::vector<Device> own;
  for (const Device& device : info_.devices) {
    // An accelerator has its own type, whether it follows CUDA's rules or those of a CPU.
    if ((device.type == "cpu") == (type == "cpu")) mine.push_back(device);
    if (device.type != "cpu" && device.type != "cuda") own.push_back(device);
  }
  if (!own.empty()) mine = own;
  if (mine.empty() && type == "cpu") mine.push_back({"cpu", -1});
  if (static_cast<std::size_t>(index) < mine.size()) return mine[static_cast<std::size_t>(index)];
  const std::string why = "needs " + std::to_string(index + 1) + " devices of kind " + type +
                          ", there are " + std::to_string(mine.size());
  // Without any such device, the subject's contract and its `devices` contradict each other.
  if (mine.empty()) throw Unsupported(why);
  throw NotOffered(why);
}

Reply Session::ask(Command command) {
  command.count = command.count || counting_;
  if (recording_ != nullptr) {
    recording_->push_back(std::move(command));
    return Reply::make_ok();
  }
  command.id = next_id_++;
  // Recorded before sending, because the subject may die of the last command of a case.
  history_.push_back({std::move(command), Reply::make_invalid("there was no reply")});
  Reply reply = link_.exchange(history_.back().command);
  warnings_ = reply.warnings;
  counts_ = reply.counts;
  history_.back().reply = reply;
  weight_ += weight_of(reply);
  if (weight_ > kMostWeight) {
    throw BadReply("the replies of the case take more than " + std::to_string(kMostWeight) +
                   " bytes of memory");
  }
  return reply;
}

Reply Session::send(Command command) {
  Reply reply = ask(std::move(command));
  if (recording_ != nullptr) return reply;
  throw_unless_ok(history_.back().command, reply);
  refuse_incomplete(history_.back().command, reply);
  return reply;
}

Reply Session::send(std::string verb, Fields with, std::string as) {
  return send(make(std::move(verb), std::move(with), std::move(as)));
}

Block Session::block(const std::function<void(Session&)>& program) {
  Block block;
  const Restore restore(recording_, &block);
  program(*this);
  return block;
}

std::vector<Reply> Session::scope(Block enter, Block body) {
  Command command = make("scope");
  command.enter = std::move(enter);
  command.body = std::move(body);
  return send(std::move(command)).replies;
}

std::vector<Reply> Session::on(const std::string& thread, Block body) {
  Command command = make("on", {{"thread", thread}});
  command.body = std::move(body);
  return send(std::move(command)).replies;
}

Reply Session::together(std::vector<std::pair<std::string, Block>> threads, std::int64_t times,
                        Block observe) {
  Command command = make("together", {{"times", times}});
  command.threads = std::move(threads);
  command.observe = std::move(observe);
  return send(std::move(command));
}

Callable Session::callback(const std::string& name, Block body) {
  Command command = make("callback", {}, name);
  command.body = std::move(body);
  send(std::move(command));
  return {name};
}

void Session::drop(const std::string& name) { send("drop", {{"object", Ref{name}}}); }

bool Session::same(const std::string& left, const std::string& right) {
  return field_as<bool>(send("same", {{"a", Ref{left}}, {"b", Ref{right}}}), "result");
}

bool Session::alias(const std::string& left, const std::string& right) {
  return field_as<bool>(send("alias", {{"a", Ref{left}}, {"b", Ref{right}}}), "result");
}

std::int64_t Session::counted(std::string_view name) const {
  const Value* count = counts_.find(name);
  if (count == nullptr) throw NotCounted("the subject does not count '" + std::string(name) + "'");
  if (const auto* number = count->get_if<std::int64_t>()) return *number;
  throw BadReply("the count '" + std::string(name) + "' is not an int");
}

std::string Session::fresh_name(std::string_view prefix) {
  return std::string(prefix) + std::to_string(next_name_++);
}

const Value& field(const Reply& reply, std::string_view name) {
  if (const Value* found = reply.ok.find(name)) return *found;
  const bool is_blind =
      std::find(reply.blind.begin(), reply.blind.end(), name) != reply.blind.end();
  if (is_blind) throw Blind(std::string(name));
  throw BadReply("the reply lacks '" + std::string(name) + "'");
}

const TensorValue& tensor_field(const Reply& reply, std::string_view name) {
  const Value& value = field(reply, name);
  if (const TensorValue* tensor = value.tensor()) return *tensor;
  throw BadReply("'" + std::string(name) + "' should be a tensor, and is a " +
                 std::string(kind_of(value)));
}

}  // namespace assay
