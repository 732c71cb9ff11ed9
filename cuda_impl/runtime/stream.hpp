// Stream values: a device and an id (STR-001 to STR-006); the encoding of CUDA stream ids: a pool
// slot or a handle (STR-009 to STR-012).
#pragma once

#include <cstdint>
#include <string>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// Does not imply that the stream exists; that is checked at its first use.
struct Stream {
  Device device;
  std::int64_t id = 0;  ///< 0: the default stream of the device

  bool operator==(const Stream&) const = default;
};

/// STR-003; in 1.13 it is the packed word of STR-004, with its errors.
std::uint64_t hash_of(const Stream& stream, Release release);
/// STR-006
std::string to_text(const Stream& stream, Release release);

/// STR-004: the packed form of 1.13. Raises `internal` for an id of more than 48 bits.
std::uint64_t packed(const Stream& stream);
/// Raises `error` for an unknown device type.
Stream unpacked(std::uint64_t word);

/// STR-005
struct StreamParts {
  std::int64_t id = 0;
  std::int64_t device_index = 0;
  std::int64_t device_type = 0;
};
StreamParts parts_of(const Stream& stream, Release release);
/// Raises `error` for an unknown device type.
Stream stream_from(const StreamParts& parts, Release release);

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
