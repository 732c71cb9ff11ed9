// Names for the parts of an operator's state, and queries on operator handles.
#include "reference/dispatch/registry/operator_entry.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kKernel:
      return "kernel";
    case Provenance::kDefaultBackend:
      return "default backend kernel";
    case Provenance::kNested:
      return "nested kernel";
    case Provenance::kAmbiguousAutogradOther:
      return "ambiguous autogradother";
    case Provenance::kMath:
      return "math kernel";
    case Provenance::kAutograd:
      return "autograd kernel";
    case Provenance::kBatched:
      return "batched kernel";
    case Provenance::kFallback:
      return "backend fallback";
    case Provenance::kMissing:
      break;
  }
  return "missing";
}

OperatorStatePtr OperatorHandle::live_state() const {
  OperatorStatePtr held = state();
  check(held->alive, [&] {
    return "Tried to use the operator " + to_text(held->name) + " after it was deregistered";
  });
  return held;
}

FunctionSchema OperatorHandle::schema() const {
  const OperatorStatePtr held = live_state();
  check(held->has_schema(), ErrorKind::kInternal, [&] {
    return "Tried to access the schema for " + to_text(held->name) +
           " which doesn't have a schema registered yet";
  });
  return held->definition->schema;
}

}  // namespace assay::reference
