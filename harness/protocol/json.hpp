// The text of the waist: commands, replies and values as JSON, one object a line.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/protocol/message.hpp"

namespace assay {

/// A text that is not the message it should be. `what()` is one sentence that says where and why.
class MalformedMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  MalformedMessage(const std::string& what, std::optional<std::int64_t> id)
      : std::runtime_error(what), id_(id) {}
  /// Of the message, if it could still be read.
  const std::optional<std::int64_t>& id() const { return id_; }

 private:
  std::optional<std::int64_t> id_;
};

/// Without a line break inside; the caller adds the one at the end.
std::string to_json(const Command& command);
std::string to_json(const Reply& reply);
std::string to_json(const Value& value);

/// These throw MalformedMessage, whatever the text holds: broken UTF-8, unknown tags, numbers out
/// of range.
Command command_from_json(std::string_view text);
Reply reply_from_json(std::string_view text);
Value value_from_json(std::string_view text);

/// `0x1.8p+1`, `inf`, `-inf`, `nan`, or `nan:7ff8000000000001` where the payload is not the usual
/// one.
std::string exact_text(double value);
/// Nothing when the text is none of these.
std::optional<double> exact_from_text(std::string_view text);

}  // namespace assay
