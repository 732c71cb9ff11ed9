// The encoding of CUDA stream ids (STR-009, STR-010, STR-012).
#pragma once

#include <cstdint>

#include "reference/core/types/contract.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

enum class StreamKind { kLegacy, kPerThread, kPool, kExternal };

struct StreamPlace {
  StreamKind kind = StreamKind::kLegacy;
  int level = 0;  ///< pool priority; 0 is the lowest
  int index = 0;
  StreamHandle handle = 0;  ///< for an external stream
};

inline constexpr int kStreamsPerPool = 32;

/// The number of priority levels that the release can encode.
int most_levels(Release release);

std::int64_t pool_stream_id(const Contract& contract, int level, int index);

/// Raises `error` (`internal` in 1.13) for an id that is invalid with this number of levels.
StreamPlace place_of(const Contract& contract, const Stream& stream, int levels);

}  // namespace assay::reference
