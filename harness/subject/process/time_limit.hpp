// Time limits for links whose subject may never answer.
#pragma once

#include <chrono>
#include <optional>

#include "harness/subject/link/link.hpp"
#include "harness/subject/process/stop_signal.hpp"

namespace assay {

/// An optional interface of links. Links to a subject in this process cannot implement it, because
/// the waiting thread runs the subject.
class TimeLimit {
 public:
  virtual ~TimeLimit() = default;
  /// No exchange waits beyond `end`, until this is called again; without a value, only the
  /// transport's limit applies.
  virtual void expect_by(std::optional<std::chrono::steady_clock::time_point> end) = 0;
  /// If `stop` is set during an exchange or before it, the exchange ends the subject and throws
  /// Interrupted. `stop` must outlive the link, or be null.
  virtual void end_early_on(const StopSignal* stop) = 0;
};

/// The same for any link; does nothing for a subject in this process.
void end_early_on(Link& link, const StopSignal* stop);

}  // namespace assay
