// Decides whether two subjects gave equivalent replies.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/check/compare.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

// Which references of two subjects mean the same object.

/// Pairs the names in the replies of two subjects to one program. A name that the client gave means
/// the same object on both sides. An object that was named inside a callback or a round outlives it
/// under a name of the subject's own: the client's name, a mark and a number (`product~19`,
/// `product#13`). So does an unnamed argument of a callback (`$0#5`, `lent#7`). Such a name belongs
/// to one object of the other side for as long as the program lasts.
class SameNames {
 public:
  /// Call for each command before its replies are compared, also for those of a block.
  void begin(const Command& command);
  /// True if the names may mean the same object, which they then mean from now on.
  bool match(const std::string& got, const std::string& wanted);
  /// `got` with the references of the other side in the places where they match.
  Value translated(const Value& got, const Value& wanted);

 private:
  bool may_match(const std::string& got, const std::string& wanted) const;
  bool is_being_named(const std::string& name) const;
  bool is_generated(const std::string& name) const;
  void note_blocks(const Command& command);
  void forget(const std::string& name);

  /// Names that the program binds inside callbacks and rounds; `$` if it has a callback.
  std::set<std::string> stems_;
  std::string as_;  ///< of the current command
  std::map<std::string, std::string> wanted_of_, got_of_;
};

/// What two subjects may do otherwise without a mistake.
struct Freedom {
  /// How a runtime is made inside: which of its own kernels run, how often it locks, which stream
  /// of its pool it takes; and what depends on time.
  bool inside = false;
  Tolerance tolerance = {.nan_by_class = false};
};

/// Compares the replies of two subjects to the commands of one program, in order.
class ProgramComparison {
 public:
  explicit ProgramComparison(const Freedom& freedom = {}) : freedom_(freedom) {}

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

  Freedom freedom_;
  SameNames names_;
  std::vector<std::string> unanswered_;
};

/// The same for the only command of a program.
std::optional<Difference> compare_replies(const Command& command, const Reply& got,
                                          const Reply& wanted);

}  // namespace assay
