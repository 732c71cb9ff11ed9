// Typed kernels: C++ functions of one form, also callable on a stack (DSP-603, DSP-612); their
// signatures, one unique object for each (DSP-409); and those that report to kernel traces.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/boxing.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

/// The name of a type as it appears in signatures: `static std::string get()`.
template <typename T>
struct CppName;

namespace detail {
template <typename T>
std::string inside(std::string_view outer) {
  return std::string(outer) + "<" + CppName<T>::get() + ">";
}
}  // namespace detail

template <>
struct CppName<void> {
  static std::string get() { return "void"; }
};
template <>
struct CppName<Tensor> {
  static std::string get() { return "Tensor"; }
};
template <>
struct CppName<std::int64_t> {
  static std::string get() { return "int64_t"; }
};
template <>
struct CppName<double> {
  static std::string get() { return "double"; }
};
template <>
struct CppName<bool> {
  static std::string get() { return "bool"; }
};
template <>
struct CppName<std::string> {
  static std::string get() { return "string"; }
};
template <>
struct CppName<Scalar> {
  static std::string get() { return "Scalar"; }
};
template <>
struct CppName<Device> {
  static std::string get() { return "Device"; }
};
template <>
struct CppName<Dtype> {
  static std::string get() { return "ScalarType"; }
};
template <>
struct CppName<Generator> {
  static std::string get() { return "Generator"; }
};
template <>
struct CppName<TensorList> {
  static std::string get() { return "TensorList"; }
};
template <>
struct CppName<IntList> {
  static std::string get() { return "IntList"; }
};
template <>
struct CppName<FloatList> {
  static std::string get() { return "FloatList"; }
};
template <>
struct CppName<TensorDict> {
  static std::string get() { return "Dict<string,Tensor>"; }
};
template <typename T>
struct CppName<std::vector<T>> {
  static std::string get() { return detail::inside<T>("List"); }
};
template <typename T>
struct CppName<std::optional<T>> {
  static std::string get() { return detail::inside<T>("optional"); }
};
template <typename T, std::size_t kSize>
struct CppName<std::array<T, kSize>> {
  static std::string get() {
    return "array<" + CppName<T>::get() + "," + std::to_string(kSize) + ">";
  }
};
template <typename T>
struct CppName<T&> {
  static std::string get() { return CppName<T>::get() + "&"; }
};
template <typename T>
struct CppName<const T&> {
  static std::string get() { return "const " + CppName<T>::get() + "&"; }
};

namespace detail {

template <typename... Ts>
std::string joined_names() {
  std::string all;
  ((all += (all.empty() ? "" : ",") + CppName<Ts>::get()), ...);
  return all;
}

}  // namespace detail

template <typename... Ts>
struct CppName<std::tuple<Ts...>> {
  static std::string get() { return "tuple<" + detail::joined_names<Ts...>() + ">"; }
};
template <typename R, typename... Args>
struct CppName<R(Args...)> {
  static std::string get() {
    return CppName<R>::get() + "(" + detail::joined_names<Args...>() + ")";
  }
};

namespace detail {
template <typename F>
inline constexpr std::size_t parameters_of = 0;
template <typename R, typename... Args>
inline constexpr std::size_t parameters_of<R(Args...)> = sizeof...(Args);
}  // namespace detail

/// The unique object of a signature.
template <typename F>
inline constexpr Signature signature_of{&CppName<F>::get, &infer_schema<F>,
                                        detail::parameters_of<F>};

// The kernels.

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

// Built-in kernels that report to kernel traces.

namespace detail {
template <typename... Args>
[[gnu::noinline, gnu::cold]] void report_typed(const Entry& entry, KeySet keys,
                                               const Args&... args) {
  const Release release = entry.table->layout->release();
  const std::vector<Boxed> boxed{Boxing<std::remove_cvref_t<Args>>::box(args, release)...};
  report_to_traces({.label = entry.registered->debug,
                    .entry = entry,
                    .keys = keys,
                    .is_boxed = false,
                    .arguments = boxed});
}
}  // namespace detail

/// Call at the start of a typed kernel. Costs one branch if there is no trace.
template <typename... Args>
void report_typed_start(const Entry& entry, KeySet keys, const Args&... args) {
  if (is_traced()) [[unlikely]]
    detail::report_typed(entry, keys, args...);
}

namespace detail {
template <auto kFunction, typename F = std::remove_pointer_t<decltype(kFunction)>>
struct Traced;
template <auto kFunction, typename R, typename... Args>
struct Traced<kFunction, R(Args...)> {
  static R run(const Entry& entry, KeySet keys, Args... args) {
    report_typed_start(entry, keys, args...);
    return kFunction(std::forward<Args>(args)...);
  }
};
}  // namespace detail

/// Returns a kernel for a function `R(Args...)` that reports its start to traces.
template <auto kFunction>
Kernel traced_kernel() {
  return typed_kernel<&detail::Traced<kFunction>::run>();
}

}  // namespace assay::cuda::dispatch
