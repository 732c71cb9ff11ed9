// What a case went unanswered for: a command, or something that `hello` said beforehand.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The case needs what `hello` says is missing: a second device, a second thread.
class NotOffered : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The case needs a count that the subject does not make. `without` calls all of them "counts".
class NotCounted : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The command at which a conversation came to its end: the innermost one that is unsupported, or
/// the last; empty where there was none.
std::string stopped_at(const std::vector<Exchange>& history);

/// `amp/unscale/one` and `amp.unscale` are of the area `amp`; `scope` is of none.
std::string area_of_case(const std::string& id);
std::string area_of_command(const std::string& verb);

}  // namespace assay
