// Casts of single arguments: eligibility, conversion and type promotion (CAST-2xx).
#pragma once

#include <optional>
#include <span>

#include "reference/autocast/state.hpp"
#include "reference/core/types/ivalue.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Is the tensor defined, of the device's kind, floating, and not float64 (CAST-201, CAST-202)?
bool is_eligible(const Tensor& tensor, CastDevice device);

/// Returns the tensor unchanged unless it is eligible and of another dtype (CAST-204); otherwise a
/// converted copy, cached if that is permitted (CAST-501).
Tensor cached_cast(Runtime& runtime, ScalarType to, const Tensor& tensor, CastDevice device);
/// The same for any value: casts tensors, also in lists, and returns other values unchanged.
IValue cached_cast(Runtime& runtime, ScalarType to, const IValue& value, CastDevice device);

/// One step of type promotion (CAST-408 to CAST-410). Raises `error` for an unexpected dtype.
ScalarType prioritize(const Runtime& runtime, ScalarType current, const Tensor& next,
                      CastDevice device);
ScalarType prioritize(const Runtime& runtime, ScalarType current, const IValue& next,
                      CastDevice device);
/// Applies all steps from left to right.
ScalarType promote_type(const Runtime& runtime, ScalarType start, CastDevice device,
                        std::span<const IValue> args);

/// Replaces an absent dtype by `to` (CAST-403).
ScalarType set_opt_dtype(ScalarType to, std::optional<ScalarType> dtype);
/// Returns whether the first argument is an eligible tensor (CAST-404).
bool first_is_eligible(CastDevice device, std::span<const IValue> args);
/// Returns `to` if the first argument is eligible, otherwise its own dtype (CAST-406).
ScalarType type_from_first(CastDevice device, ScalarType to, std::span<const IValue> args);

}  // namespace assay::reference
