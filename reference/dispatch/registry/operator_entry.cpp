// Queries on operator handles.
#include "reference/dispatch/registry/operator_entry.hpp"

#include "reference/core/types/error.hpp"

namespace assay::reference {

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
