// Finds smaller programs: one that shows the same failure, or one without its unsupported command.
#pragma once

#include <cstddef>
#include <functional>

#include "harness/program/differential.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// Removes commands, enclosing blocks, guards, arguments and elements of tensors while
/// `still_shows` returns true; calls it at most `most_tries` times. The returned program is always
/// one for which it returned true.
Block shrink(Block program, const std::function<bool(const Block&)>& still_shows,
             std::size_t most_tries = 2000);

/// `program` without the command that ended `result` as unsupported: the innermost one that the
/// replies of its blocks identify. `result` must belong to this program.
Block without_lacking(Block program, const ProgramResult& result);

}  // namespace assay
