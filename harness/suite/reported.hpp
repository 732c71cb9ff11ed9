// A part of a reply that a subject may be unable to report. Only reading it throws
// Unsupported.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "harness/suite/session.hpp"

namespace assay {

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
    if (!value_) throw Unsupported("the subject is blind to '" + name_ + "'");
    return *value_;
  }
  operator const T&() const { return get(); }
  operator Value() const { return Value(get()); }
  friend bool operator==(const Reported& seen, const T& other) { return seen.get() == other; }

 private:
  std::optional<T> value_;
  std::string name_;
};

/// Reads a field with `read`, unless the subject has declared that it cannot report it.
template <typename T, typename Read>
Reported<T> reported_field(const Reply& reply, const std::string& name, const Read& read) {
  const bool is_blind =
      std::find(reply.blind.begin(), reply.blind.end(), name) != reply.blind.end();
  return is_blind ? Reported<T>::blind(name) : Reported<T>(T(read(reply, name)));
}

}  // namespace assay
