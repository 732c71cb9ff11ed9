// Unboxing errors, boxing of dtypes and dicts, and the keys of boxed arguments.
#include "cuda_impl/dispatch/call/boxing.hpp"

#include "cuda_impl/dispatch/call/argument_keys.hpp"

namespace assay::cuda::dispatch {

void refuse_kind(std::string_view wanted, const Boxed& got) {
  throw Error(ErrorKind::kInternal,
              "Expected " + std::string(wanted) + " but got " + std::string(name_of(got.kind())));
}

Dtype dtype_numbered(std::int64_t number, Release release) {
  for (int i = 0; i <= static_cast<int>(Dtype::kUndefined); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    if (exists_in(dtype, release) && number_of(dtype, release) == number) return dtype;
  }
  throw Error("no dtype has the number " + std::to_string(number));
}

Boxed Boxing<TensorDict>::box(const TensorDict& value, Release) {
  auto dict = std::make_shared<BoxedDict>();
  for (const auto& [key, tensor] : value) dict->items.emplace_back(Boxed(key), Boxed(tensor));
  return Boxed(std::move(dict));
}

void Boxing<TensorDict>::expect(const Boxed& boxed) {
  expect_kind(BoxedKind::kDict, boxed);
  for (const auto& [key, value] : boxed.dict()) {
    expect_kind(BoxedKind::kString, key);
    expect_kind(BoxedKind::kTensor, value);
  }
}

TensorDict Boxing<TensorDict>::take(Boxed& boxed, Release) {
  const Boxed taken = std::move(boxed);
  TensorDict dict;
  for (const auto& [key, value] : taken.dict()) dict.emplace_back(key.text(), value.tensor());
  return dict;
}

namespace {

KeySet keys_in(const Layout& layout, const Boxed& boxed) {
  if (boxed.is_tensor()) return keys_of(layout, boxed.tensor());
  KeySet all;
  if (!boxed.is(BoxedKind::kList)) return all;
  for (const Boxed& item : boxed.list()) {
    if (item.is_tensor()) all |= keys_of(layout, item.tensor());
  }
  return all;
}

}  // namespace

KeySet learned_boxed_keys(const Table& table, const Stack& stack) {
  KeySet all;
  for (std::uint64_t left = table.tensor_arguments; left != 0; left &= left - 1) {
    const auto place = stack.end() - 1 - std::countr_zero(left);
    all |= keys_in(*table.layout, *place);
  }
  return all;
}

void refuse_depth(const Table& table, std::size_t wanted, const Stack& stack) {
  throw Error(table.state->name.text() + " takes " + std::to_string(wanted) +
              " arguments from the stack, which has " + std::to_string(stack.size()));
}

}  // namespace assay::cuda::dispatch
