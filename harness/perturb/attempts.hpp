// Commands that fail at first: which can be sent again, and what their replies are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/compare_replies.hpp"
#include "harness/suite/session.hpp"

namespace assay {

using Counts = std::map<std::string, std::int64_t>;

/// An attempt at a command of a program that failed because it was made to.
struct Failed {
  std::size_t command = 0;
  Counts passing;  ///< what it let pass before it failed
};

/// Which attempts are made to fail: all, or those of one command, or one of them.
struct Choice {
  std::optional<std::size_t> command = {};
  std::optional<Counts> passing = {};

  bool allows(std::size_t index) const { return !command || *command == index; }
};

/// Whether a failed attempt at the command leaves everything as it was, by the marks of the areas'
/// tables (`minds`); blocks of one command do if that one does.
bool bears_attempts(const Command& command);
/// True if the command minds `what` (protocol/schema.hpp), or one in its block does.
bool minds_inside(const Command& command, std::string_view what);

/// Compares the replies to a program, of whose commands some have failed before.
class ComparisonAfterFailures {
 public:
  /// `failed` says what has failed, in words; nothing if nothing has. Throws CheckFailed.
  void compare(const Exchange& exchange, Reply got, const std::optional<std::string>& failed);

 private:
  ProgramComparison comparison_;
};

/// The state of a thread, as the commands of a subject show it: modes, key sets, regions, the
/// current device and stream. A failed command leaves it as it was.
class ThreadState {
 public:
  ThreadState(Session& session, const std::vector<Exchange>& program)
      : session_(session), program_(program) {}

  /// Of the thread on which the command runs. The first time, asks which commands the subject
  /// answers; not earlier, because a program sets up its machine before anything uses it.
  std::string before(const Command& command);
  /// Throws CheckFailed if the state differs from that before the command.
  void expect(const std::string& before, const Command& command, const std::string& failed);

 private:
  void learn();

  Session& session_;
  const std::vector<Exchange>& program_;
  std::optional<Block> probes_;
};

}  // namespace assay
