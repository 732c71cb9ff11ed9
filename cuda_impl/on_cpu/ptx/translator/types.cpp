// The fundamental types of PTX.
#include "cuda_impl/on_cpu/ptx/translator/types.hpp"

#include <algorithm>
#include <array>

namespace assay::cuda::on_cpu::ptx {
namespace {

using enum TypeKind;

constexpr std::array kTypes = {
    Type{"pred", kPredicate, 1}, Type{"b8", kBits, 1},      Type{"u8", kUnsigned, 1},
    Type{"s8", kSigned, 1},      Type{"b16", kBits, 2},     Type{"u16", kUnsigned, 2},
    Type{"s16", kSigned, 2},     Type{"f16", kHalf, 2},     Type{"bf16", kBfloat16, 2},
    Type{"b32", kBits, 4},       Type{"u32", kUnsigned, 4}, Type{"s32", kSigned, 4},
    Type{"f32", kFloat, 4},      Type{"f16x2", kHalf, 4},   Type{"bf16x2", kBfloat16, 4},
    Type{"b64", kBits, 8},       Type{"u64", kUnsigned, 8}, Type{"s64", kSigned, 8},
    Type{"f64", kFloat, 8},
};

bool is_integer(const Type& type) { return type.kind == kUnsigned || type.kind == kSigned; }

bool kinds_agree(const Type& declared, const Type& used) {
  if (declared.kind == kPredicate || used.kind == kPredicate) return declared.kind == used.kind;
  if (declared.kind == kBits || used.kind == kBits) return true;
  return declared.kind == used.kind || (is_integer(declared) && is_integer(used));
}

}  // namespace

const Type* find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &Type::name);
  return found == kTypes.end() ? nullptr : &*found;
}

const Type& unsigned_of(std::uint32_t bytes) {
  return *std::ranges::find_if(
      kTypes, [&](const Type& type) { return type.kind == kUnsigned && type.bytes == bytes; });
}

const Type* widened(const Type& type) {
  const auto found = std::ranges::find_if(kTypes, [&](const Type& other) {
    return is_integer(type) && other.kind == type.kind && other.bytes == 2 * type.bytes;
  });
  return found == kTypes.end() ? nullptr : &*found;
}

std::string_view storage_of(const Type& type) {
  if (type.kind == kPredicate) return "bool";
  if (type.kind == kFloat) return type.name;
  return unsigned_of(type.bytes).name;
}

bool agrees(const Type& declared, const Type& used) {
  return declared.bytes == used.bytes && kinds_agree(declared, used);
}

bool agrees_widely(const Type& declared, const Type& used) {
  if (declared.bytes == used.bytes) return kinds_agree(declared, used);
  const auto is_plain = [](const Type& type) { return type.kind == kBits || is_integer(type); };
  return declared.bytes > used.bytes && is_plain(declared) && is_plain(used);
}

}  // namespace assay::cuda::on_cpu::ptx
