// Other representations of streams: hash, packed word, components and text.
#pragma once

#include <cstdint>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

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
