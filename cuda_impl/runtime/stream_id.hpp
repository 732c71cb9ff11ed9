// The encoding of CUDA stream ids: a pool slot or a handle (STR-009 to STR-012).
#pragma once

#include <cstdint>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/runtime/stream.hpp"

namespace assay::cuda {

inline constexpr int kPoolSize = 32;  ///< streams per priority level (STR-013)
inline constexpr int kMostLevels = 4;

enum class StreamKind : std::uint8_t { kLegacy, kPerThread, kPool, kExternal };

struct StreamPlace {
  StreamKind kind = StreamKind::kLegacy;
  int level = 0;  ///< priority level in the pool, 0 the lowest
  int index = 0;
};

struct PoolPlace {
  int level = 0;
  int index = 0;
};
std::int64_t id_of(PoolPlace place, Release release);

/// Raises `error` for an invalid id, given the number of pool levels, and `internal` for a stream
/// kind that 1.13 does not know.
StreamPlace place_of(const Stream& stream, int levels, Contract contract);

}  // namespace assay::cuda
