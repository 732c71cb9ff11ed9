// C++ function types as data: the reference has no templates for them, so that any can be asked
// about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

/// `optional<Tensor>`, `array<Tensor,2>`, `const Tensor&`, … `TensorList`, `IntList` and
/// `FloatList` are short for `ArrayRef` of `Tensor`, `int64_t` and `double`.
struct CppType {
  enum class Pass : std::uint8_t { kValue, kReference, kConstReference };

  std::string name;
  std::vector<CppType> of;  ///< what stands between `<` and `>`
  std::int64_t size = 0;    ///< of an array
  Pass pass = Pass::kValue;

  bool is_reference() const { return pass != Pass::kValue; }
  bool is(std::string_view wanted) const { return name == wanted; }
  bool operator==(const CppType&) const = default;
};

/// `optional<Tensor>`, with its reference.
std::string to_text(const CppType& type);

/// A function type. Equal means the same type, references included (DSP-409).
struct CppSignature {
  std::vector<CppType> parameters;
  std::vector<CppType> returns;  ///< of a tuple, its elements; empty for void
  bool returns_tuple = false;

  bool operator==(const CppSignature&) const = default;
};

/// `Tensor(const Tensor&,int64_t)`, as the menu of the waist spells it.
std::string to_text(const CppSignature& signature);

/// Reads that spelling. A leading parameter `DispatchKeySet` is dropped (DSP-409). Raises `error`
/// for a text that is none.
CppSignature parse_signature(std::string_view text);

}  // namespace assay::reference
