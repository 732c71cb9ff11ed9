// Compares the inferred schema of a kernel with the declared one.
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// Describes the first mismatch; empty if the schemas match. Compares only counts and types
/// (DSP-314).
std::optional<std::string> schema_difference(const Schema& declared, const Schema& inferred,
                                             const Contract& contract = {});

/// A schema and its origin, the text of a registration.
struct SchemaAt {
  const Schema& schema;
  std::string where;
};
/// Raises `error` if the kernel's schema does not match (DSP-315).
void require_fit(const OperatorName& op, const SchemaAt& declared, const SchemaAt& inferred,
                 const Contract& contract = {});

/// Raises `schema` for a schema that can be parsed but not defined: one with type variables, unless
/// it is one of PyTorch's (DSP-303).
void require_definable(const Schema& schema, const Contract& contract = {});

}  // namespace assay::cuda::dispatch
