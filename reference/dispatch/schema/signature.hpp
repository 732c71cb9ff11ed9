// C++ function types as run-time data instead of
// templates, so that clients can query any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// For example `optional<Tensor>`, `array<Tensor,2>` or `const Tensor&`. `TensorList`, `IntList`
/// and `FloatList` abbreviate `ArrayRef` of `Tensor`, `int64_t` and `double`.
struct CppType {
  enum class Pass : std::uint8_t { kValue, kReference, kConstReference };

  std::string name;
  std::vector<CppType> of;  ///< the template arguments
  std::int64_t size = 0;    ///< the length of an array
  Pass pass = Pass::kValue;

  bool is_reference() const { return pass != Pass::kValue; }
  bool is(std::string_view wanted) const { return name == wanted; }
  bool operator==(const CppType&) const = default;
};

/// Formats as `optional<Tensor>`, including references.
std::string to_text(const CppType& type);

/// A function type. Compares all types exactly, including references (DSP-409).
struct CppSignature {
  std::vector<CppType> parameters;
  std::vector<CppType> returns;  ///< the elements of a tuple; empty for void
  bool returns_tuple = false;

  bool operator==(const CppSignature&) const = default;
};

/// Formats as `Tensor(const Tensor&,int64_t)`, the spelling of the protocol.
std::string to_text(const CppSignature& signature);

/// Parses this spelling and drops a leading `DispatchKeySet` (DSP-409). Raises `error` for invalid
/// text and for types that the release lacks.
CppSignature parse_signature(std::string_view text, Release release);

}  // namespace assay::reference
