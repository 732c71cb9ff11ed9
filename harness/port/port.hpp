// What changed between two releases of PyTorch: programs that the two answer differently.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/check/compare.hpp"
#include "harness/run/run_subject.hpp"
#include "harness/suite/clauses.hpp"

namespace assay {

/// How a subject answers what changed.
enum class Side : std::uint8_t {
  kOlder,
  kNewer,
  kNeither,
  kSilent,  ///< it does not answer the program, or does not show what changed
};

/// `older`, `newer`, `neither`, `silent`
std::string_view name_of(Side side);

/// Commands of which the two releases answer only the last one differently.
struct ChangedProgram {
  std::vector<std::pair<Command, Reply>> exchanges;  ///< with the newer one's replies
  Reply older_reply;
  /// Between the last replies: `got` is the older one's.
  Difference difference;

  const Reply& newer_reply() const { return exchanges.back().second; }
};

/// A case of which the two releases answer a command differently.
struct ChangedCase {
  const Case* test = nullptr;
  Contract older, newer;
  /// The commands of the case. A subject is asked these.
  ChangedProgram program;
  /// The same, or shortened for a reader; the reference may be more lenient with it than others.
  ChangedProgram shown;
  /// Of the shown case of a rule: recordings of PyTorch that have it, of either release.
  std::vector<std::string> recordings = {};
  /// Nothing if no subject was asked, or if it does not claim the area.
  std::optional<Side> side = std::nullopt;
};

/// A clause, and the cases that show how it changed, the shortest first; that one's program is
/// shortened further.
struct ChangedRule {
  const Clause* clause = nullptr;
  std::vector<std::string> sentences;
  std::vector<ChangedCase> cases;

  /// False for a rule that shows what another one changed.
  bool says_so() const { return !sentences.empty(); }
  /// Of a subject: the newer side only if it answers every case so, as far as it answers.
  std::optional<Side> side() const;
};

struct PortOptions {
  Release older = Release::k2_11;
  Release newer = kNewestRelease;
  /// The device rules and deviations under which the releases are compared, whatever the release
  /// here; a case that has changed under one is not asked under those after it.
  std::vector<Contract> under;
  /// Its selection says which cases, and which contract of the subject; its pool, how the subject's
  /// cases run.
  RunSubjectOptions run;
};

/// Those of the subject that the selection leaves, one for each kind of device rules. Throws like
/// `run_subject`.
std::vector<Contract> contracts_of(ConnectedSubject& subject, const RunSubjectOptions& run);

/// Without a subject: those of the selection, and PyTorch's deviations if it leaves them open.
std::vector<Contract> contracts_of(Selection selection);

/// Asks the reference under both releases. The rules that say what changed come first, and of these
/// the closest to a training. Throws Interrupted.
std::vector<ChangedRule> changed_rules(const PortOptions& options);

/// Sends the subject the programs of all cases, under its own contract. Returns why it was given
/// up; empty if it was not. Throws like `run_subject`.
std::string find_sides(ConnectedSubject& subject, const PortOptions& options,
                       std::vector<ChangedRule>& rules);

}  // namespace assay
