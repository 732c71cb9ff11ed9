// Removes the unsupported command from a program, so that the rest can be used.
#pragma once

#include "harness/program/differential.hpp"

namespace assay {

/// `program` without the command that ended `result` as unsupported: the innermost one that the
/// replies of its blocks identify. `result` must belong to this program.
Block without_lacking(Block program, const ProgramResult& result);

}  // namespace assay
