// A command that a C++ subject is answering, with access to its arguments and its reply.
// Their meaning is up to the subject.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/subject/arguments.hpp"
#include "harness/subject/names.hpp"
#include "harness/subject/object.hpp"
#include "harness/subject/subject.hpp"

namespace assay {

/// `Self` derives from it and has these functions, where `Object` derives from SharedObject and can
/// be made from a `Tensor`:
///
///   Tensor tensor_from(const Value&);                    by value, or by reference
///   static void raise(ErrorKind, std::string message);   throws an error of the runtime
///   void warn(const Warning&);                           passes on a warning of a callback
///   Value unnamed(const Object&);                        an object without a name, as a reply
///   shows
///                                                        it: a tensor by value, another as opaque
template <typename Self, typename Object, typename Tensor>
class CallOf {
 public:
  CallOf(NameTable<Object>& names, Host& host, const Command& command)
      : names_(names), host_(host), command_(command), arguments_(command), outer_(innermost()) {
    innermost() = &self();
  }
  ~CallOf() {
    innermost() = outer_;
    take_back();
  }
  CallOf(const CallOf&) = delete;
  CallOf& operator=(const CallOf&) = delete;

  /// The innermost call that this thread is answering. Raises `internal` if there is none.
  static Self& current() {
    if (innermost() == nullptr) {
      Self::raise(ErrorKind::kInternal,
                  "the client is called back on a thread that answers no command");
    }
    return *innermost();
  }

  NameTable<Object>& names() { return names_; }
  Host& host() { return host_; }
  const Command& command() const { return command_; }
  /// Arguments that need no conversion: integers, floats, strings, lists.
  Arguments& arguments() { return arguments_; }
  bool has(std::string_view name) { return arguments_.optional(name) != nullptr; }
  /// Whether it is absent or None.
  bool is_none(std::string_view name) {
    const Value* value = arguments_.optional(name);
    return value == nullptr || value->is_none();
  }

  /// Whether a bool is given, and true.
  bool flag(std::string_view name) { return has(name) && arguments_.boolean(name); }
  /// Whether an argument of any kind refers to an object made from a T. Throws InvalidArgument if
  /// it refers to an unknown name.
  template <typename T>
  bool refers_to(std::string_view name) {
    const Ref* given = arguments_.value(name).template get_if<Ref>();
    return given != nullptr && names_.get(given->name).template is<T>();
  }
  /// The object that a reference denotes.
  Object object(std::string_view name) { return names_.get(arguments_.ref(name)); }
  /// The same, if it was made from a T. `kind` is its name in messages.
  template <typename T>
  std::shared_ptr<T> held(std::string_view name, std::string_view kind) {
    return expect<T>(object(name), name, kind).template as<T>();
  }
  /// Throws InvalidArgument if the object was not made from a T.
  template <typename T>
  const Object& expect(const Object& object, std::string_view name, std::string_view kind) const {
    if (object.template is<T>()) return object;
    throw InvalidArgument(command_.verb + ": '" + std::string(name) + "' must be a " +
                          std::string(kind) + ", not a " + std::string(object.kind()));
  }

  Tensor tensor(std::string_view name) { return self().tensor_from(arguments_.value(name)); }
  /// Undefined if the argument is None or absent.
  Tensor tensor_or_none(std::string_view name) { return is_none(name) ? Tensor() : tensor(name); }
  std::vector<Tensor> tensors(std::string_view name) {
    std::vector<Tensor> all;
    for (const Value& item : arguments_.items(name)) all.push_back(self().tensor_from(item));
    return all;
  }

  /// Sets a field of the reply.
  void set(std::string name, Value value) { fields_.set(std::move(name), std::move(value)); }
  void set(std::string name, const Tensor& tensor) { set(std::move(name), give(tensor)); }
  /// Lists a field as one that the reply is blind to.
  void blind(std::string name) { blind_.push_back(std::move(name)); }
  /// Stands for a value that a capture has not computed: the field that holds it, also in a list,
  /// is omitted, and the reply is blind to it.
  Value not_computed() {
    is_captured_ = true;
    return Opaque{std::string(kNotComputed)};
  }
  /// Sets the field `result`, which gets the client's name.
  void result(Object object) { result_ = std::move(object); }
  void result(Value value) {
    if (command_.as.empty()) return set("result", std::move(value));
    result(Object(std::make_shared<Value>(std::move(value)), "value"));
  }

