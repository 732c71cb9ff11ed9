// Typed calls of boxed kernels: box the arguments and unbox the results, or return arguments by
// reference (DSP-607 to DSP-609).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_impl/dispatch/call/signature_of.hpp"
#include "cuda_impl/dispatch/call/stack_pool.hpp"
#include "cuda_impl/dispatch/registry/operator.hpp"

namespace assay::cuda::dispatch {

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

}  // namespace assay::cuda::dispatch
