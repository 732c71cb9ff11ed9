// Area core: dtypes, promotion, numbers without a tensor, devices.
#include <ATen/EmptyTensor.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

/// None if the query itself is an error.
template <typename Question>
Value answer_or_none(const Question& question) {
  try {
    return question();
  } catch (const c10::Error&) {
    return {};
  }
}

/// Sets the default dtype during its lifetime.
class DefaultDtype {
 public:
  explicit DefaultDtype(at::ScalarType type) : before_(c10::get_default_dtype()) {
    c10::set_default_dtype(c10::scalarTypeToTypeMeta(type));
  }
  ~DefaultDtype() { c10::set_default_dtype(before_); }
  DefaultDtype(const DefaultDtype&) = delete;
  DefaultDtype& operator=(const DefaultDtype&) = delete;

 private:
  caffe2::TypeMeta before_;
};

at::Scalar scalar_argument(Call& call, std::string_view name) {
  if (const auto number = scalar_from(call.arguments().value(name))) return *number;
  throw InvalidArgument(call.command().verb + ": '" + std::string(name) + "' must be a number");
}

std::string_view kind_of_scalar(const at::Scalar& scalar) {
  if (scalar.isBoolean()) return "bool";
  if (scalar.isIntegral(false)) return "int";
  return scalar.isFloatingPoint() ? "float" : "complex";
}

template <typename T>
bool store_as(const at::Tensor& to, const at::Scalar& scalar) {
  if (to.scalar_type() != c10::CppTypeToScalarType<T>::value) return false;
  *static_cast<T*>(to.data_ptr()) = scalar.to<T>();
  return true;
}

/// The first of the types that matches the tensor's.
template <typename... T>
void store(const at::Tensor& to, const at::Scalar& scalar) {
  if (!(store_as<T>(to, scalar) || ...)) throw NotSupported("a number as such a dtype");
}

}  // namespace

void core_dtype(Call& call) {
  const at::ScalarType type = call.dtype("dtype");
  call.set("number", static_cast<int>(type));
  call.set("size", answer_or_none(
                       [&] { return Value(static_cast<std::int64_t>(c10::elementSize(type))); }));
  call.set("floating", c10::isFloatingType(type));
  call.set("complex", c10::isComplexType(type));
  call.set("integral", c10::isIntegralType(type, false));
  call.set("integral_or_bool", c10::isIntegralType(type, true));
  call.set("signed", answer_or_none([&] { return Value(c10::isSignedType(type)); }));
}

void core_promote_types(Call& call) {
  call.result(Value(to_waist(c10::promoteTypes(call.dtype("a"), call.dtype("b")))));
}

void core_can_cast(Call& call) {
  call.result(Value(c10::canCast(call.dtype("from"), call.dtype("to"))));
}

void core_result_type(Call& call) {
  const DefaultDtype standard(call.dtype_or_none("default").value_or(at::kFloat));
  at::native::ResultTypeState state{};
  for (const Value& item : call.arguments().items("operands")) {
    const auto number = scalar_from(item);
    state = number ? at::native::update_result_type_state(*number, state)
                   : at::native::update_result_type_state(call.tensor_from(item), state);
  }
  call.result(Value(to_waist(at::native::result_type(state))));
}

void core_scalar(Call& call) {
  const at::Scalar made = call.has("value") ? scalar_argument(call, "value") : at::Scalar();
  call.set("kind", kind_of_scalar(made));
  call.set("value", to_waist(made));
}

void core_scalar_to(Call& call) {
  const at::Tensor made = at::detail::empty_cpu({}, call.dtype("dtype"));
  store<double, float, at::Half, at::BFloat16, std::int64_t, std::int32_t, std::int16_t,
        std::int8_t, std::uint8_t, bool, c10::complex<float>, c10::complex<double>>(
      made, scalar_argument(call, "value"));
  call.result(made);
}

void core_scalar_equal(Call& call) {
  const at::Scalar a = scalar_argument(call, "a");
  const at::Scalar b = scalar_argument(call, "b");
  if (b.isBoolean()) return call.result(Value(a.equal(b.to<bool>())));
  if (b.isIntegral(false)) return call.result(Value(a.equal(b.to<std::int64_t>())));
  if (b.isFloatingPoint()) return call.result(Value(a.equal(b.to<double>())));
  call.result(Value(a.equal(b.to<c10::complex<double>>())));
}

void core_scalar_negate(Call& call) { call.result(to_waist(-scalar_argument(call, "a"))); }

void core_device(Call& call) {
  const c10::Device made(call.arguments().text("text"));
  call.set("type", c10::DeviceTypeName(made.type(), true));
  call.set("index", std::int64_t{made.index()});
  call.set("text", made.str());
}

void core_device_new(Call& call) {
  const c10::DeviceType type = device_type_named(call.arguments().text("type"));
  const c10::Device made(type, static_cast<c10::DeviceIndex>(call.arguments().integer("index")));
  call.set("text", made.str());
}

void core_device_type(Call& call) {
  call.set("number", static_cast<int>(device_type_named(call.arguments().text("type"))));
}

}  // namespace assay::libtorch
