// Boxed calls and redispatches; the slow path, and the observers of a call.
#include "cuda_impl/dispatch/call/boxed_call.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string_view>
#include <utility>

#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::dispatch {

void start_slow_path() {
  const ThreadState& thread = registered_thread();
  const bool is_asked = (thread.mode.load(std::memory_order_relaxed) & kCollects) != 0;
  if (is_asked && thread.inside.load(std::memory_order_relaxed) == 0) collect();
}

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

namespace {

/// DSP-609
[[noreturn, gnu::noinline, gnu::cold]] void refuse_results(const Table& table, std::size_t got) {
  throw Error(ErrorKind::kInternal, table.op->text() + " was expected to return " +
                                        std::to_string(table.returns) + " values, but returned " +
                                        std::to_string(got));
}

/// Checks that the stack grew as the schema requires; its first `below` bytes are not arguments.
[[gnu::noinline, gnu::cold]] void look_at_results(const Table& table, std::size_t below,
                                                  const Stack& stack) {
  const std::size_t left = bytes_of(stack) - below;
  const bool is_right = left == table.returns * sizeof(Boxed);
  if (!is_right && table.has_schema && table.is_strict) refuse_results(table, left / sizeof(Boxed));
}

/// For a stack that is known to hold the arguments.
[[gnu::always_inline]] inline void run_deep(const Table& table, const Entry& entry, KeySet keys,
                                            Stack& stack) {
  const std::size_t before = bytes_of(stack);
  entry.boxed(entry, keys, stack);
  const std::ptrdiff_t growth = table.growth_bytes;
  if (bytes_of(stack) - before != static_cast<std::size_t>(growth)) [[unlikely]]
    look_at_results(table, before - table.argument_bytes, stack);
}

[[gnu::noinline, gnu::cold]] void run_short(const Table& table, const Entry& entry, KeySet keys,
                                            Stack& stack) {
  entry.boxed(entry, keys, stack);
  look_at_results(table, 0, stack);
}

[[gnu::always_inline]] inline void run(const Table& table, const Entry& entry, KeySet keys,
                                       Stack& stack) {
  if (bytes_of(stack) < table.argument_bytes) [[unlikely]]
    return run_short(table, entry, keys, stack);
  run_deep(table, entry, keys, stack);
}

/// DSP-807: with PyTorch's deviations, values below the arguments are shown too.
void run_observed(const Entry& entry, KeySet keys, Stack& stack) {
  const Table& table = *entry.table;
  Audience audience(table);
  if (audience.is_empty()) return run(table, entry, keys, stack);
  const std::size_t count = table.has_schema ? table.arguments : stack.size();
  const auto first = static_cast<std::ptrdiff_t>(table.is_strict ? stack.size() - count : 0);
  const auto shown = [&] { return std::vector<Boxed>(stack.begin() + first, stack.end()); };
  Observation observation(std::move(audience), entry, keys, shown());
  run(table, entry, keys, stack);
  observation.succeeded(shown());
}

[[gnu::noinline]] void call_slowly(const Operator& op, Stack& stack) {
  start_slow_path();
  const ReadScopeAnyMode calling(thread_state);
  const Table& table = op.table();
  const KeySet keys = table.effective(boxed_keys(table, stack));
  const Entry& entry = table.entry_of(keys);
  const ShownCall shown("callBoxed", table, keys);
  if (!entry.runs) entry.boxed(entry, keys, stack);
  run_observed(entry, keys, stack);
}

[[gnu::noinline]] void redispatch_slowly(const Operator& op, KeySet keys, Stack& stack) {
  start_slow_path();
  const ReadScopeAnyMode calling(thread_state);
  const Table& table = op.table();
  const ShownCall shown("redispatchBoxed", table, keys);
  run(table, table.entry_of(keys), keys, stack);
}

}  // namespace

void call_boxed(const Operator& op, Stack& stack) {
  ThreadState& thread = thread_state;
  if (thread.mode.load(std::memory_order_relaxed) != kPlain) [[unlikely]]
    return call_slowly(op, stack);
  const ReadScope calling(thread);
  const Table& table = op.table();
  const KeySet keys = table.effective(boxed_keys(table, stack));
  run_deep(table, table.entry_of(keys), keys, stack);
}

void redispatch_boxed(const Operator& op, KeySet keys, Stack& stack) {
  ThreadState& thread = thread_state;
  if (thread.mode.load(std::memory_order_relaxed) != kPlain) [[unlikely]]
    return redispatch_slowly(op, keys, stack);
  const ReadScope calling(thread);
  const Table& table = op.table();
  run(table, table.entry_of(keys), keys, stack);
}

void call_boxed_for_key(const Operator& op, Key key, Stack& stack) {
  start_slow_path();
  const ReadScopeAnyMode calling(thread_state);
  const Table& table = op.table();
  if (!table.is_alive) return run(table, table.entries[0], {}, stack);
  const KeySet keys = table.effective(boxed_keys(table, stack));
  const RegisteredPtr* found = table.state->newest_at(key);
  const auto fallback = table.fallbacks->find(key);
  if (found == nullptr && fallback != table.fallbacks->end()) found = &fallback->second;
  require(found != nullptr && (*found)->kernel.boxed != nullptr, ErrorKind::kInternal, [&] {
    return "Tried to call an uninitialized BoxedKernel: " + op.text() + " has none at " +
           name_of(key);
  });
  const ShownCall shown("callBoxedForDispatchKey", table, table.layout->set_of(key));
  const Entry entry{.boxed = (*found)->kernel.boxed,
                    .table = &table,
                    .registered = found->get(),
                    .below = table.layout->full_after(key),
                    .key = key,
                    .runs = true};
  run(table, entry, keys, stack);
}

void redispatch_below(const Entry& entry, KeySet keys, Stack& stack) {
  const KeySet rest = keys & entry.below;
  const Table& table = *entry.table;
  run(table, table.entry_of(rest), rest, stack);
}

}  // namespace assay::cuda::dispatch
