// Encodes and decodes CUDA stream ids.
#include "reference/runtime/streams/id.hpp"

#include <string>

#include "reference/core/types/error.hpp"
#include "reference/runtime/streams/value.hpp"

namespace assay::reference {
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

}  // namespace assay::reference
