// A subject with one fault switched on, as a program: what every suite must catch.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/subject/subject.hpp"

namespace assay::mutant {

struct Program {
  std::string name;
  std::string subject;                                                     ///< whose faults it has
  std::function<std::unique_ptr<Subject>(const std::string& fault)> make;  ///< once it is on
};

/// `program <fault>` answers commands until its input ends; `program --list` names the faults.
/// Returns the exit status.
int run(const Program& program, int argc, char** argv);

}  // namespace assay::mutant
