// Creates a menu row for a C++ signature.
#pragma once

#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/subject/dispatch/behaviours.hpp"
#include "cuda_impl/subject/dispatch/menu.hpp"

namespace assay::cuda {

/// Finds the row of a running kernel.
template <typename F>
const MenuRow& row_of();

namespace detail {

/// Converts an int to a double and a tuple to a list (harness/protocol/areas/dispatch.md).
template <typename T>
void convert(Boxed& boxed) {
  if constexpr (std::is_same_v<T, double>) {
    if (boxed.is(BoxedKind::kInt)) boxed = Boxed(static_cast<double>(boxed.integer()));
  } else if (boxed.is(BoxedKind::kTuple)) {
    boxed = Boxed(std::make_shared<BoxedItems>(BoxedItems{boxed.tuple()}));
  }
}

/// Throws NotSupported: a kernel that returns references can only return its arguments.
void expect_same(const Stack& results, const Stack& arguments);

template <typename F>
struct MenuFunctions;
template <typename R, typename... Args>
struct MenuFunctions<R(Args...)> {
  using Indices = std::index_sequence_for<Args...>;
  using Handle = dispatch::TypedHandle<R(Args...)>;

  static R run(const Entry& entry, KeySet keys, Args... args) {
    const Release release = entry.table->layout->release();
    std::vector<Boxed> boxed;
    (boxed.push_back(dispatch::Boxing<std::remove_cvref_t<Args>>::box(args, release)), ...);
    const auto& named = dispatch::functor_of<NamedKernel>(entry);
    constexpr std::size_t kReturns = dispatch::detail::returns_of<R>;
    Stack results = named.run({entry, keys, boxed, kReturns, &row_of<R(Args...)>()});
    dispatch::detail::expect_returned(*entry.table, kReturns, true, results);
    if constexpr (std::is_void_v<R>) {
      return;
    } else if constexpr (dispatch::detail::is_reference<R>) {
      R references = dispatch::detail::returned_arguments<R>(args...);
      expect_same(results, dispatch::detail::boxed_result<R>(R(references), release));
      return references;
    } else {
      return dispatch::detail::Results<R>::take(results, release);
    }
  }

  static Kernel kernel() {
    return dispatch::detail::TypedShape<R(Args...)>::template kernel<&run>({});
  }

  static bool fit(std::vector<Boxed>& arguments) {
    if (arguments.size() != sizeof...(Args)) return false;
    return fit_each(arguments, Indices());
  }

  static Stack call(Operator& op, std::vector<Boxed> arguments) {
    return invoke(op, nullptr, arguments, Indices());
  }
  static Stack redispatch(Operator& op, KeySet keys, std::vector<Boxed> arguments) {
    return invoke(op, &keys, arguments, Indices());
  }

 private:
  template <std::size_t... kIndex>
  static bool fit_each([[maybe_unused]] std::vector<Boxed>& arguments,
                       std::index_sequence<kIndex...>) {
    (convert<std::remove_cvref_t<Args>>(arguments[kIndex]), ...);
    (dispatch::Boxing<std::remove_cvref_t<Args>>::expect(arguments[kIndex]), ...);
    return true;
  }

  template <std::size_t... kIndex>
  static Stack invoke(Operator& op, const KeySet* keys,
                      [[maybe_unused]] std::vector<Boxed>& arguments,
                      std::index_sequence<kIndex...>) {
    const Handle handle(op);
    const Release release = op.dispatcher().contract().release;
    std::tuple<dispatch::Unboxed<Args>...> values{
        dispatch::Unboxed<Args>(arguments[kIndex], release)...};
    const auto go = [&]() -> R {
      if (keys != nullptr) return handle.redispatch(*keys, std::get<kIndex>(values).get()...);
      return handle.call(std::get<kIndex>(values).get()...);
    };
    if constexpr (std::is_void_v<R>) {
      go();
      return {};
    } else {
      return dispatch::detail::boxed_result<R>(go(), release);
    }
  }
};

}  // namespace detail

template <typename F>
const MenuRow& row_of() {
  using Functions = detail::MenuFunctions<F>;
  static const MenuRow row{&dispatch::signature_of<F>, Functions::kernel(), &Functions::call,
                           &Functions::redispatch, &Functions::fit};
  return row;
}

/// Split so that each part is compiled separately.
std::vector<const MenuRow*> menu_of_plain_tensors();
std::vector<const MenuRow*> menu_of_containers();
std::vector<const MenuRow*> menu_of_references();
std::vector<const MenuRow*> menu_of_many();

}  // namespace assay::cuda
