// Streams: handles, the current one, ids (STR-009, STR-010, STR-012), and other representations
// (hash, packed word, components and text).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "reference/core/runtime.hpp"
#include "reference/core/types/contract.hpp"
#include "reference/core/types/device.hpp"
#include "reference/runtime/cuda_device.hpp"
#include "reference/runtime/device/driver.hpp"

namespace assay::reference {

/// The driver's handle (STR-012). Raises for an invalid id.
StreamHandle handle_of(Runtime& runtime, const Stream& stream);

/// The calling thread's current stream on a CUDA device; -1: the current one (STR-018, STR-019).
Stream current_stream(Runtime& runtime, int index = -1);
void set_current_stream(Runtime& runtime, const Stream& stream);

/// For its lifetime, a stream and its device are current, and the other devices' default streams:
/// as on a thread that has set nothing else.
class OnlyStream {
 public:
  OnlyStream(Runtime& runtime, const Stream& stream);
  ~OnlyStream();
  OnlyStream(const OnlyStream&) = delete;
  OnlyStream& operator=(const OnlyStream&) = delete;

 private:
  Runtime& runtime_;
  std::unordered_map<int, std::int64_t> before_;
  OnCudaDevice device_;
};

// Ids of CUDA streams.

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

// Other representations.

/// STR-003. 1.13 uses the packed word (STR-004) without its check.
std::uint64_t hash_of(const Stream& stream, Release release);

/// STR-004, in 1.13. Raises `internal` for an id of more than 48 bits; PyTorch terminates the
/// process.
std::uint64_t pack_of(const Stream& stream);
Stream unpacked(std::uint64_t word);

/// STR-005, in later releases.
struct StreamParts {
  std::int64_t id = 0;
  std::int64_t device_index = 0;
  std::int64_t device_type = 0;  ///< in the release's numbering
};
StreamParts parts_of(const Stream& stream, Release release);
/// Raises `error` for an unknown type; does not check the id.
Stream stream_of(const StreamParts& parts, Release release);

/// Formats as `stream 9 on device cuda:1` (STR-006).
std::string to_text(const Stream& stream);

}  // namespace assay::reference
