// Packed, component and text forms of streams.
#include "cuda_impl/runtime/stream.hpp"

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
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
