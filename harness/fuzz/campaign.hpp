// Runs random programs on two subjects in parallel until it finds one on which they differ.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/fuzz/case_programs.hpp"
#include "harness/program/differential.hpp"
#include "harness/program/moves.hpp"
#include "harness/subject/process/stop_signal.hpp"
#include "harness/subjects/connect.hpp"

namespace assay {

/// Where programs come from.
enum class ProgramSource : std::uint8_t {
  kMoves,  ///< drawn command by command
  kCases,  ///< those of cases, changed
  kBoth,   ///< alternately
};

struct CampaignOptions {
  std::string subject;
  std::string trusted = "reference";
  ProgramSource source = ProgramSource::kMoves;
  /// Unless programs are only drawn.
  std::vector<const Case*> cases;
  std::vector<std::string> areas;
  std::uint64_t seed = 1;
  /// The number of the first program.
  std::uint64_t first = 0;
  /// The number of programs; with a time limit, the maximum.
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::duration<double>> time;
  unsigned jobs = 1;
  /// Stop after this many findings of different kinds.
  std::size_t most_findings = 1;
  Contract wanted;
  SubjectOptions connection;
  const StopSignal* stop = nullptr;
};

/// A shrunk program on which the subjects differ.
struct FuzzFinding {
  std::uint64_t number = 0;
  ProgramResult result;
  std::size_t commands_before = 0;  ///< before shrinking
};

struct CampaignResult {
  Contract contract;
  std::vector<FuzzFinding> findings;
  std::uint64_t programs = 0;
  /// The number of commands that both subjects answered.
  std::uint64_t commands = 0;
  /// Of these, the number that succeeded.
  std::uint64_t succeeded = 0;
  std::uint64_t raised_in_scope = 0;
  /// The number of programs that ended early because a subject lacks a command.
  std::uint64_t cut_short = 0;
  /// Verbs that are not generated because a subject lacks them.
  std::vector<std::string> avoided;
  /// The number of programs by length.
  std::map<std::size_t, std::uint64_t> lengths;
  std::map<std::string, std::uint64_t> verbs;
  /// What the subject did not show and so was not compared (`core.storage.result`), by the number
  /// of programs. `unexcused`: named neither by its hello nor by a support file.
  std::map<std::string, std::uint64_t> unanswered;
  std::set<std::string> unexcused;
  bool interrupted = false;

  std::size_t median_length() const;
};

/// Throws UsageError if the two have no contract or no area in common, or no area has moves.
class Campaign {
 public:
  explicit Campaign(CampaignOptions options);

  /// Called for each finding, and periodically with the result so far; never concurrently.
  std::function<void(const FuzzFinding&)> on_finding;
  std::function<void(const CampaignResult&)> on_progress;

  CampaignResult run();
  /// The contract that both subjects support; known once the campaign runs.
  const Contract& contract() const { return plan_.contract; }
  /// The areas of its programs, all of which both subjects claim; known as well.
  const std::vector<std::string>& areas() const { return areas_; }

 private:
  struct Pair;
  void learn(Pair& pair);
  bool is_of_case(std::uint64_t number) const;
  Freedom freedom_of(std::uint64_t number) const;
  Block program_of(Pair& pair, std::uint64_t number);
  void work();
  bool goes_on(std::uint64_t number) const;
  ProgramResult met(Pair& pair, std::uint64_t number, Block& program);
  void note(const Block& program, const ProgramResult& result);
  void note_unexcused(const Pair& pair);
  void judge(Pair& pair, std::uint64_t number, const Block& program, ProgramResult result);

  CampaignOptions options_;
  std::vector<std::string> areas_;
  ProgramPlan plan_;
  CasePrograms cases_;
  CampaignResult result_;
  std::set<std::string> signatures_;
  std::chrono::steady_clock::time_point begin_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> enough_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace assay
