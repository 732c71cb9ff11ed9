// What observers are told.
#include "cuda_impl/dispatch/call/observed_call.hpp"

#include <algorithm>

namespace assay::cuda::dispatch {
namespace {

/// DSP-808: does autograd see the call?
bool may_record(const Entry& entry, KeySet keys) {
  if (inference_mode()) return false;
  const Layout& layout = *entry.table->layout;
  if (layout.release() == Release::k1_13) {
    return layout.is_member(entry.key, Functionality::kAliasAutograd);
  }
  return !(keys & keys_below_autograd(layout)).empty();
}

}  // namespace

std::vector<ObserverPtr> observers_of(const Table& table) {
  auto picked = table.op->dispatcher().observers().picked();
  if (picked.empty() || !is_observed(table.op->text())) return {};
  require(table.has_schema || table.is_strict, ErrorKind::kInternal, [&] {
    return "Tried to access the schema for " + table.op->text() +
           " which doesn't have a schema registered yet";
  });
  return picked;
}

bool want_inputs(const std::vector<ObserverPtr>& observers) {
  return std::ranges::any_of(observers, [](const ObserverPtr& one) { return one->wants_inputs; });
}

bool want_outputs(const std::vector<ObserverPtr>& observers) {
  return std::ranges::any_of(observers, [](const ObserverPtr& one) { return one->wants_outputs; });
}

ObservedCall observed_call(const Entry& entry, KeySet keys, std::vector<Boxed> inputs) {
  ObservedCall call{.op = entry.table->op->text(), .has_schema = entry.table->has_schema};
  if (may_record(entry, keys)) call.sequence = next_sequence();
  call.inputs = std::move(inputs);
  return call;
}

}  // namespace assay::cuda::dispatch
