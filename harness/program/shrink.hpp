// The smallest program that still shows what a larger one showed.
#pragma once

#include <cstddef>
#include <functional>

#include "harness/protocol/message.hpp"

namespace assay {

/// Takes away commands, blocks around commands, guards, arguments and elements of tensors, as long
/// as `still_shows` says yes; asks it `most_tries` times at most. The outcome has always been seen
/// to show it.
Block shrink(Block program, const std::function<bool(const Block&)>& still_shows,
             std::size_t most_tries = 2000);

}  // namespace assay
