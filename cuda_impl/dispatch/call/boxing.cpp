// Unboxing errors, and boxing of dtypes and dicts.
#include "cuda_impl/dispatch/call/boxing.hpp"

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

}  // namespace assay::cuda::dispatch
