// The fundamental types of PTX.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::cuda::on_cpu::ptx {

enum class TypeKind {
  kBits,
  kUnsigned,
  kSigned,
  kFloat,     ///< f32, f64: registers of their own
  kHalf,      ///< f16, f16x2: in b registers or their own
  kBfloat16,  ///< bf16, bf16x2: in b registers only
  kPredicate
};

struct Type {
  std::string_view name;  ///< as in PTX, which is also the type's name in the generated C++
  TypeKind kind;
  std::uint32_t bytes;  ///< a predicate has 1
};

/// nullptr if the type is unknown.
const Type* find_type(std::string_view name);

/// The unsigned integer type of `bytes`.
const Type& unsigned_of(std::uint32_t bytes);

/// The type of the same kind and twice the width: the result of mul.wide. nullptr if none.
const Type* widened(const Type& type);

/// The type of a register of `type` in the generated C++: bool, f32, f64 or an unsigned integer.
std::string_view storage_of(const Type& type);

/// Whether a register of type `declared` may be used for an operand of type `used`: they have the
/// same size, and neither an integer for a float nor different float types.
bool agrees(const Type& declared, const Type& used);

/// Like `agrees`, but the register may be wider, as ld, st and cvt allow for integers and bits.
bool agrees_widely(const Type& declared, const Type& used);

}  // namespace assay::cuda::on_cpu::ptx
