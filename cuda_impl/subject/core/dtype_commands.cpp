// Area core: element types and their promotion.
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

bool is_bits(Dtype dtype) { return dtype >= Dtype::kBits1x8 && dtype <= Dtype::kBits16; }

/// None if the query itself raises (CORE-02).
Value sign_of(Dtype dtype) {
  if (facts(dtype).is_quantized || is_bits(dtype) || dtype == Dtype::kUndefined) return {};
  return facts(dtype).is_signed;
}

Value size_of(Dtype dtype) {
  if (dtype == Dtype::kUndefined) return {};
  return static_cast<std::int64_t>(size_bytes(dtype));
}

Operand operand_from(Call& call, const Value& value) {
  if (const auto number = scalar_from(value)) return *number;
  return call.tensor_from(value);
}

}  // namespace

void core_dtype(Call& call) {
  const Dtype asked = call.dtype("dtype");
  const DtypeFacts& known = facts(asked);
  call.set("number", number_of(asked, call.release()));
  call.set("size", size_of(asked));
  call.set("floating", known.is_floating);
  call.set("complex", known.is_complex);
  call.set("integral", known.is_integral);
  call.set("integral_or_bool", known.is_integral || asked == Dtype::kBool);
  call.set("signed", sign_of(asked));
}

void core_promote_types(Call& call) {
  call.result(Value(to_waist(promote_types(call.dtype("a"), call.dtype("b")))));
}

void core_can_cast(Call& call) {
  call.result(Value(can_cast(call.dtype("from"), call.dtype("to"))));
}

void core_result_type(Call& call) {
  std::vector<Operand> operands;
  for (const Value& item : call.arguments().items("operands")) {
    operands.push_back(operand_from(call, item));
  }
  const Dtype fallback = call.dtype_or_none("default").value_or(Dtype::kFloat32);
  call.result(Value(to_waist(result_type(operands, fallback))));
}

}  // namespace assay::cuda
