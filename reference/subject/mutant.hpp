// The reference with a fault: only in the build that has the switches.
#pragma once

#include <memory>
#include <string_view>

#include "harness/subject/subject.hpp"

namespace assay::reference {

/// As `make_subject`, with that fault switched on for the whole process.
std::unique_ptr<Subject> make_mutant(std::string_view fault);

}  // namespace assay::reference
