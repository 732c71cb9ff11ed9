// The menu: creates its rows, and looks up signatures on it.
#include <algorithm>

#include "cuda_impl/dispatch/call/typed_handle.hpp"
#include "cuda_impl/dispatch/schema/signature.hpp"
#include "cuda_impl/subject/dispatch/behaviours.hpp"

namespace assay::cuda {

// Creates a menu row for a C++ signature.

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

std::vector<const MenuRow*> menu_of_plain_tensors() {
  return {&row_of<void()>(),
          &row_of<std::int64_t()>(),
          &row_of<Tensor()>(),
          &row_of<void(std::int64_t)>(),
          &row_of<void(const std::int64_t&)>(),
          &row_of<Tensor(const Tensor&)>(),
          &row_of<Tensor(Tensor)>(),
          &row_of<Tensor(const Tensor&, const Tensor&)>(),
          &row_of<Tensor(Tensor, Tensor)>(),
          &row_of<Tensor(const Tensor&, std::int64_t)>(),
          &row_of<Tensor(const Tensor&, double)>(),
          &row_of<Tensor(const Tensor&, bool)>(),
          &row_of<Tensor(const Tensor&, std::string)>(),
          &row_of<Tensor(const Tensor&, const Scalar&)>(),
          &row_of<Tensor(const Tensor&, Device)>(),
          &row_of<Tensor(const Tensor&, Dtype)>()};
}

using dispatch::Generator;
using dispatch::IntList;
using dispatch::TensorDict;
using dispatch::TensorList;

std::vector<const MenuRow*> menu_of_containers() {
  return {&row_of<Tensor(std::optional<Tensor>)>(),
          &row_of<Tensor(const std::optional<Tensor>&)>(),
          &row_of<Tensor(TensorList)>(),
          &row_of<Tensor(std::vector<std::optional<Tensor>>)>(),
          &row_of<Tensor(std::optional<TensorList>)>(),
          &row_of<Tensor(std::array<Tensor, 2>)>(),
          &row_of<Tensor(TensorDict)>(),
          &row_of<Tensor(Generator)>(),
          &row_of<Tensor(std::optional<Generator>)>(),
          &row_of<Tensor(const Tensor&, std::optional<Dtype>)>(),
          &row_of<Tensor(const Tensor&, IntList, std::optional<std::int64_t>)>()};
}

std::vector<const MenuRow*> menu_of_references() {
  return {&row_of<Tensor&(Tensor&)>(),
          &row_of<Tensor&(Tensor&, std::int64_t)>(),
          &row_of<const Tensor&(const Tensor&)>(),
          &row_of<Tensor&(const Tensor&, Tensor&)>(),
          &row_of<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>(),
          &row_of<Tensor&(Tensor&, Tensor&, const Tensor&, double, double, std::int64_t)>(),
          &row_of<void(dispatch::TensorList, Tensor&, const Tensor&)>(),
          &row_of<std::tuple<Tensor, Tensor>(const Tensor&)>(),
          &row_of<std::tuple<Tensor, Tensor, std::int64_t>(const Tensor&)>(),
          &row_of<std::tuple<std::int64_t, Tensor>(const Tensor&)>()};
}

using dispatch::FloatList;

std::vector<const MenuRow*> menu_of_many() {
  return {&row_of<Tensor(const Tensor&, std::optional<Tensor>, TensorList, std::int64_t, double,
                         bool, const Scalar&, std::string, IntList, FloatList, Device, Dtype)>(),
          &row_of<std::tuple<Tensor, Tensor, std::int64_t>(const Tensor&, std::optional<Tensor>,
                                                           TensorList, std::int64_t, double, bool,
                                                           const Scalar&, std::string)>()};
}

// Looks up signatures.

namespace {

struct Listed {
  std::string text;  ///< without spaces
  const MenuRow* row;
};

std::string without_spaces(std::string_view text) {
  std::string kept(text);
  std::erase(kept, ' ');
  return kept;
}

const std::vector<Listed>& menu() {
  static const std::vector<Listed> all = [] {
    std::vector<Listed> rows;
    for (const auto part :
         {menu_of_plain_tensors, menu_of_containers, menu_of_references, menu_of_many}) {
      for (const MenuRow* row : part()) {
        rows.push_back({without_spaces(row->signature->name()), row});
      }
    }
    return rows;
  }();
  return all;
}

/// Returns whether the signature returns references to its arguments.
bool returns_arguments(const Listed& one) {
  return one.text.starts_with("Tensor&(") || one.text.starts_with("constTensor&(") ||
         one.text.starts_with("tuple<Tensor&");
}

bool takes(const Listed& one, const std::vector<Boxed>& arguments) {
  try {
    std::vector<Boxed> copy = arguments;
    return one.text.starts_with("Tensor(") && one.row->fit(copy);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void detail::expect_same(const Stack& results, const Stack& arguments) {
  const bool are_same = std::ranges::equal(results, arguments, [](const Boxed& a, const Boxed& b) {
    return a.is_tensor() && a.tensor().is_same(b.tensor());
  });
  if (!are_same) throw NotSupported("a C++ kernel that returns references returns its arguments");
}

const MenuRow& menu_row(std::string_view text) {
  const std::string wanted = without_spaces(text);
  for (const Listed& one : menu()) {
    if (one.text == wanted) return *one.row;
  }
  throw NotSupported("the signature " + std::string(text) + " is not on the menu");
}

const MenuRow* menu_row(const dispatch::Signature& signature) {
  for (const Listed& one : menu()) {
    if (one.row->signature == &signature) return one.row;
  }
  return nullptr;
}

/// Rows with const references come first.
const MenuRow* menu_row_for(const dispatch::Schema& schema) {
  for (const Listed& one : menu()) {
    if (returns_arguments(one) != schema.is_mutable()) continue;
    if (!schema_difference(schema, one.row->signature->schema())) return one.row;
  }
  return nullptr;
}

const MenuRow* menu_row_for(const std::vector<Boxed>& arguments) {
  for (const Listed& one : menu()) {
    if (takes(one, arguments)) return one.row;
  }
  return nullptr;
}

}  // namespace assay::cuda
