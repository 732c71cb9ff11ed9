// An end to waiting, for links whose subject may never answer.
#pragma once

#include <chrono>
#include <optional>

#include "harness/subject/link/link.hpp"
#include "harness/subject/process/stop_signal.hpp"

namespace assay {

/// A link that implements it beside Link can be told how long to wait. One to a subject in this
/// process cannot: there is nobody else to stop waiting.
class TimeLimit {
 public:
  virtual ~TimeLimit() = default;
  /// No exchange waits beyond `end`, until this is called again; nothing: each waits as long as the
  /// transport does.
  virtual void expect_by(std::optional<std::chrono::steady_clock::time_point> end) = 0;
  /// An exchange that waits when `stop` is set, or begins to wait afterwards, ends its subject and
  /// throws Interrupted. `stop` outlives the link, or is null.
  virtual void end_early_on(const StopSignal* stop) = 0;
};

/// The same for any link; one to a subject in this process is left as it is.
void end_early_on(Link& link, const StopSignal* stop);

}  // namespace assay
