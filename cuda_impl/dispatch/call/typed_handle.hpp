// Typed handles, which call an operator like a C++ function (DSP-601, DSP-602, DSP-616).
#pragma once

#include <type_traits>
#include <utility>

#include "cuda_impl/dispatch/call/observed_call.hpp"
#include "cuda_impl/dispatch/call/slow_path.hpp"
#include "cuda_impl/dispatch/call/through_stack.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"

namespace assay::cuda::dispatch {

/// Raises `error` if the operator has another signature, or a schema that does not match this one
/// (DSP-704).
void expect_called_as(const Table& table, const Signature& signature);

namespace detail {

template <typename R, typename... Args>
[[gnu::always_inline]] inline R run_entry(const Entry& entry, KeySet keys, Args... args) {
  if (entry.signature != &signature_of<R(Args...)>) [[unlikely]] {
    return call_through_stack<R, Args...>(entry, keys, std::forward<Args>(args)...);
  }
  const auto function =
      reinterpret_cast<EntryFunction<R, Args...>>(entry.typed);  // NOLINT: what it was made of
  return function(entry, keys, std::forward<Args>(args)...);
}

template <typename R, typename... Args>
R run_observed(Audience audience, const Entry& entry, KeySet keys, Args... args) {
  const Release release = entry.table->layout->release();
  std::vector<Boxed> inputs;
  if (audience.wants_inputs()) {
    (inputs.push_back(Boxing<std::remove_cvref_t<Args>>::box(args, release)), ...);
  }
  Observation observation(std::move(audience), entry, keys, std::move(inputs));
  if constexpr (std::is_void_v<R>) {
    run_entry<R, Args...>(entry, keys, std::forward<Args>(args)...);
  } else {
    R result = run_entry<R, Args...>(entry, keys, std::forward<Args>(args)...);
    if (observation.wants_outputs()) {
      auto copy = result;
      observation.succeeded(boxed_result(std::move(copy), release));
    }
    return result;
  }
}

template <typename R, typename... Args>
[[gnu::noinline]] R call_slowly(const Operator& op, Args... args) {
  start_slow_path();
  const ReadScopeAnyMode calling(thread_state);
  const Table& table = op.table();
  const KeySet keys = table.effective(typed_keys(table, args...));
  const Entry& entry = table.entry_of(keys);
  const ShownCall shown("call", table, keys);
  Audience audience = entry.runs ? Audience(table) : Audience();
  if (audience.is_empty()) {
    return run_entry<R, Args...>(entry, keys, std::forward<Args>(args)...);
  }
  return run_observed<R, Args...>(std::move(audience), entry, keys, std::forward<Args>(args)...);
}

template <typename R, typename... Args>
[[gnu::noinline]] R redispatch_slowly(const Operator& op, KeySet keys, Args... args) {
  start_slow_path();
  const ReadScopeAnyMode calling(thread_state);
  const Table& table = op.table();
  const ShownCall shown("redispatch", table, keys);
  return run_entry<R, Args...>(table.entry_of(keys), keys, std::forward<Args>(args)...);
}

}  // namespace detail

/// For a typed kernel, `redispatch_below<R, Args...>`: dispatches its operator below its own key,
/// in the table that it was selected from, whatever has been registered since.
template <typename R, typename... Args>
[[gnu::always_inline]] inline R redispatch_below(const Entry& entry, KeySet keys, Args... args) {
  const KeySet rest = keys & entry.below;
  return detail::run_entry<R, Args...>(entry.table->entry_of(rest), rest,
                                       std::forward<Args>(args)...);
}

template <typename F>
class TypedHandle;

/// A plain pointer that is valid as long as the dispatcher. The signature is checked once: if a
/// kernel of another signature is registered later, calls go through boxing.
template <typename R, typename... Args>
class TypedHandle<R(Args...)> {
 public:
  explicit TypedHandle(Operator& op) : op_(&op) {
    const TableView table(op);
    expect_called_as(*table, signature_of<R(Args...)>);
  }
  Operator& op() const { return *op_; }

  /// Dispatches by the arguments and the thread's keys. Observed.
  [[gnu::always_inline]] R call(Args... args) const {
    ThreadState& thread = thread_state;
    if (thread.mode.load(std::memory_order_relaxed) != kPlain) [[unlikely]] {
      return detail::call_slowly<R, Args...>(*op_, std::forward<Args>(args)...);
    }
    const ReadScope calling(thread);
    const Table& table = op_->table();
    const KeySet keys = table.effective(typed_keys(table, args...));
    return detail::run_entry<R, Args...>(table.entry_of(keys), keys, std::forward<Args>(args)...);
  }

  /// Dispatches by the given keys only.
  [[gnu::always_inline]] R redispatch(KeySet keys, Args... args) const {
    ThreadState& thread = thread_state;
    if (thread.mode.load(std::memory_order_relaxed) != kPlain) [[unlikely]] {
      return detail::redispatch_slowly<R, Args...>(*op_, keys, std::forward<Args>(args)...);
    }
    const ReadScope calling(thread);
    return detail::run_entry<R, Args...>(op_->table().entry_of(keys), keys,
                                         std::forward<Args>(args)...);
  }

 private:
  Operator* op_;
};

}  // namespace assay::cuda::dispatch
