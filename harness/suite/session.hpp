// The conversation of a case with a subject: sends commands, receives replies and looks at each,
// and records the exchanges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

namespace assay {

// What a session looks at in every reply: whether it has all that it must have, because a case may
// read only a part of it and an absent result must not pass for an empty one; and how large it is.

/// Throws BadReply if the `ok` reply, or one of those of its block, lacks a field that the table of
/// the command requires and to which the subject is not blind.
void refuse_incomplete(const Command& command, const Reply& reply);

/// About the bytes of memory that the reply occupies: its values, texts and tensors.
std::size_t weight_of(const Reply& reply);

// The conversation.

class AmpClient;
class AutocastClient;
class AutogradClient;
class CoreClient;
class DispatchClient;
class MemoryClient;
class ModuleClient;
class OptimClient;
class RuntimeClient;
class ScalerClient;
class SimClient;

/// The subject raised an error. Cases catch it through expect_error.
class SubjectError : public std::runtime_error {
 public:
  explicit SubjectError(ErrorReply error)
      : std::runtime_error(error.message), error_(std::move(error)) {}
  const ErrorReply& error() const { return error_; }

 private:
  ErrorReply error_;
};

/// The subject does not support the request: the case's outcome is `unsupported`.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The subject's reply violates the protocol: it is `invalid`, or lacks a field or has one of the
/// wrong kind.
class BadReply : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of `hello`.
struct SubjectInfo {
  std::string name;
  std::string version;
  std::vector<Device> devices;
  std::vector<std::string> areas;
  bool threads = false;
  Contract contract;
};

/// One command and its reply, in the order of sending.
struct Exchange {
  Command command;
  Reply reply;
};

class Session {
 public:
  /// `info` is the subject's reply to `hello`.
  Session(Link& link, SubjectInfo info);

  const SubjectInfo& info() const { return info_; }
  const Contract& contract() const { return info_.contract; }

  /// `cpu`, or the accelerator with that index; throws Unsupported if there are fewer.
  Device device(int index = 0) const;

  /// Sends the command, records it, and returns the reply of any kind.
  Reply ask(Command command);
  /// The same, but throws Raised, Unsupported or BadReply unless the reply is `ok`.
  Reply send(Command command);
  /// For commands without a client function: `session.send("core.info", {{"tensor", Ref{"x"}}})`.
  Reply send(std::string verb, Fields with = {}, std::string as = {});
  /// Sends the command and returns a field of the reply; an empty value while a block is recorded.
  template <typename T>
  T read(std::string verb, Fields with = {}, std::string_view name = "result", std::string as = {});

  /// The typed clients of the areas.
  AmpClient amp();
  CoreClient core();
  OptimClient optim();
  ScalerClient scaler();
  DispatchClient dispatch();
  AutogradClient autograd();
  AutocastClient autocast();
  ModuleClient modules();
  RuntimeClient runtime();
  SimClient sim();
  MemoryClient memory();

  /// The commands of `program` as a block; while it is recorded every call returns an empty result.
  Block block(const std::function<void(Session&)>& program);
  /// Runs `body` inside the guards that `enter` makes. Throws like `send` at the first error of the
  /// body.
  std::vector<Reply> scope(Block enter, Block body);
  std::vector<Reply> on(const std::string& thread, Block body);
  Reply together(std::vector<std::pair<std::string, Block>> threads, std::int64_t times,
                 Block observe = {});
  /// Makes a callback and returns the value to pass for it.
  Callable callback(const std::string& name, Block body);

  void drop(const std::string& name);
  bool same(const std::string& left, const std::string& right);
  bool alias(const std::string& left, const std::string& right);

  /// Warnings and counts of the last reply. Counting starts with the next command after `count()`.
  const std::vector<Warning>& warnings() const { return warnings_; }
  void count(bool wanted = true) { counting_ = wanted; }
  std::int64_t counted(std::string_view name) const;

  /// A name that this session has not used yet: `x1`, `x2`, …
  std::string fresh_name(std::string_view prefix);

  const std::vector<Exchange>& history() const { return history_; }
  std::vector<Exchange> take_history() { return std::move(history_); }

  /// True inside `block`: calls send nothing and return empty results.
  bool recording() const { return recording_ != nullptr; }

 private:
  Link& link_;
  SubjectInfo info_;
  std::vector<Exchange> history_;
  std::size_t weight_ = 0;  ///< of the replies in the history, in bytes
  std::vector<Warning> warnings_;
  Fields counts_;
  bool counting_ = false;
  Block* recording_ = nullptr;
  std::int64_t next_id_ = 1;
  std::int64_t next_name_ = 1;
};

/// The `result` of a reply, or another field; throws BadReply if it is missing or of another
/// kind.
const Value& field(const Reply& reply, std::string_view name);
const TensorValue& tensor_field(const Reply& reply, std::string_view name);
template <typename T>
const T& field_as(const Reply& reply, std::string_view name) {
  const Value& value = field(reply, name);
  if (const T* held = value.get_if<T>()) return *held;
  throw BadReply("'" + std::string(name) +
                 "' is of an unexpected kind: " + std::string(kind_of(value)));
}

template <typename T>
T Session::read(std::string verb, Fields with, std::string_view name, std::string as) {
  const Reply reply = send(std::move(verb), std::move(with), std::move(as));
  if (recording()) return T();
  if constexpr (std::is_same_v<T, Value>) {
    return field(reply, name);
  } else if constexpr (std::is_same_v<T, TensorValue>) {
    return tensor_field(reply, name);
  } else {
    return field_as<T>(reply, name);
  }
}

}  // namespace assay
