// A mutant: a subject with one fault enabled, which the suites must detect.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/subject/subject.hpp"

namespace assay::mutant {

struct Program {
  std::string name;
  std::string subject;                                                     ///< has the faults
  std::function<std::unique_ptr<Subject>(const std::string& fault)> make;  ///< "": without a fault
};

/// `program <fault>` serves commands until its input ends, `program --none` does so without a
/// fault; `program --list` lists the faults. Returns the exit status.
int run(const Program& program, int argc, char** argv);

}  // namespace assay::mutant
