// Typed kernels: C++ functions of one form, also callable on a stack (DSP-603, DSP-612).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/signature_of.hpp"

namespace assay::cuda::dispatch {

/// The entry point of a typed kernel.
template <typename R, typename... Args>
using EntryFunction = R (*)(const Entry& entry, KeySet keys, Args... args);

namespace detail {

template <typename R>
void push_result(Stack& stack, R&& result, Release release) {
  stack.push_back(Boxing<std::remove_cvref_t<R>>::box(std::forward<R>(result), release));
}
template <typename... Rs>
void push_result(Stack& stack, std::tuple<Rs...>&& results, Release release) {
  std::apply(
      [&](auto&&... each) {
        (push_result(stack, std::forward<decltype(each)>(each), release), ...);
      },
      std::move(results));
}

template <typename R>
inline constexpr bool is_tuple = false;
template <typename... Rs>
inline constexpr bool is_tuple<std::tuple<Rs...>> = true;

inline void drop_top(Stack& stack, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) stack.pop_back();
}

template <typename R>
Stack boxed_result(R&& result, Release release) {
  Stack boxed;
  push_result(boxed, std::forward<R>(result), release);
  return boxed;
}

/// Runs a typed function on a stack: unboxes the arguments and replaces them by the results.
/// Results that refer to arguments are boxed before these are destroyed.
template <auto kRun, typename R, typename... Args, std::size_t... kIndex>
void run_on_stack(const Entry& entry, KeySet keys, Stack& stack, std::index_sequence<kIndex...>) {
  constexpr std::size_t kCount = sizeof...(Args);
  expect_depth(*entry.table, kCount, stack);
  [[maybe_unused]] Boxed* first = stack.data() + (stack.size() - kCount);
  [[maybe_unused]] const Release release = entry.table->layout->release();
  (Boxing<std::remove_cvref_t<Args>>::expect(first[kIndex]), ...);
  [[maybe_unused]] std::tuple<Unboxed<Args>...> arguments{Unboxed<Args>(first[kIndex], release)...};
  if constexpr (std::is_void_v<R>) {
    kRun(entry, keys, std::get<kIndex>(arguments).get()...);
    drop_top(stack, kCount);
  } else if constexpr (kCount > 0 && !is_tuple<R>) {
    using Result = Boxing<std::remove_cvref_t<R>>;
    Boxed result = Result::box(kRun(entry, keys, std::get<kIndex>(arguments).get()...), release);
    drop_top(stack, kCount - 1);
    stack.back() = std::move(result);
  } else {
    Stack results =
        boxed_result<R>(kRun(entry, keys, std::get<kIndex>(arguments).get()...), release);
    drop_top(stack, kCount);
    for (Boxed& result : results) stack.push_back(std::move(result));
  }
}

template <typename F>
struct TypedShape;
template <typename R, typename... Args>
struct TypedShape<R(Args...)> {
  template <auto kRun>
  static void boxed(const Entry& entry, KeySet keys, Stack& stack) {
    run_on_stack<kRun, R, Args...>(entry, keys, stack, std::index_sequence_for<Args...>());
  }
  template <auto kRun>
  static Kernel kernel(std::shared_ptr<const void> functor) {
    return {.form = KernelForm::kTyped,
            .boxed = &boxed<kRun>,
            .typed = reinterpret_cast<TypedFunction>(kRun),  // NOLINT: cast back by the signature
            .signature = &signature_of<R(Args...)>,
            .functor = std::move(functor)};
  }
};

/// A plain function, with or without a leading key set; `kRun` is what an entry calls.
template <auto kFunction, typename F = std::remove_pointer_t<decltype(kFunction)>>
struct FunctionShape;
template <auto kFunction, typename R, typename... Args>
struct FunctionShape<kFunction, R(Args...)> {
  using Signature = R(Args...);
  static R run(const Entry&, KeySet, Args... args) {
    return kFunction(std::forward<Args>(args)...);
  }
  static constexpr auto kRun = &run;
};
template <auto kFunction, typename R, typename... Args>
struct FunctionShape<kFunction, R(KeySet, Args...)> {
  using Signature = R(Args...);
  static R run(const Entry&, KeySet keys, Args... args) {
    return kFunction(keys, std::forward<Args>(args)...);
  }
  static constexpr auto kRun = &run;
};
template <auto kFunction, typename R, typename... Args>
struct FunctionShape<kFunction, R(const Entry&, KeySet, Args...)> {
  using Signature = R(Args...);
  static constexpr auto kRun = kFunction;
};

}  // namespace detail

/// Returns a kernel for a function `R(Args...)`, `R(KeySet, Args...)` or `R(const Entry&, KeySet,
/// Args...)`, called without an indirection. Its entry gives it access to `functor`.
template <auto kFunction>
Kernel typed_kernel(std::shared_ptr<const void> functor = nullptr) {
  using Shape = detail::FunctionShape<kFunction>;
  using Typed = detail::TypedShape<typename Shape::Signature>;
  return Typed::template kernel<Shape::kRun>(std::move(functor));
}

}  // namespace assay::cuda::dispatch
