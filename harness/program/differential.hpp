// Finds differences between two subjects on one program.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/program/compare_replies.hpp"
#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

namespace assay {

struct ProgramResult {
  enum class End : std::uint8_t {
    kAgreed,
    kDiffers,      ///< at `exchanges.back()`
    kUnsupported,  ///< one lacks the last command, so nothing more can be compared
    kUnknown,      ///< the trusted subject died of it
    kMeaningless,  ///< the trusted subject takes the last command for no message
    kBroken,       ///< the subject under test died, hung, or sent an invalid reply
  };
  End end = End::kAgreed;
  /// The commands sent, with the replies of the trusted subject.
  std::vector<std::pair<Command, Reply>> exchanges;
  /// The last reply of the subject under test.
  std::optional<Reply> got;
  std::optional<Difference> difference;
  /// What the trusted subject showed and the other did not, as in ProgramComparison.
  std::set<std::string> unanswered;
  std::string broken;  ///< the reason
  /// The verb of the innermost unsupported command, or of the one with the difference.
  std::string verb;

  /// Equal for findings with the same cause.
  std::string signature() const;
};

class Differential {
 public:
  /// Both must have received hello for `contract`, which is repeated after each restart.
  Differential(Link& subject, Link& trusted, const Contract& contract)
      : Differential(subject, contract, trusted, contract) {}
  /// The same for one contract each.
  Differential(Link& subject, const Contract& of_subject, Link& trusted, const Contract& of_trusted)
      : subject_(subject), trusted_(trusted), of_subject_(of_subject), of_trusted_(of_trusted) {}

  /// Starts from the initial state of both. Throws LinkBroken if the trusted one cannot restart.
  ProgramResult run(const Block& program, const Freedom& freedom = {});
  /// Puts the trusted subject into its initial state, for another use.
  void reset_trusted() { prepare(trusted_, of_trusted_, trusted_is_fresh_); }

 private:
  static void prepare(Link& link, const Contract& contract, bool& fresh);
  bool ask_trusted(const Command& command, ProgramResult& result);
  bool ask_subject(const Command& command, ProgramResult& result);
  bool differs(const Command& command, ProgramResult& result);
  static void restart(Link& link, const Contract& contract);

  Link& subject_;
  Link& trusted_;
  Contract of_subject_;
  Contract of_trusted_;
  ProgramComparison comparison_;  ///< of the current program
  bool subject_is_fresh_ = true;
  bool trusted_is_fresh_ = true;
};

}  // namespace assay
