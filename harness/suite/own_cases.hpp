// Cases that join the registry while the program runs.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay {

/// The id of a new case belongs to another one; `what()` says where each is written.
class TakenId : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Adds them to `all_cases()`. Before anything else is done: pointers to cases do not survive it.
/// Throws TakenId, and adds none of them then.
void add_own_cases(std::vector<Case> cases, const std::string& folder);

/// The folder that the case came from; empty for those that are compiled in.
std::string own_folder_of(const std::string& case_id);

/// Made of a line of a transcript, whose name is the case's file.
bool is_recorded(const Case& test);

}  // namespace assay
