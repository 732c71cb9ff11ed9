// A program without the one command that a subject lacked, so that the rest can still be used.
#pragma once

#include "harness/program/differential.hpp"

namespace assay {

/// What `program` is without the command that ended `result` as not supported: the innermost one,
/// where the replies of its blocks show which that was. `result` must be of this very program.
Block without_lacking(Block program, const ProgramResult& result);

}  // namespace assay
