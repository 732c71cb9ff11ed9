// Shared by the moves of streams and of guards.
#pragma once

#include <string>

#include "harness/program/moves.hpp"

namespace assay::stream_moves {

/// The device type of the program: CUDA, or a backend in its place.
std::string device_type(const Draft& draft);
/// One of the first two devices, rarely without an index.
Device some_device(Draft& draft);
/// A stream that accepts work; made if there is none.
Value some_stream(Draft& draft);
/// An existing event; made if there is none.
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
