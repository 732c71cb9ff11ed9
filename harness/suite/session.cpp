// Implements the conversation of a case with a subject.
#include "harness/suite/session.hpp"

#include <algorithm>

#include "harness/suite/every_reply.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
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
