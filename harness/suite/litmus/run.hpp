// Runs litmus programs on a subject, using only commands of the area runtime.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/check/ordering.hpp"
#include "harness/suite/litmus/objects.hpp"

namespace assay {

/// A gate timed out before it was opened, so that observations are meaningless.
class GateExpired : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LitmusOptions {
  /// The time-out of a closed gate.
  std::int64_t gate_ms = 1000;
  /// The same for a gate that only its time-out opens.
  std::int64_t timeout_ms = 20;
  /// A query that returns `pending` is repeated for this long, because a wrong answer of a real
  /// device may take a moment to appear.
  std::chrono::microseconds patience{0};
};

/// The outcomes that `sim.permitted` finds by exploring all schedules. Throws like a session.
litmus::Permitted explored(Session& session, const litmus::Program& program);

/// The number of times each outcome was observed.
using LitmusHistogram = std::map<litmus::Outcome, std::int64_t>;

/// One program on one subject.
class LitmusRun {
 public:
  /// Throws like LitmusObjects.
  LitmusRun(Session& session, const litmus::Program& program, LitmusOptions options = {});

  /// Makes the calls one after another, each in its thread. Throws GateExpired, and like a
  /// session.
  litmus::Outcome once(const litmus::CallOrder& calls);

  /// True if `together` can express the program: one thread, or several without events and gates,
  /// of which only `main`, after awaiting the others, does more than launch.
  static bool fits_together(const litmus::Program& program);
  /// Runs this many rounds inside the subject, releasing all threads at once.
  LitmusHistogram together(std::int64_t rounds);

 private:
  struct Call {
    std::string thread;
    const litmus::Operation* operation;
  };
  /// The name of the object made by each call that makes one: a gate, or the value of a load.
  using Names = std::map<std::size_t, std::string>;

  Block events();
  Block commands(std::size_t call, Names& names);
  Block copy(const litmus::Operation& operation) const;
  Reply in_thread(const std::string& thread, const Command& what);
  std::int64_t made(std::size_t call, const Command& command, const std::string& thread);
  std::int64_t asked_again(std::size_t call, const Command& query, const std::string& thread);
  void check_gates(const Names& names);
  void forget(const Names& names);
  litmus::Outcome outcome_of(const std::map<std::size_t, std::int64_t>& seen) const;

  Session& session_;
  litmus::Program program_;
  LitmusOptions options_;
  LitmusObjects objects_;
  std::vector<Call> calls_;      ///< numbered as in litmus::CallOrder
  std::set<std::string> timed_;  ///< gates opened by their time-out
  std::map<std::string, std::string> events_;
  std::map<std::string, std::string> gates_;
};

}  // namespace assay
