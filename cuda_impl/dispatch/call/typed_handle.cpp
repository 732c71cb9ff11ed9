// Checks signatures (DSP-704).
#include "cuda_impl/dispatch/call/typed_handle.hpp"

#include "cuda_impl/dispatch/schema/difference.hpp"

namespace assay::cuda::dispatch {
namespace {

[[noreturn]] void refuse(const Table& table, const std::string& correct, const std::string& where,
                         const Signature& signature) {
  throw Error("Tried to access or call an operator with a wrong signature.\n  operator: " +
              table.op->text() + "\n  correct signature: " + correct + "\n    " + where +
              "\n  accessed/called as: " + signature.name());
}

}  // namespace

void expect_called_as(const Table& table, const Signature& signature) {
  const OperatorState& state = *table.state;
  if (state.first && state.first->signature != &signature) {
    refuse(table, state.first->signature->name(), state.first->debug, signature);
  }
  if (state.first || !state.has_schema() || !table.is_strict) return;
  const Definition& definition = *state.definition;
  const auto reason = schema_difference(definition.schema, signature.schema(), table.contract());
  if (reason)
    refuse(table, definition.schema.text() + " (" + *reason + ")", definition.debug, signature);
}

}  // namespace assay::cuda::dispatch
