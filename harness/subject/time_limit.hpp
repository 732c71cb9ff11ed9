// An end to waiting, for links whose subject may never answer.
#pragma once

#include <chrono>
#include <optional>

namespace assay {

/// A link that implements it beside Link can be told how long to wait. One to a subject in this
/// process cannot: there is nobody else to stop waiting.
class TimeLimit {
 public:
  virtual ~TimeLimit() = default;
  /// No exchange waits beyond `end`, until this is called again; nothing: each waits as long as the
  /// transport does.
  virtual void expect_by(std::optional<std::chrono::steady_clock::time_point> end) = 0;
};

}  // namespace assay
