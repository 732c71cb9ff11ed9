// Area core: dtypes, promotion and scalars.
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/promote.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

TypedOperand operand_from(Call& call, const Value& value) {
  using Class = TypedOperand::Class;
  if (const auto number = scalar_from(value)) return {Class::kScalar, number->type()};
  const Tensor tensor = call.tensor_from(value);
  return {tensor.dim() == 0 ? Class::kZeroDim : Class::kDim, tensor.dtype()};
}

std::string_view kind_name(const Scalar& scalar) {
  switch (scalar.type()) {
    case ScalarType::kBool:
      return "bool";
    case ScalarType::kLong:
      return "int";
    case ScalarType::kDouble:
      return "float";
    default:
      return "complex";
  }
}

}  // namespace

void core_dtype(Call& call) {
  const ScalarType type = call.dtype("dtype");
  call.set("number", number_of(type, call.contract().release));
  call.set("size", answer_or_none([&] { return static_cast<std::int64_t>(element_size(type)); }));
  call.set("floating", is_floating(type));
  call.set("complex", is_complex(type));
  call.set("integral", is_integral(type, false));
  call.set("integral_or_bool", is_integral(type, true));
  call.set("signed", answer_or_none([&] { return is_signed(type); }));
}

void core_promote_types(Call& call) {
  const ScalarType both = promote_types(call.dtype("a"), call.dtype("b"), call.contract());
  call.result(Value(to_protocol(both)));
}

void core_can_cast(Call& call) {
  call.result(Value(can_cast(call.dtype("from"), call.dtype("to"))));
}

void core_result_type(Call& call) {
  std::vector<TypedOperand> operands;
  for (const Value& item : call.arguments().items("operands")) {
    operands.push_back(operand_from(call, item));
  }
  const ScalarType fallback = call.dtype_or_none("default").value_or(ScalarType::kFloat);
  check(is_floating(fallback), ErrorKind::kType,
        [] { return "only floating-point types are supported as the default type"; });
  call.result(Value(to_protocol(result_type(operands, fallback, call.contract()))));
}

void core_scalar(Call& call) {
  const Scalar made = call.has("value") ? call.scalar("value") : Scalar();
  call.set("kind", kind_name(made));
  call.set("value", to_protocol(made));
}

void core_scalar_to(Call& call) {
  const ScalarType type = call.dtype("dtype");
  const std::uint64_t bits = call.scalar("value").bits_as(type, call.contract());
  const Tensor made = empty(call.runtime(), {}, type, call.runtime().home());
  set_bits_at(made, 0, bits);
  call.result(made);
}

void core_scalar_equal(Call& call) { call.result(Value(call.scalar("a").equal(call.scalar("b")))); }

void core_scalar_negate(Call& call) { call.result(to_protocol(call.scalar("a").negated())); }

}  // namespace assay::reference
