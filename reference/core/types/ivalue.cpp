// Implements CORE-15 and CORE-16.
#include "reference/core/types/ivalue.hpp"

#include <array>

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, 12> kKinds{"None", "Tensor", "Double", "ComplexDouble",
                                                  "Int",  "Bool",   "String", "List",
                                                  "Dict", "Tuple",  "Device", "Generator"};

}  // namespace

IValue::IValue(const Scalar& value) {
  std::visit([&](const auto& held) { payload_ = held; }, value.value());
}

IValue::IValue(ScalarType value, Release release) {
  payload_ = std::int64_t{number_of(value, release)};
}

std::string_view IValue::kind() const { return kKinds[payload_.index()]; }

void IValue::expect_kind(std::string_view wanted) const {
  check(kind() == wanted, ErrorKind::kInternal,
        [&] { return "Expected " + std::string(wanted) + " but got " + std::string(kind()); });
}

Tensor IValue::to_tensor() const {
  const bool is_none = std::holds_alternative<std::monostate>(payload_);
  check(!is_none, [] { return "Expected Tensor but got None"; });
  expect_kind("Tensor");
  return std::get<Tensor>(payload_);
}

double IValue::to_double() const {
  expect_kind("Double");
  return std::get<double>(payload_);
}

std::int64_t IValue::to_int() const {
  expect_kind("Int");
  return std::get<std::int64_t>(payload_);
}

Scalar IValue::to_scalar() const {
  if (const auto* held = std::get_if<bool>(&payload_)) return *held;
  if (const auto* held = std::get_if<double>(&payload_)) return *held;
  if (const auto* held = std::get_if<std::complex<double>>(&payload_)) return *held;
  check(std::holds_alternative<std::int64_t>(payload_), ErrorKind::kInternal,
        [&] { return "Expected a Scalar but got " + std::string(kind()); });
  return std::get<std::int64_t>(payload_);
}

void IValue::push(IValue value) const {
  expect_kind("List");
  std::get<ListPtr>(payload_)->push_back(std::move(value));
}

void IValue::swap_out(IValue& other) noexcept {
  payload_ = std::move(other.payload_);
  other.payload_ = std::monostate{};
}

}  // namespace assay::reference
