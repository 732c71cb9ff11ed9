// Litmus programs run for real: translated to commands of the area runtime, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/ordering.hpp"
#include "harness/suite/litmus/objects.hpp"

namespace assay {

/// A gate gave up waiting to be opened: what was seen says nothing.
class GateExpired : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LitmusOptions {
  /// After so long a closed gate gives up.
  std::int64_t gate_ms = 1000;
  /// The same for a gate that only its time-out opens.
  std::int64_t timeout_ms = 20;
  /// A query that finds something pending asks again for so long: a wrong answer of a real device
  /// may take a moment to show.
  std::chrono::microseconds patience{0};
};

/// What `sim.permitted` finds by looking at every schedule. Throws as sessions do.
litmus::Permitted explored(Session& session, const litmus::Program& program);

/// How often each outcome was seen.
using LitmusHistogram = std::map<litmus::Outcome, std::int64_t>;

/// One program on one subject.
class LitmusRun {
 public:
  /// Throws as LitmusObjects does.
  LitmusRun(Session& session, const litmus::Program& program, LitmusOptions options = {});

  /// Makes the calls, one after another, each in its thread. Throws GateExpired, and as sessions
  /// do.
  litmus::Outcome once(const litmus::CallOrder& calls);

  /// Can `together` say it? One thread; or several without events and gates, of which only `main`,
  /// when it has awaited the others, does more than launch.
  static bool fits_together(const litmus::Program& program);
  /// So many rounds inside the subject, all threads released at once.
  LitmusHistogram together(std::int64_t rounds);

 private:
  struct Call {
    std::string thread;
    const litmus::Operation* operation;
  };
  /// Of each call that has one, the name of what it makes: a gate, what a load has read.
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
  std::vector<Call> calls_;      ///< as numbered by litmus::CallOrder
  std::set<std::string> timed_;  ///< gates that their time-out opens
  std::map<std::string, std::string> events_;
  std::map<std::string, std::string> gates_;
};

}  // namespace assay
