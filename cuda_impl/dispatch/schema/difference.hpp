// Does the schema of a kernel's signature fit the declared one?
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// The first reason why not, in words; none where they fit. Counts and types are compared, nothing
/// else (DSP-314).
std::optional<std::string> schema_difference(const Schema& declared, const Schema& inferred,
                                             const Contract& contract = {});

/// A schema, and where it comes from: the text of a registration.
struct SchemaAt {
  const Schema& schema;
  std::string where;
};
/// Raises `error` where a kernel does not fit (DSP-315).
void require_fit(const OperatorName& op, const SchemaAt& declared, const SchemaAt& inferred,
                 const Contract& contract = {});

/// Raises `schema` for one that may be read and not defined: with variables, unless it is
/// PyTorch's own (DSP-303).
void require_definable(const Schema& schema, const Contract& contract = {});

}  // namespace assay::cuda::dispatch
