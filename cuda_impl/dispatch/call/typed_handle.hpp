// Typed handles, which call an operator like a C++ function (DSP-601, DSP-602, DSP-616). Typed
// calls of boxed kernels go through a stack of a per-thread pool, which saves an allocation in each
// call.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/call/typed_kernel.hpp"
#include "cuda_impl/dispatch/registry/kernel.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

/// The thread's stacks, one for each level of nested calls.
struct StackPool {
  static constexpr std::uint32_t kMost = 1024;

  std::uint32_t used = 0;
  std::uint32_t made = 0;
  std::array<Stack*, kMost> stacks = {};
};
extern thread_local constinit StackPool stack_pool [[gnu::tls_model("initial-exec")]];

/// Constructs a box in its place on top of the stack.
void push_tensor(Stack& stack, const Tensor& tensor);
void push_tensor(Stack& stack, Tensor&& tensor);

/// An empty stack from the pool, for the scope.
class PooledStack {
 public:
  PooledStack() {
    StackPool& pool = stack_pool;
    if (pool.used == pool.made) [[unlikely]]
      make_another();
    stack_ = pool.stacks[pool.used++];
  }
  ~PooledStack() {
    stack_->clear();
    --stack_pool.used;
  }
  PooledStack(const PooledStack&) = delete;
  PooledStack& operator=(const PooledStack&) = delete;

  Stack& operator*() { return *stack_; }
  Stack* operator->() { return stack_; }

 private:
  /// Raises `internal` if the nesting is too deep (infinite recursion).
  static void make_another();

  Stack* stack_;
};

// Typed calls of boxed kernels: box the arguments and unbox the results, or return arguments by
// reference (DSP-607 to DSP-609).

namespace detail {

/// The number of values that a kernel with return type R returns.
template <typename R>
inline constexpr std::size_t returns_of = 1;
template <>
inline constexpr std::size_t returns_of<void> = 0;
template <typename... Rs>
inline constexpr std::size_t returns_of<std::tuple<Rs...>> = sizeof...(Rs);

/// Whether the results are references to arguments.
template <typename R>
inline constexpr bool is_reference = std::is_lvalue_reference_v<R>;
template <typename... Rs>
inline constexpr bool is_reference<std::tuple<Rs...>> = sizeof...(Rs) > 0 &&
                                                        (std::is_lvalue_reference_v<Rs> && ...);

/// Raises `internal` for a wrong number of results, unless PyTorch ignores the results too.
void look_at_count(const Table& table, std::size_t wanted, bool is_read, const Stack& stack);
inline void expect_returned(const Table& table, std::size_t wanted, bool is_read,
                            const Stack& stack) {
  if (stack.size() != wanted) [[unlikely]]
    look_at_count(table, wanted, is_read, stack);
}

template <typename T>
void push_argument(Stack& stack, T&& value, Release release) {
  if constexpr (std::is_same_v<std::remove_cvref_t<T>, Tensor>) {
    push_tensor(stack, std::forward<T>(value));
  } else {
    stack.push_back(Boxing<std::remove_cvref_t<T>>::box(std::forward<T>(value), release));
  }
}

template <typename R>
struct Results {
  static R take(Stack& stack, Release release) {
    Boxed& result = stack.back();
    Boxing<R>::expect(result);
    return Boxing<R>::take(result, release);
  }
};
template <typename... Rs>
struct Results<std::tuple<Rs...>> {
  static std::tuple<Rs...> take(Stack& stack, Release release) {
    return take_each(stack, release, std::index_sequence_for<Rs...>());
  }

 private:
  template <std::size_t... kIndex>
  static std::tuple<Rs...> take_each([[maybe_unused]] Stack& stack,
                                     [[maybe_unused]] Release release,
                                     std::index_sequence<kIndex...>) {
    [[maybe_unused]] const std::size_t first = stack.size() - sizeof...(Rs);
    (Boxing<Rs>::expect(stack[first + kIndex]), ...);
    return {Boxing<Rs>::take(stack[first + kIndex], release)...};
  }
};

/// Returns the last `tuple_size<R>` arguments.
template <typename R, std::size_t... kIndex, typename Arguments>
R last_of(const Arguments& arguments, std::index_sequence<kIndex...>) {
  constexpr std::size_t kFirst = std::tuple_size_v<Arguments> - sizeof...(kIndex);
  return R(std::get<kFirst + kIndex>(arguments)...);
}

/// DSP-608: returns the first argument if its type is the return type, otherwise the last ones.
template <typename R, typename... Args>
R returned_arguments(Args&... args) {
  const std::tuple<Args&...> arguments(args...);
  if constexpr (!std::is_lvalue_reference_v<R>) {
    return last_of<R>(arguments, std::make_index_sequence<returns_of<R>>());
  } else if constexpr (std::is_same_v<std::tuple_element_t<0, std::tuple<Args&...>>, R>) {
    return std::get<0>(arguments);
  } else {
    return std::get<sizeof...(Args) - 1>(arguments);
  }
}

}  // namespace detail

template <typename R, typename... Args>
[[gnu::noinline]] R call_through_stack(const Entry& entry, KeySet keys, Args... args) {
  const Table& table = *entry.table;
  const Release release = table.layout->release();
  PooledStack stack;
  if (!entry.runs) entry.boxed(entry, keys, *stack);
  (detail::push_argument(*stack, std::forward<Args>(args), release), ...);
  entry.boxed(entry, keys, *stack);
  detail::expect_returned(table, detail::returns_of<R>, !detail::is_reference<R>, *stack);
  if constexpr (std::is_void_v<R>) {
    return;
  } else if constexpr (detail::is_reference<R>) {
    return detail::returned_arguments<R>(args...);
  } else {
    return detail::Results<R>::take(*stack, release);
  }
}

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
