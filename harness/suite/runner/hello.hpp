// The first exchange: who the subject is, and which contracts it can hold to.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// What `hello` said, with what only the judge of `unsupported` answers reads.
struct Hello : SubjectInfo {
  /// Areas, commands and globs on the commands of an area that the subject does not offer, or not
  /// with every argument; `counts` for the counts of replies.
  std::vector<std::string> without;
};

/// The first of `without` that is `command`, its area, or a glob for it; null where none is.
const std::string* named_without(const std::vector<std::string>& without,
                                 const std::string& command);

/// Asks for `wanted`. What the subject leaves out of its contract is taken from `wanted`. Throws
/// BadReply when the answer is no `hello`, LinkBroken when there is none.
Hello say_hello(Link& link, const Contract& wanted);

/// The subject cannot be brought to answer any more, so the run is over.
class SubjectLost : public std::runtime_error {
 public:
  SubjectLost(const std::string& what, std::string last_words)
      : std::runtime_error(what), last_words_(std::move(last_words)) {}
  /// The end of what it wrote to standard error.
  const std::string& last_words() const { return last_words_; }

 private:
  std::string last_words_;
};

/// It never gave a good reply, not even to its first command: what was asked for is not a subject,
/// or lacks what it needs.
class SubjectNotStarted : public SubjectLost {
 public:
  using SubjectLost::SubjectLost;
};

/// So often in a row a subject may break before its first reply.
inline constexpr int kMostDeaths = 3;

/// Starts the subject again if it is `broken`, and says hello, until it answers. Throws SubjectLost
/// when it broke kMostDeaths times (SubjectNotStarted where it never did anything else), BadReply
/// when it answers what no subject should.
Hello greet(Link& link, const Contract& wanted, bool broken = false);

/// The contracts among the answers to each of `wanted`, without repetition, in that order. A
/// subject that states its own contract answers with that one only. Throws as `greet` does.
std::vector<Contract> offered_contracts(Link& link, const std::vector<Contract>& wanted);

}  // namespace assay
