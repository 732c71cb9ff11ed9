// Implements type promotion by rule.
#include "cuda_impl/operators/promotion.hpp"

#include <string>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {
namespace {

bool is_bits(Dtype dtype) { return dtype >= Dtype::kBits1x8 && dtype <= Dtype::kBits16; }
bool is_float8(Dtype dtype) {
  return dtype >= Dtype::kFloat8E5m2 && dtype <= Dtype::kFloat8E4m3fnuz;
}
bool is_wide_unsigned(Dtype dtype) { return dtype >= Dtype::kUInt16 && dtype <= Dtype::kUInt64; }

[[noreturn]] void refuse(std::string_view what, Dtype a, Dtype b) {
  throw Error("promotion of " + std::string(what) + " is not supported, attempted to promote " +
              std::string(facts(a).cpp_name) + " and " + std::string(facts(b).cpp_name));
}

Dtype complex_of(Dtype part) {
  switch (part) {
    case Dtype::kFloat16:
      return Dtype::kComplex32;
    case Dtype::kFloat64:
      return Dtype::kComplex128;
    default:
      return Dtype::kComplex64;
  }
}

Dtype promote_floating(Dtype a, Dtype b) {
  if (size_bytes(a) != size_bytes(b)) return size_bytes(a) > size_bytes(b) ? a : b;
  return a == b ? a : Dtype::kFloat32;  // neither half type includes the other
}

/// The only unsigned type here is uint8.
Dtype promote_integers(Dtype a, Dtype b) {
  if (size_bytes(a) != size_bytes(b)) return size_bytes(a) > size_bytes(b) ? a : b;
  return a == b ? a : Dtype::kInt16;  // uint8 and int8
}

/// 0: bool, 1: integer, 2: float, 3: complex.
int category_of(Dtype dtype) {
  if (facts(dtype).is_complex) return 3;
  if (facts(dtype).is_floating) return 2;
  return facts(dtype).is_integral ? 1 : 0;
}

Dtype promote_plain(Dtype a, Dtype b) {
  const Dtype higher = category_of(a) >= category_of(b) ? a : b;
  const Dtype lower = category_of(a) >= category_of(b) ? b : a;
  switch (category_of(higher)) {
    case 3:
      if (category_of(lower) < 2) return higher;
      return complex_of(promote_floating(part_of(higher), part_of(lower)));
    case 2:
      return category_of(lower) < 2 ? higher : promote_floating(higher, lower);
    case 1:
      return category_of(lower) < 1 ? higher : promote_integers(higher, lower);
    default:
      return Dtype::kBool;
  }
}

/// Promotes within a class of operands; undefined for an empty class.
Dtype folded(Dtype so_far, Dtype dtype) {
  return so_far == Dtype::kUndefined ? dtype : promote_types(so_far, dtype);
}

/// CORE-05: 2.14 has a type of its own for this, for which nothing is implemented.
Dtype complex_beside(Dtype part) {
  require(part != Dtype::kBFloat16 || rules().release < Release::k2_14, ErrorKind::kNotImplemented,
          [] { return "\"mul\" and the like are not implemented for 'BComplex32'"; });
  return complex_of(part);
}

/// CORE-05: a lower class counts only if its category is higher.
Dtype combined(Dtype higher, Dtype lower) {
  if (higher == Dtype::kUndefined) return lower;
  if (lower == Dtype::kUndefined || category_of(lower) <= category_of(higher)) return higher;
  if (category_of(lower) == 3 && category_of(higher) == 2) return complex_beside(higher);
  return promote_types(higher, lower);
}

Dtype dtype_of(const Scalar& scalar, Dtype scalar_default) {
  if (scalar.is<bool>()) return Dtype::kBool;
  if (scalar.is<std::int64_t>()) return Dtype::kInt64;
  return scalar.is<double>() ? scalar_default : complex_beside(scalar_default);
}

}  // namespace

Dtype part_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kComplex32:
      return Dtype::kFloat16;
    case Dtype::kComplex64:
      return Dtype::kFloat32;
    case Dtype::kComplex128:
      return Dtype::kFloat64;
    default:
      return dtype;
  }
}

Dtype promote_types(Dtype a, Dtype b) {
  if (a == Dtype::kUndefined || b == Dtype::kUndefined) return Dtype::kUndefined;
  if (a == b) return a;
  if (facts(a).is_quantized || facts(b).is_quantized) refuse("quantized types", a, b);
  if (is_bits(a) || is_bits(b)) return Dtype::kUndefined;
  if (is_float8(a) || is_float8(b)) refuse("float8 types", a, b);
  if (is_wide_unsigned(a) || is_wide_unsigned(b)) {
    if (facts(a).is_floating) return a;
    if (facts(b).is_floating) return b;
    refuse("uint16, uint32 and uint64", a, b);
  }
  return promote_plain(a, b);
}

bool can_cast(Dtype from, Dtype to) {
  // CORE-04
  const DtypeFacts& source = facts(from);
  const DtypeFacts& target = facts(to);
  const bool to_whole = target.is_integral || to == Dtype::kBool;
  if (source.is_complex && !target.is_complex) return false;
  if (source.is_floating && to_whole) return false;
  return from == Dtype::kBool || to != Dtype::kBool;
}

Dtype result_type(std::span<const Operand> operands, Dtype scalar_default) {
  Dtype with_dims = Dtype::kUndefined;
  Dtype without_dims = Dtype::kUndefined;
  Dtype numbers = Dtype::kUndefined;
  for (const Operand& operand : operands) {
    if (!operand.is_tensor()) {
      numbers = folded(numbers, dtype_of(operand.scalar(), scalar_default));
    } else if (operand.tensor().dim() > 0) {
      with_dims = folded(with_dims, operand.tensor().dtype());
    } else {
      without_dims = folded(without_dims, operand.tensor().dtype());
    }
  }
  return combined(combined(with_dims, without_dims), numbers);
}

}  // namespace assay::cuda
