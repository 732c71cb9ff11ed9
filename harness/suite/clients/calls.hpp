// Shared by the typed calls of all areas: converts arguments to fields, and fields of replies to
// C++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/protocol/value.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {

/// The bits of a key set, in the layout of the contract.
using KeyBits = std::uint64_t;

/// A key set as an argument: its bits, or keys to be united.
class KeySet {
 public:
  KeySet(KeyBits bits) : value_(static_cast<std::int64_t>(bits)) {}
  KeySet(const char* key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::string& key) : KeySet(std::vector<std::string>{key}) {}
  KeySet(const std::vector<std::string>& keys);
  KeySet(std::initializer_list<std::string> keys) : KeySet(std::vector<std::string>(keys)) {}
  operator Value() const { return value_; }

 private:
  Value value_;
};

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <typename T>
inline constexpr bool is_vector = false;
template <typename T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Sets an argument. A vector is sent as a list, and an absent optional is not sent.
template <typename T>
void put(Fields& fields, const char* name, const T& value) {
  if constexpr (is_optional<T>) {
    if (value) put(fields, name, *value);
  } else if constexpr (is_vector<T>) {
    fields.set(name, List{{value.begin(), value.end()}});
  } else {
    fields.set(name, value);
  }
}

/// Converts a value of a reply; None is an absent optional. Throws BadReply if it is of another
/// kind; `name` is used in the message.
template <typename T>
T value_to(const Value& value, std::string_view name) {
  if constexpr (is_optional<T>) {
    if (value.is_none()) return std::nullopt;
    return value_to<typename T::value_type>(value, name);
  } else if constexpr (is_vector<T>) {
    T items;
    for (const Value& item : value_to<List>(value, name).items) {
      items.push_back(value_to<typename T::value_type>(item, name));
    }
    return items;
  } else if constexpr (std::is_same_v<T, Value>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {  // bits
    return static_cast<T>(value_to<std::int64_t>(value, name));
  } else if constexpr (std::is_same_v<T, TensorValue>) {
    if (const TensorValue* tensor = value.tensor()) return *tensor;
  } else {
    if (const T* held = value.get_if<T>()) return *held;
  }
  throw BadReply("'" + std::string(name) +
                 "' is of an unexpected kind: " + std::string(kind_of(value)));
}

/// The same for a field of a reply, which may be missing for an optional.
template <typename T>
T field_to(const Reply& reply, std::string_view name) {
  if constexpr (is_optional<T>) {
    if (!reply.ok.has(name)) return std::nullopt;
  }
  return value_to<T>(field(reply, name), name);
}

/// The member `name` of a dict, or null; throws BadReply if `value` is not a dict.
const Value* member_of(const Value& value, std::string_view name);
/// The member `name` of a dict; throws BadReply if it is missing or not a T.
template <typename T>
T member_as(const Value& value, std::string_view name) {
  if (const Value* member = member_of(value, name)) return value_to<T>(*member, name);
  throw BadReply("a dict lacks '" + std::string(name) + "'");
}

/// A part of a subject that commands are sent to. Inside `Session::block` results are empty.
class Calls {
 public:
  explicit Calls(Session& session) : session_(&session) {}

 protected:
  Session& session() const { return *session_; }

  template <typename T>
  T read_field(std::string verb, Fields with = {}, std::string_view name = "result") const {
    const Reply reply = session_->send(std::move(verb), std::move(with));
    return session_->recording() ? T() : field_to<T>(reply, name);
  }
  template <typename T>
  T read_reply(std::string verb, Fields with = {}) const {
    const Reply reply = session_->send(std::move(verb), std::move(with));
    return session_->recording() ? T() : T::from(reply);
  }
  /// Gives the result a new name that begins with `kind`.
  template <typename T>
  T make_object(std::string_view kind, std::string verb, Fields with = {}) const {
    std::string name = session_->fresh_name(kind);
    const Reply reply = session_->send(std::move(verb), std::move(with), name);
    if constexpr (std::is_same_v<T, Ref>) {
      return Ref{std::move(name)};
    } else if constexpr (std::is_constructible_v<T, Session&, std::string, const Reply&>) {
      return T(*session_, std::move(name), reply);
    } else {
      return T(*session_, std::move(name));
    }
  }

 private:
  Session* session_;
};

/// An object of the subject, referred to by name until it is dropped. Converts to a value.
class NamedObject : public Calls {
 public:
  NamedObject(Session& session, std::string name) : Calls(session), name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }
  void drop() const { session().drop(name_); }

 private:
  std::string name_;
};

// A part of a reply that a subject may be unable to report. Only reading it throws Unsupported.

template <typename T>
class Reported {
 public:
  Reported() : value_(T()) {}
  Reported(T value) : value_(std::move(value)) {}
  /// A part that the subject did not report; `name` is used in the message.
  static Reported blind(std::string name) {
    Reported made;
    made.value_.reset();
    made.name_ = std::move(name);
    return made;
  }

  bool is_reported() const { return value_.has_value(); }
  const T& get() const {
    if (!value_) throw Blind(name_);
    return *value_;
  }
  operator const T&() const { return get(); }
  operator Value() const { return Value(get()); }
  friend bool operator==(const Reported& seen, const T& other) { return seen.get() == other; }

 private:
  std::optional<T> value_;
  std::string name_;
};

/// True if the subject has declared that it cannot report the field.
inline bool is_blind(const Reply& reply, const std::string& name) {
  return std::find(reply.blind.begin(), reply.blind.end(), name) != reply.blind.end();
}

template <typename T>
Reported<T> reported_field(const Reply& reply, const std::string& name) {
  if (is_blind(reply, name)) return Reported<T>::blind(name);
  return Reported<T>(field_to<T>(reply, name));
}

}  // namespace assay
