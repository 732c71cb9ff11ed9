// Typed kernels and typed calls of one C++ signature: instantiates PyTorch's templates.
#pragma once

#include <ATen/core/op_registration/infer_schema.h>

#include <tuple>
#include <type_traits>
#include <utility>

#include "harness/adapters/libtorch/menu/menu.hpp"
#include "harness/adapters/libtorch/passing.hpp"
#include "harness/adapters/libtorch/ran_kernels.hpp"

namespace assay::libtorch {

/// A kernel must return a reference to one of its arguments; another tensor is kept here until this
/// thread's next call.
template <typename Result, typename Argument>
void match_reference(const c10::IValue& result, Argument& argument, at::Tensor*& found) {
  constexpr bool kMayWrite = std::is_same_v<Result, at::Tensor&>;
  if constexpr (std::is_same_v<Argument, at::Tensor> ||
                (!kMayWrite && std::is_same_v<Argument, const at::Tensor>)) {
    if (found == nullptr && result.toTensor().is_same(argument)) {
      found = const_cast<at::Tensor*>(&argument);
    }
  }
}

template <typename Result, typename... A>
Result result_from(const c10::IValue& result, A&... arguments) {
  if constexpr (std::is_same_v<std::decay_t<Result>, at::Tensor> && std::is_reference_v<Result>) {
    at::Tensor* found = nullptr;
    (match_reference<Result>(result, arguments, found), ...);
    thread_local at::Tensor stranger;
    if (found == nullptr) stranger = result.toTensor();
    return found == nullptr ? stranger : *found;
  } else {
    return result.to<Result>();
  }
}

template <typename Result>
struct Results {
  static constexpr std::size_t kCount = 1;
  template <typename... A>
  static Result from(const Stack& results, A&... arguments) {
    return result_from<Result>(results.at(0), arguments...);
  }
  static Stack to_stack(Result&& result) { return {boxed_argument(result)}; }
};

template <>
struct Results<void> {
  static constexpr std::size_t kCount = 0;
  template <typename... A>
  static void from(const Stack&, A&...) {}
};

template <typename... R>
struct Results<std::tuple<R...>> {
  static constexpr std::size_t kCount = sizeof...(R);
  template <typename... A>
  static std::tuple<R...> from(const Stack& results, A&... arguments) {
    return each(results, std::index_sequence_for<R...>(), arguments...);
  }
  static Stack to_stack(std::tuple<R...>&& result) {
    return std::apply([](auto&... one) { return Stack{boxed_argument(one)...}; }, result);
  }

 private:
  template <std::size_t... I, typename... A>
  static std::tuple<R...> each(const Stack& results, std::index_sequence<I...>, A&... arguments) {
    return std::tuple<R...>(result_from<R>(results.at(I), arguments...)...);
  }
};

template <typename R, typename... A>
R run_typed(const TypedSite& where, std::optional<c10::DispatchKeySet> keys, A... arguments) {
  const TypedSite site = where;  // the call may destroy the functor
  const Stack boxed{boxed_argument(arguments)...};
  const Run run{*site.kernel, site.op_name(), keys, boxed, Results<R>::kCount};
  const auto op = c10::Dispatcher::singleton().findOp(run.op);
  write_ran(run, false, op && op->hasSchema() ? &op->schema() : nullptr);
  if (run.kernel.does == NamedKernel::Action::kRedispatch) {
    const c10::DispatchKeySet onward = onward_keys(run);
    return op->template typed<R(A...)>().redispatch(onward, std::forward<A>(arguments)...);
  }
  if (run.kernel.does == NamedKernel::Action::kCall) {
    const c10::impl::ExcludeDispatchKeyGuard guard(own_key(run));
    return op->template typed<R(A...)>().call(std::forward<A>(arguments)...);
  }
  return Results<R>::from(behave(run), arguments...);
}

template <typename Signature>
struct Typed;

template <typename R, typename... A>
struct Typed<R(A...)> {
  struct WithKeys {
    TypedSite site;
    R operator()(c10::DispatchKeySet keys, A... arguments) const {
      return run_typed<R, A...>(site, keys, std::forward<A>(arguments)...);
    }
  };
  struct WithoutKeys {
    TypedSite site;
    R operator()(A... arguments) const {
      return run_typed<R, A...>(site, std::nullopt, std::forward<A>(arguments)...);
    }
  };

  static std::unique_ptr<c10::FunctionSchema> inferred() {
    return c10::detail::inferFunctionSchemaFromFunctor<R(A...)>();
  }

  static KernelParts parts(const TypedSite& site) {
    using c10::KernelFunction;
    const auto signature = c10::impl::CppSignature::make<R(A...)>();
    if (site.kernel->does == NamedKernel::Action::kNull) {
      R (*nothing)(A...) = nullptr;
      return {KernelFunction::makeFromUnboxedRuntimeFunction(nothing), signature, inferred()};
    }
    return {site.kernel->takes_keys ? KernelFunction::makeFromUnboxedLambda(WithKeys{site})
                                    : KernelFunction::makeFromUnboxedLambda(WithoutKeys{site}),
            signature, inferred()};
  }

  static torch::CppFunction function(const TypedSite& site) {
    if (site.kernel->does == NamedKernel::Action::kNull) {
      R (*nothing)(A...) = nullptr;
      return torch::CppFunction(nothing);
    }
    if (site.kernel->takes_keys) return torch::CppFunction(WithKeys{site});
    return torch::CppFunction(WithoutKeys{site});
  }

  static Stack call(const c10::OperatorHandle& op, const std::optional<c10::DispatchKeySet>& keys,
                    const Stack& arguments) {
    const auto typed = op.typed<R(A...)>();
    expect_count(sizeof...(A), arguments.size());
    return call_held(typed, keys, arguments, std::index_sequence_for<A...>());
  }

  static void expect(const c10::OperatorHandle& op) { op.typed<R(A...)>(); }
  static c10::FunctionSchema schema() { return *inferred(); }

 private:
  template <typename Handle, std::size_t... I>
  static Stack call_held(const Handle& typed, const std::optional<c10::DispatchKeySet>& keys,
                         const Stack& arguments, std::index_sequence<I...>) {
    std::tuple<Passed<A>...> held{passed<A>(arguments[I], I)...};
    const auto go = [&]() -> R {
      if (keys) return typed.redispatch(*keys, std::get<I>(held).get()...);
      return typed.call(std::get<I>(held).get()...);
    };
    if constexpr (std::is_void_v<R>) {
      go();
      return {};
    } else {
      return Results<R>::to_stack(go());
    }
  }
};

template <typename Signature>
MenuEntry menu_row(std::string_view text) {
  using This = Typed<Signature>;
  const bool writes = text.starts_with("Tensor&(") || text.starts_with("tuple<Tensor&");
  return {text, &This::parts, &This::function, &This::call, &This::expect, &This::schema, writes};
}

}  // namespace assay::libtorch
