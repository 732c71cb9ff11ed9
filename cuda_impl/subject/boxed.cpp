// What a boxed value is, and what it is not.
#include "cuda_impl/subject/boxed.hpp"

#include <array>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

/// In the order of the payload.
constexpr std::array<std::string_view, 12> kKinds = {"None", "Tensor", "Double", "ComplexDouble",
                                                     "Int",  "Bool",   "String", "List",
                                                     "Dict", "Tuple",  "Device", "Generator"};
static_assert(kKinds.size() == std::variant_size_v<Boxed::Payload>);

}  // namespace

Boxed::Boxed(const Scalar& scalar)
    : payload_(std::visit([](const auto& held) { return Payload(held); }, scalar.stored())) {}

std::string_view Boxed::kind() const { return kKinds[payload_.index()]; }

void Boxed::expect(std::string_view wanted) const {
  require(wanted == kind(), wanted == "Tensor" ? ErrorKind::kError : ErrorKind::kInternal,
          [&] { return "Expected " + std::string(wanted) + " but got " + std::string(kind()); });
}

Scalar Boxed::to_scalar() const {
  if (const auto* held = std::get_if<std::int64_t>(&payload_)) return *held;
  if (const auto* held = std::get_if<double>(&payload_)) return *held;
  if (const auto* held = std::get_if<bool>(&payload_)) return *held;
  if (const auto* held = std::get_if<std::complex<double>>(&payload_)) return *held;
  throw Error("IValue is not a Scalar but " + std::string(kind()));
}

void Boxed::push(Boxed item) const {
  expect("List");
  std::get<std::shared_ptr<BoxedItems>>(payload_)->items.push_back(std::move(item));
}

}  // namespace assay::cuda
