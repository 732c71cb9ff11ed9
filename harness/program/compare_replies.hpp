// Decides whether two subjects gave equivalent replies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/check/compare.hpp"
#include "harness/program/same_names.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// Compares the replies of two subjects to the commands of one program, in order.
class ProgramComparison {
 public:
  /// Nothing if `got` agrees with `wanted` in everything that both show. Ignores error messages.
  std::optional<Difference> compare(const Command& command, const Reply& got, const Reply& wanted);

  /// What `wanted` showed in the last comparison and `got` did not, so that it was not compared:
  /// fields to which the subject is blind or which it shows in part (`core.storage.result`), and
  /// `counts`, and `code`; each once. A subject that leaves something here has not answered the
  /// command.
  const std::vector<std::string>& unanswered() const { return unanswered_; }

 private:
  std::optional<Difference> compare_one(const Command& command, const Reply& got,
                                        const Reply& wanted);
  /// Both values of a list of which a side may not see the runtime's own kernels.
  struct SeenField {
    const Value& got;
    const Value& wanted;
    bool got_is_blind;
    bool wanted_is_blind;
  };
  std::optional<Difference> compare_fields(const Command& command, const Reply& got,
                                           const Reply& wanted);
  std::optional<Difference> compare_field(const Command& command, const std::string& name,
                                          const Reply& got, const Reply& wanted);
  std::optional<Difference> compare_partly_seen(const std::string& field, const SeenField& seen);
  std::optional<Difference> compare_blocks(const Command& command, const Reply& got,
                                           const Reply& wanted);
  std::optional<Difference> compare_counts(const Reply& got, const Reply& wanted);
  void note_unanswered(const std::string& what);

  SameNames names_;
  std::vector<std::string> unanswered_;
};

/// The same for the only command of a program.
std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted);

}  // namespace assay
