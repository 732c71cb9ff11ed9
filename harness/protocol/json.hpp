// The text format of the protocol: commands, replies and values as JSON, one object per line.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/protocol/message.hpp"

namespace assay {

/// The text is not a valid message. `what()` is one sentence with the position and the reason.
class MalformedMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  MalformedMessage(const std::string& what, std::optional<std::int64_t> id)
      : std::runtime_error(what), id_(id) {}
  /// The id of the message, if it could be read.
  const std::optional<std::int64_t>& id() const { return id_; }

 private:
  std::optional<std::int64_t> id_;
};

/// Contains no line break; the caller appends one.
std::string to_json(const Command& command);
std::string to_json(const Reply& reply);
std::string to_json(const Value& value);

/// These throw MalformedMessage for any invalid text: invalid UTF-8, unknown tags, numbers out
/// of range.
Command command_from_json(std::string_view text);
Reply reply_from_json(std::string_view text);
Value value_from_json(std::string_view text);

/// `0x1.8p+1`, `inf`, `-inf`, `nan`, or `nan:7ff8000000000001` for a NaN with another
/// payload.
std::string exact_text(double value);
/// Nothing if the text is none of these.
std::optional<double> exact_from_text(std::string_view text);

}  // namespace assay
