// Which counter of blocks a launch gets.
#pragma once

namespace assay::cuda {

/// One of `counters` that no launch under way uses. A launch that is captured keeps its own, since
/// its graph may run at any time: half of them are there for that. Raises `error` when those are
/// gone (after some thousands of captured launches).
unsigned next_block_counter(unsigned counters);

}  // namespace assay::cuda
