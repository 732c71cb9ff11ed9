// A stream's value in other forms: a hash, a packed word, three parts, a text.
#pragma once

#include <cstdint>
#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// STR-003. In 1.13, which has none, it is the packed word (STR-004) without its check.
std::uint64_t hash_of(const Stream& stream, Release release);

/// 1.13: STR-004. Raises `internal` for an id that 48 bits do not hold, where PyTorch's process
/// terminates.
std::uint64_t pack_of(const Stream& stream);
Stream unpacked(std::uint64_t word);

/// Later: STR-005.
struct StreamParts {
  std::int64_t id = 0;
  std::int64_t device_index = 0;
  std::int64_t device_type = 0;  ///< the number of the release
};
StreamParts parts_of(const Stream& stream, Release release);
/// Raises `error` for an unknown type; ids are not looked at.
Stream stream_of(const StreamParts& parts, Release release);

/// `stream 9 on device cuda:1` (STR-006)
std::string to_text(const Stream& stream);

}  // namespace assay::reference