  /// A reference if the object has a name, otherwise what the reply shows instead.
  Value give(const Object& object) {
    if (auto name = names_.name_of(object.identity())) return Ref{std::move(*name)};
    return self().unnamed(object);
  }
  /// If the client gave `as: NAME`, names the object NAME.suffix unless that name is in use.
  Value give_as(std::string_view suffix, const Object& object) {
    if (!command_.as.empty()) {
      std::string name = command_.as + "." + std::string(suffix);
      if (!names_.has(name)) names_.bind(name, object);
    }
    return give(object);
  }
  /// A reference that is valid during this call: for the arguments of callbacks.
  Value lend(const Object& object) {
    static std::atomic<std::uint64_t> count{0};
    if (auto name = names_.name_of(object.identity())) return Ref{std::move(*name)};
    lent_.push_back("lent#" + std::to_string(++count));
    names_.bind(lent_.back(), object);
    return Ref{lent_.back()};
  }
  /// Ends the references that were lent.
  void take_back() {
    for (const std::string& name : std::exchange(lent_, {})) {
      try {
        names_.drop(name);
      } catch (const InvalidArgument&) {  // the client has dropped it
        continue;
      }
    }
  }

  /// Runs the client's callback on this thread and passes on its warnings. Raises its error.
  /// Returns None if it has no result.
  Value call_back(const std::string& callback, const std::vector<Value>& arguments,
                  const Fields& named = {}) {
    inner_result_ = {};
    const Reply reply = host_.call(callback, arguments, named);
    for (const Warning& warning : reply.warnings) self().warn(warning);
    switch (reply.status) {
      case Reply::Status::kOk:
        break;
      case Reply::Status::kError:
        Self::raise(reply.error.kind, reply.error.message);
      case Reply::Status::kUnsupported:
        throw NotSupported(reply.reason);
      case Reply::Status::kInvalid:
        throw InvalidArgument(reply.reason);
    }
    const Value* result = reply.ok.find("result");
    return result == nullptr ? Value() : *result;
  }
  /// The same, but a tensor that has no name is returned as a reference, so that it keeps its
  /// history. The reference is valid during this call.
  Value call_back_for_object(const std::string& callback, const std::vector<Value>& arguments) {
    Value returned = call_back(callback, arguments);
    const Object made = std::exchange(inner_result_, {});
    const bool is_tensor = returned.tensor() != nullptr || returned.sparse() != nullptr;
    const bool is_kept = made.identity() != nullptr && !made.template is<Value>();
    return is_tensor && is_kept ? lend(made) : returned;
  }

  /// Rejects arguments that were not read, and names the result.
  Reply finish() {
    arguments_.done();
    if (outer_ != nullptr) outer_->inner_result_ = result_.value_or(Object());
    if (result_) set("result", named(*result_));
    Reply reply = Reply::make_ok({});
    if (!is_captured_) {
      reply.ok = std::move(fields_);
    } else {
      for (const auto& [name, value] : fields_) {
        is_not_computed(value) ? blind(name) : reply.ok.set(name, value);
      }
    }
    reply.blind = std::move(blind_);
    return reply;
  }

 private:
  static constexpr std::string_view kNotComputed = "captured";

  /// Null if this thread answers no command.
  static Self*& innermost() {
    thread_local Self* call = nullptr;
    return call;
  }
  Self& self() { return static_cast<Self&>(*this); }

  static bool is_not_computed(const Value& value) {
    if (const auto* list = value.get_if<List>()) {
      return std::any_of(list->items.begin(), list->items.end(), is_not_computed);
    }
    const auto* opaque = value.get_if<Opaque>();
    return opaque != nullptr && opaque->kind == kNotComputed;
  }

  Value named(const Object& object) {
    if (!command_.as.empty()) names_.bind(command_.as, object);
    if (const auto value = object.template as<Value>()) return *value;
    return give(object);
  }

  NameTable<Object>& names_;
  Host& host_;
  const Command& command_;
  Arguments arguments_;
  Fields fields_;
  std::vector<std::string> blind_;
  bool is_captured_ = false;  ///< a field may hold a value that has not been computed
  std::optional<Object> result_;
  Object inner_result_;  ///< of the last command in the last callback
  std::vector<std::string> lent_;
  Self* outer_;
};

}  // namespace assay
