// What the moves of streams and of guards share.
#pragma once

#include <optional>
#include <string>

#include "harness/program/draft.hpp"

namespace assay::stream_moves {

/// The type whose devices a program uses: CUDA's, or that of a backend which stands for it.
std::string device_type(const Draft& draft);
/// One of the first two, seldom without an index.
Device some_device(Draft& draft);
/// A stream that work can be put into; makes one first if there is none.
Value some_stream(Draft& draft);
/// An event that the program has; makes one first if there is none.
Value some_event(Draft& draft);
std::string make_event(Draft& draft);

bool guarded(Draft& draft);
bool guarded_stream(Draft& draft);
bool device_guard(Draft& draft);
bool stream_guard(Draft& draft);
bool multi_stream_guard(Draft& draft);
bool stream_context(Draft& draft);
bool device_context(Draft& draft);

}  // namespace assay::stream_moves
