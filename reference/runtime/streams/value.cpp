// Converts streams to other representations.
#include "reference/runtime/streams/value.hpp"

#include "reference/core/types/device_text.hpp"
#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

constexpr int kIdBits = 48;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kIdBits) - 1;

std::uint64_t sign_extended(std::int64_t value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(value)));
}

std::uint64_t id_bits(const Stream& stream) {
  const auto id = static_cast<std::uint64_t>(stream.id);
  return id & kIdMask;
}

std::int64_t from_48_bits(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits << (64 - kIdBits)) >> (64 - kIdBits);
}

DeviceType type_numbered(std::int64_t number, Release release) {
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (type == DeviceType::kMtia && release == Release::k1_13) continue;
    if (number_of(type, release) == number) return type;
  }
  throw Error("isValidDeviceType(device_type) must hold, but there is no device type " +
              std::to_string(number));
}

/// The type (in 1.13's numbering) and the index as bytes, as in 1.13.
std::uint64_t masked_head(const Stream& stream) {
  const auto type = static_cast<std::uint64_t>(number_of(stream.device.type, Release::k1_13));
  const auto index = static_cast<std::uint64_t>(stream.device.index) & 0xff;
  return (type & 0xff) << 56 | index << 48;
}

}  // namespace

std::uint64_t hash_of(const Stream& stream, Release release) {
  if (release == Release::k1_13) return masked_head(stream) | (id_bits(stream) & kIdMask);
  // An index of -1 sets all bits, including the byte of the type (STR-003).
  return sign_extended(number_of(stream.device.type, release)) << 56 |
         sign_extended(stream.device.index) << 48 | id_bits(stream);
}

std::uint64_t pack_of(const Stream& stream) {
  const std::uint64_t bits = static_cast<std::uint64_t>(stream.id) & kIdMask;
  check(from_48_bits(bits) == stream.id, ErrorKind::kInternal, [&] {
    return "a packed stream has 48 bits for its id, which do not hold " + std::to_string(stream.id);
  });
  return masked_head(stream) | bits;
}

Stream unpacked(std::uint64_t word) {
  const DeviceType type = type_numbered(static_cast<std::int64_t>(word >> 56), Release::k1_13);
  const auto index = static_cast<std::int8_t>(word >> 48 & 0xff);
  return {{type, index}, from_48_bits(word & kIdMask)};
}

StreamParts parts_of(const Stream& stream, Release release) {
  return {stream.id, stream.device.index, number_of(stream.device.type, release)};
}

Stream stream_of(const StreamParts& parts, Release release) {
  const DeviceType type = type_numbered(parts.device_type, release);
  return {{type, static_cast<std::int8_t>(parts.device_index)}, parts.id};
}

std::string to_text(const Stream& stream) {
  return "stream " + std::to_string(stream.id) + " on device " + to_text(stream.device);
}

}  // namespace assay::reference
