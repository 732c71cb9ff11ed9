// The fundamental types of PTX.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cuda::on_cpu::ptx {

enum class TypeKind {
  kBits,
  kUnsigned,
  kSigned,
  kFloat,      ///< f32, f64: registers of their own
  kHalf,       ///< f16, f16x2: in b registers or their own
  kBrainHalf,  ///< bf16, bf16x2: in b registers only
  kPredicate
};

struct Type {
  std::string_view name;  ///< as in PTX, which is also the type's name in the generated C++
  TypeKind kind;
  std::uint32_t bytes;  ///< a predicate has 1
};

/// nullptr where PTX has no such type or the translator does not know it.
const Type* find_type(std::string_view name);

/// The unsigned integer type of `bytes`.
const Type& unsigned_of(std::uint32_t bytes);

/// Of the same kind and twice as wide: what mul.wide gives. nullptr where there is none.
const Type* widened(const Type& type);

/// What a register of `type` is in the generated C++: bool, f32, f64 or an unsigned integer.
std::string_view storage_of(const Type& type);

/// Whether a register declared as `declared` may be used where an instruction says `used`:
/// the same size, and not an integer for a float or one float for another.
bool agrees(const Type& declared, const Type& used);

/// As `agrees`, but the register may be wider, as ld, st and cvt allow for integers and bits.
bool agrees_widely(const Type& declared, const Type& used);

}  // namespace assay::cuda::on_cpu::ptx
