// What wrappers do to single arguments: eligibility, casts, and the choice of a type (CAST-2xx).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/autocast/state.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/type.hpp"

namespace assay::reference {

/// Defined, of the device's kind, floating, and not float64 (CAST-201, CAST-202).
bool is_eligible(const Tensor& tensor, CastDevice device);

/// The tensor itself unless it is eligible and has another type than `to` (CAST-204); then a copy,
/// from the cache where that is allowed (CAST-501).
Tensor cached_cast(Runtime& runtime, ScalarType to, const Tensor& tensor, CastDevice device);
/// The same for every kind of value: tensors, those in lists, and anything else as it is.
IValue cached_cast(Runtime& runtime, ScalarType to, const IValue& value, CastDevice device);

/// One step of promote's decision (CAST-408 to CAST-410). Raises `error` for an unexpected type.
ScalarType prioritize(const Runtime& runtime, ScalarType current, const Tensor& next,
                      CastDevice device);
ScalarType prioritize(const Runtime& runtime, ScalarType current, const IValue& next,
                      CastDevice device);
/// All steps, left to right.
ScalarType promote_type(const Runtime& runtime, ScalarType start, CastDevice device,
                        std::span<const IValue> args);

/// An empty dtype becomes `to`, another stays (CAST-403).
ScalarType set_opt_dtype(ScalarType to, std::optional<ScalarType> dtype);
/// Whether the first argument is an eligible tensor (CAST-404).
bool first_is_eligible(CastDevice device, std::span<const IValue> args);
/// `to` if it is, else the first argument's own type (CAST-406).
ScalarType type_from_first(CastDevice device, ScalarType to, std::span<const IValue> args);

}  // namespace assay::reference
