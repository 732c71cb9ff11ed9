// Finds a smaller program that shows the same failure.
#pragma once

#include <cstddef>
#include <functional>

#include "harness/protocol/message.hpp"

namespace assay {

/// Removes commands, enclosing blocks, guards, arguments and elements of tensors while
/// `still_shows` returns true; calls it at most `most_tries` times. The returned program is always
/// one for which it returned true.
Block shrink(Block program, const std::function<bool(const Block&)>& still_shows,
             std::size_t most_tries = 2000);

}  // namespace assay
