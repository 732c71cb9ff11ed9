// Selects the observers of a call and shows it to them.
#include "cuda_impl/dispatch/call/observed_call.hpp"

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

namespace assay::cuda::dispatch {
namespace {

bool is_drawn(const Observer& observer) {
  if (observer.probability >= 1) return true;
  thread_local std::mt19937_64 random(std::random_device{}());
  return std::bernoulli_distribution(observer.probability)(random);
}

/// Frequent operators that PyTorch never shows to observers, in any overload (DSP-808).
bool is_exempt(const OperatorName& name) {
  const std::string_view whole = name.name;
  constexpr std::string_view kAten = "aten::";
  constexpr std::string_view kProfiler = "profiler::_record_function_";
  if (whole.starts_with(kAten)) {
    const std::string_view rest = whole.substr(kAten.size());
    return rest == "size" || rest == "is_leaf" || rest == "output_nr" || rest == "_version" ||
           rest == "is_complex";
  }
  if (!whole.starts_with(kProfiler)) return false;
  const std::string_view rest = whole.substr(kProfiler.size());
  return rest == "enter" || rest == "enter_new" || rest == "exit";
}

/// DSP-808: returns whether autograd may record the call.
bool may_record(const Entry& entry, KeySet keys) {
  if (inference_mode()) return false;
  const Layout& layout = *entry.table->layout;
  if (layout.release() == Release::k1_13) {
    return layout.is_member(entry.key, Functionality::kAliasAutograd);
  }
  return !(keys & keys_below_autograd(layout)).empty();
}

}  // namespace

Audience::Audience(const Table& table) {
  if (observed_thread.suspended > 0 || is_exempt(table.op->name())) return;
  for (const auto& observer : table.op->dispatcher().observers().current()) {
    if (!is_drawn(*observer)) continue;
    members_.push_back(observer.get());
    wants_inputs_ |= observer->wants_inputs;
    wants_outputs_ |= observer->wants_outputs;
  }
  require(is_empty() || table.has_schema || table.is_strict, ErrorKind::kInternal, [&] {
    return "Tried to access the schema for " + table.op->text() +
           " which doesn't have a schema registered yet";
  });
}

Observation::Observation(Audience audience, const Entry& entry, KeySet keys,
                         std::vector<Boxed> inputs)
    : audience_(std::move(audience)),
      table_(*entry.table),
      sequence_(may_record(entry, keys) ? observed_thread.next_sequence++ : -1),
      inputs_(std::move(inputs)) {
  for (const Observer* observer : audience_.members()) {
    if (observer->start) observer->start(as_shown_to(*observer));
  }
}

Observation::~Observation() {
  for (const Observer* observer : audience_.members()) {
    if (observer->end) observer->end(as_shown_to(*observer));
  }
}

ObservedCall Observation::as_shown_to(const Observer& observer) const {
  ObservedCall call{
      .op = table_.op->text(), .has_schema = table_.has_schema, .sequence = sequence_};
  if (observer.wants_inputs) call.inputs = inputs_;
  if (observer.wants_outputs) call.outputs = outputs_;
  return call;
}

}  // namespace assay::cuda::dispatch
