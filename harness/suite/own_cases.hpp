// Registers cases at run time.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay {

/// The id of a new case is already in use; `what()` has the positions of both.
class TakenId : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Adds the cases to `all_cases()`. Must be called first, because it invalidates pointers to cases.
/// Throws TakenId and then adds none.
void add_own_cases(std::vector<Case> cases, const std::string& folder);

/// The folder of a user's case; empty for cases that are compiled in.
std::string own_folder_of(const std::string& case_id);

/// True if the case was made from a transcript, whose name is the case's file.
bool is_recorded(const Case& test);

}  // namespace assay
