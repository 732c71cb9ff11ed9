// A part of a reply that a subject may be unable to report. Only reading it throws
// Unsupported.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "harness/suite/clients/calls.hpp"
#include "harness/suite/unsupported_case.hpp"

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
