// Packed, component and text forms of streams; encodes and decodes stream ids.
#include "cuda_impl/runtime/stream.hpp"

#include <string>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

constexpr std::int64_t kPerThreadId = 2;  ///< cudaStreamPerThread
constexpr std::int64_t kIndexMask = kPoolSize - 1;

/// STR-009: bit 0 is set; then come four bits of kind and the index.
struct Layout {
  static constexpr int kTypeBit = 1;
  static constexpr std::int64_t kTypeMask = 15;
  static constexpr int kIndexBit = 5;
  static constexpr int kEnd = 10;
  static constexpr std::int64_t kExternalType = 15;
};
/// STR-010: three bits of kind, then the index.
struct OldLayout {
  static constexpr std::int64_t kTypeMask = 7;
  static constexpr int kIndexBit = 3;
  static constexpr int kEnd = 8;
};

Error unrecognized(const Stream& stream, std::int64_t type, ErrorKind kind) {
  return {kind, "Unrecognized stream " + to_text(stream, kNewestRelease) + ": PRIORITY " +
                    std::to_string(type) + " is no level of the pool here"};
}

Error invalid(const Stream& stream) {
  return Error("invalid StreamId " + std::to_string(stream.id) + " of " +
               to_text(stream, kNewestRelease));
}

StreamPlace old_place(const Stream& stream, Contract contract) {
  const std::int64_t type = stream.id & OldLayout::kTypeMask;
  if (type == 0) return {StreamKind::kExternal};
  if (type > 2) throw unrecognized(stream, type, ErrorKind::kInternal);
  if (contract.is_strict && (stream.id >> OldLayout::kEnd) != 0) throw invalid(stream);
  return {StreamKind::kPool, static_cast<int>(type - 1),
          static_cast<int>(stream.id >> OldLayout::kIndexBit & kIndexMask)};
}

/// Decodes an odd id.
StreamPlace native_place(const Stream& stream, int levels, bool is_strict) {
  const std::int64_t type = stream.id >> Layout::kTypeBit & Layout::kTypeMask;
  if (type == 0) throw invalid(stream);
  if (type == Layout::kExternalType && !is_strict) return {StreamKind::kExternal};
  if (type > levels) throw unrecognized(stream, type, ErrorKind::kError);
  if (is_strict && (stream.id >> Layout::kEnd) != 0) throw invalid(stream);
  return {StreamKind::kPool, static_cast<int>(type - 1),
          static_cast<int>(stream.id >> Layout::kIndexBit & kIndexMask)};
}

}  // namespace

std::int64_t id_of(PoolPlace place, Release release) {
  const auto index = static_cast<std::int64_t>(place.index);
  const std::int64_t type = place.level + 1;
  if (release == Release::k1_13) return index << OldLayout::kIndexBit | type;
  return index << Layout::kIndexBit | type << Layout::kTypeBit | 1;
}

StreamPlace place_of(const Stream& stream, int levels, Contract contract) {
  if (stream.id == 0) return {StreamKind::kLegacy};
  if (contract.release == Release::k1_13) return old_place(stream, contract);
  if (stream.id == kPerThreadId) return {StreamKind::kPerThread};
  const bool is_native = (stream.id & 1) != 0;
  return is_native ? native_place(stream, levels, contract.is_strict)
                   : StreamPlace{StreamKind::kExternal};
}

namespace {

constexpr int kIndexBit = 48;
constexpr int kTypeBit = 56;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kIndexBit) - 1;
constexpr std::uint64_t kByte = 0xff;

std::uint64_t extended(std::int64_t byte) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(byte)});
}

std::int64_t low_id(std::uint64_t word) {
  const auto low = word & kIdMask;
  const bool is_negative = (low >> (kIndexBit - 1)) != 0;
  return static_cast<std::int64_t>(is_negative ? low | ~kIdMask : low);
}

DeviceKind kind_numbered(std::int64_t number, Release release) {
  for (int i = 0; i <= static_cast<int>(DeviceKind::kPrivateUse1); ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (exists_in(kind, release) && number_of(kind, release) == number) return kind;
  }
  throw Error("expected isValidDeviceType(device_type), and there is no device type " +
              std::to_string(number));
}

}  // namespace

std::uint64_t hash_of(const Stream& stream, Release release) {
  if (release == Release::k1_13) return packed(stream);
  const auto type = number_of(stream.device.kind, release);
  return extended(type) << kTypeBit | extended(stream.device.index) << kIndexBit |
         (static_cast<std::uint64_t>(stream.id) & kIdMask);
}

std::string to_text(const Stream& stream, Release release) {
  return "stream " + std::to_string(stream.id) + " on device " + to_text(stream.device, release);
}

std::uint64_t packed(const Stream& stream) {
  const auto id = static_cast<std::uint64_t>(stream.id);
  require(low_id(id) == stream.id, ErrorKind::kInternal,
          [&] { return "a stream's id must fit 48 bits, got " + std::to_string(stream.id); });
  const auto type = static_cast<std::uint64_t>(number_of(stream.device.kind, Release::k1_13));
  const auto index = static_cast<std::uint64_t>(stream.device.index);
  return (type & kByte) << kTypeBit | (index & kByte) << kIndexBit | (id & kIdMask);
}

Stream unpacked(std::uint64_t word) {
  const auto type = static_cast<std::int64_t>(word >> kTypeBit);
  const auto index = static_cast<std::int8_t>(word >> kIndexBit & kByte);
  return {{kind_numbered(type, Release::k1_13), index}, low_id(word)};
}

StreamParts parts_of(const Stream& stream, Release release) {
  return {stream.id, stream.device.index, number_of(stream.device.kind, release)};
}

Stream stream_from(const StreamParts& parts, Release release) {
  const DeviceKind kind = kind_numbered(parts.device_type, release);
  return {{kind, static_cast<std::int8_t>(parts.device_index)}, parts.id};
}

}  // namespace assay::cuda
