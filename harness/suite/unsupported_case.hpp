// Why a case was not answered: an unsupported command, or something that `hello` excluded.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The case needs what `hello` does not offer: a second device, a second thread.
class NotOffered : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The case needs a count that the subject does not report. In `without`, "counts" stands for all.
class NotCounted : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The command at which a conversation ended: the innermost unsupported one, or the last; empty if
/// there was none.
std::string stopped_at(const std::vector<Exchange>& history);

/// `amp/unscale/one` and `amp.unscale` belong to the area `amp`; `scope` belongs to none.
std::string area_of_case(const std::string& id);
std::string area_of_command(const std::string& verb);

}  // namespace assay
