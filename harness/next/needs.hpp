// Which commands cases need, and which of them would help a subject most.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// All commands of a conversation, those in blocks among them.
std::set<std::string> commands_in(const std::vector<Exchange>& conversation);

/// Those that were answered at least once.
std::set<std::string> answered_in(const std::vector<Exchange>& conversation);

/// A case that was not answered, and the commands that it still needs.
struct OpenCase {
  std::string id;
  std::set<std::string> lacks;
};

struct Suggestion {
  std::string command;
  std::size_t unlocks = 0;  ///< cases that need nothing else
  std::size_t needed = 0;   ///< cases that need it
};

/// All commands that some case lacks, the most useful first: the one that unlocks most cases, then
/// the one that brings most cases nearer. Equal ones are in alphabetical order.
std::vector<Suggestion> suggestions(const std::vector<OpenCase>& cases);

}  // namespace assay
