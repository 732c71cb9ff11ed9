// The current stream and the handles of streams, their ids and other representations.
#include "reference/runtime/streams/stream.hpp"

#include <string>
#include <utility>

#include "reference/core/types/device.hpp"
#include "reference/core/types/error.hpp"
#include "reference/runtime/streams/cuda.hpp"
#include "reference/runtime/streams/pool.hpp"

namespace assay::reference {
namespace {

/// Ids by device; missing entries mean the default stream (STR-019).
struct CurrentStreams {
  std::unordered_map<int, std::int64_t> ids;
};

CurrentStreams& current_streams(Runtime& runtime) { return runtime.local<CurrentStreams>(); }

}  // namespace

StreamPlace place_of(Runtime& runtime, const Stream& stream) {
  check(stream.device.is_cuda(), ErrorKind::kInternal,
        [&] { return "a stream of CUDA was expected, not of " + to_text(stream.device); });
  // Only pool ids depend on the number of levels.
  const bool asks = stream.id % 2 != 0 || runtime.contract().release == Release::k1_13;
  const int levels = asks && stream.id != 0 ? priority_levels(runtime) : 0;
  return place_of(runtime.contract(), stream, levels);
}

StreamHandle handle_of(Runtime& runtime, const Stream& stream) {
  const StreamPlace place = place_of(runtime, stream);
  switch (place.kind) {
    case StreamKind::kLegacy:
      return 0;
    case StreamKind::kPool:
      return pool_handle(runtime, checked_cuda_index(runtime, stream.device.index), place.level,
                         place.index);
    case StreamKind::kPerThread:
    case StreamKind::kExternal:
      break;
  }
  return place.handle;
}

Stream default_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  return {cuda_device(device), 0};
}

Stream current_stream(Runtime& runtime, int index) {
  init_streams(runtime);
  const int device = checked_cuda_index(runtime, index);
  const auto& ids = current_streams(runtime).ids;
  const auto found = ids.find(device);
  return {cuda_device(device), found == ids.end() ? 0 : found->second};
}

void set_current_stream(Runtime& runtime, const Stream& stream) {
  init_streams(runtime);
  const int count = cuda_device_count(runtime);
  const int index = stream.device.index;
  check(index >= 0 && index < count, [&] {  // STR-021
    return "Device index value " + std::to_string(index) + " is out of index range [0, " +
           std::to_string(count) + ")";
  });
  current_streams(runtime).ids[index] = stream.id;
}

OnlyStream::OnlyStream(Runtime& runtime, const Stream& stream)
    : runtime_(runtime),
      before_(std::exchange(current_streams(runtime).ids, {{stream.device.index, stream.id}})),
      device_(runtime, stream.device.index) {}

OnlyStream::~OnlyStream() { current_streams(runtime_).ids = std::move(before_); }

// Ids of CUDA streams.

namespace {

struct IdLayout {
  int first_type_bit;  ///< the lower bits mark ids of this encoding
  int type_bits;
  std::uint64_t external_type;  ///< a value that can only occur in an odd external handle
};

/// STR-009, STR-010.
IdLayout layout_of(Release release) {
  return release == Release::k1_13 ? IdLayout{0, 3, 3} : IdLayout{1, 4, 15};
}

constexpr int kIndexBits = 5;

std::uint64_t low_bits(std::uint64_t value, int count) {
  return value & ((std::uint64_t{1} << count) - 1);
}

ErrorKind kind_of_refusal(const Contract& contract) {
  return contract.release == Release::k1_13 ? ErrorKind::kInternal : ErrorKind::kError;
}

[[noreturn]] void refuse(const Contract& contract, const Stream& stream, std::uint64_t type) {
  throw Error(kind_of_refusal(contract), "Unrecognized stream " + to_text(stream) + ": PRIORITY " +
                                             std::to_string(type) + " is none of this machine");
}

bool is_external(const Contract& contract, std::uint64_t id) {
  if (contract.release == Release::k1_13) return low_bits(id, 3) == 0;
  return (id & 1) == 0;
}

StreamPlace external(std::uint64_t handle) {
  const bool is_thread_s = handle == kPerThreadStream;
  return {is_thread_s ? StreamKind::kPerThread : StreamKind::kExternal, 0, 0, handle};
}

}  // namespace

int most_levels(Release release) { return release == Release::k1_13 ? 2 : 4; }

std::int64_t pool_stream_id(const Contract& contract, int level, int index) {
  const IdLayout layout = layout_of(contract.release);
  const int type = level + 1;
  const int shift = layout.first_type_bit + layout.type_bits;
  return (std::int64_t{index} << shift) | (std::int64_t{type} << layout.first_type_bit) |
         layout.first_type_bit;
}

StreamPlace place_of(const Contract& contract, const Stream& stream, int levels) {
  const auto id = static_cast<std::uint64_t>(stream.id);
  if (id == 0) return {};
  if (is_external(contract, id)) return external(id);
  const IdLayout layout = layout_of(contract.release);
  const std::uint64_t type = low_bits(id >> layout.first_type_bit, layout.type_bits);
  check(type != 0, kind_of_refusal(contract),
        [&] { return "invalid StreamId " + std::to_string(stream.id); });
  const int shift = layout.first_type_bit + layout.type_bits;
  const bool is_lax = !contract.strict();  // [DEV] of STR-012
  if (type == layout.external_type && is_lax) return external(id);
  if (type > static_cast<std::uint64_t>(levels)) refuse(contract, stream, type);
  if (id >> (shift + kIndexBits) != 0 && !is_lax) refuse(contract, stream, type);
  return {StreamKind::kPool, static_cast<int>(type) - 1,
          static_cast<int>(low_bits(id >> shift, kIndexBits)), 0};
}

// Other representations.

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
