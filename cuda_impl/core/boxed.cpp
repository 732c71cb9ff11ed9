// Names, checks and conversions of boxed values.
#include "cuda_impl/core/boxed.hpp"

#include <array>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

std::string_view name_of(BoxedKind kind) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "None",   "Double", "ComplexDouble", "Int",  "Bool",  "Device",
      "Tensor", "String", "List",          "Dict", "Tuple", "Generator"};
  return kNames[static_cast<std::size_t>(kind)];
}

Boxed::Boxed(std::string value)
    : Boxed(BoxedKind::kString, std::make_shared<std::string>(std::move(value))) {}

Boxed::Boxed(const Scalar& scalar)
    : Boxed(std::visit([](const auto& held) { return Boxed(held); }, scalar.stored())) {}

void Boxed::expect(std::string_view wanted) const {
  require(wanted == name_of(kind_), wanted == "Tensor" ? ErrorKind::kError : ErrorKind::kInternal,
          [&] {
            return "Expected " + std::string(wanted) + " but got " + std::string(name_of(kind_));
          });
}

Scalar Boxed::to_scalar() const {
  switch (kind_) {
    case BoxedKind::kInt:
      return int_;
    case BoxedKind::kDouble:
      return double_;
    case BoxedKind::kBool:
      return bool_;
    case BoxedKind::kComplex:
      return complex_;
    default:
      throw Error("IValue is not a Scalar but " + std::string(name_of(kind_)));
  }
}

void Boxed::push(Boxed item) const {
  expect("List");
  list().push_back(std::move(item));
}

}  // namespace assay::cuda
