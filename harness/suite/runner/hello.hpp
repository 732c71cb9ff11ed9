// The first exchange: the identity of the subject and its contracts.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/suite/property.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// The contents of `hello`, including what only the judge of `unsupported` replies needs.
struct Hello : SubjectInfo {
  /// Areas, commands and globs on the commands of one area that the subject does not support, or
  /// not with every argument or field; a field of one command (`core.storage.offset`); `counts` for
  /// the counts in replies. Each names something that exists.
  std::vector<std::string> without;
  /// Its deviation is `foreign`: the strict rules, but no words of PyTorch are judged.
  bool foreign = false;
  /// Of its platform, each once, in their order.
  std::vector<Property> properties;
};

/// The first entry of `without` that is `command`, its area, or a glob that matches it; or null.
const std::string* named_without(const std::vector<std::string>& without,
                                 const std::string& command);

/// What differs between two replies to `hello`, but for the order of lists: `areas: amp, core
/// became amp`. Empty if nothing does.
std::string difference_between(const Hello& first, const Hello& later);

/// The subject does not know the requested contract: it was built before its release was known.
class ContractNotUnderstood : public BadReply {
 public:
  using BadReply::BadReply;
};

/// Requests `wanted`. Parts of the contract that the subject omits are taken from `wanted`. Throws
/// BadReply for an invalid reply, LinkBroken if there is none.
Hello say_hello(Link& link, const Contract& wanted);

/// The subject does not answer any more, so the run is over.
class SubjectLost : public std::runtime_error {
 public:
  SubjectLost(const std::string& what, std::string last_words)
      : std::runtime_error(what), last_words_(std::move(last_words)) {}
  /// The last part of its standard error.
  const std::string& last_words() const { return last_words_; }

 private:
  std::string last_words_;
};

/// The subject never gave a valid reply, not even to its first command: the name is not that of a
/// subject, or the subject lacks something that it needs.
class SubjectNotStarted : public SubjectLost {
 public:
  using SubjectLost::SubjectLost;
};

/// The subject says another hello than when the run began, so its answers are those of two
/// subjects.
class SubjectChanged : public SubjectLost {
 public:
  explicit SubjectChanged(const std::string& difference)
      : SubjectLost("its hello is another than at the beginning of the run (" + difference +
                        "); a device that was busy is the usual cause",
                    "") {}
};

/// Throws SubjectChanged if one of `before` is of the same contract and differs.
void check_identity(const std::vector<Hello>& before, const Contract& contract, const Hello& now);

/// The maximum number of consecutive failures before the first reply.
inline constexpr int kMostDeaths = 3;

/// Restarts the subject if it is `broken`, and says hello until it answers. Throws SubjectLost
/// after kMostDeaths failures (SubjectNotStarted if it never answered), and BadReply for an invalid
/// reply.
Hello hello_with_retries(Link& link, const Contract& wanted, bool broken = false);

/// The distinct contracts in the replies to each of `wanted`, in that order. A subject that states
/// its own contract always replies with that one. Throws like `hello_with_retries`.
std::vector<Contract> offered_contracts(Link& link, const std::vector<Contract>& wanted);

}  // namespace assay
