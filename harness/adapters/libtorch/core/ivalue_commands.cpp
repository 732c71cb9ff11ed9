// Area core: boxed values.
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/ivalues.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

using Box = c10::IValue;

std::shared_ptr<Box> box(Call& call) { return call.held<Box>("ivalue", "ivalue"); }

void give_box(Call& call, Box ivalue) {
  call.result(Object(std::make_shared<Box>(std::move(ivalue)), "ivalue"));
}

/// Uses PyTorch's conversion, which raises if the value has another kind.
void expect_kind(const Box& value, const std::string& kind) {
  if (kind == "Bool") return void(value.toBool());
  if (kind == "ComplexDouble") return void(value.toComplexDouble());
  if (kind == "String") return void(value.toStringRef());
  if (kind == "List") return void(value.toList());
  if (kind == "Dict") return void(value.toGenericDict());
  if (kind == "Tuple") return void(value.toTuple());
  if (kind == "Device") return void(value.toDevice());
  if (kind == "Generator") return void(value.toGenerator());
  if (kind == "None") return void(value.toNone());
  throw NotSupported("no kind of boxed value '" + kind + "'");
}

}  // namespace

void core_ivalue(Call& call) {
  Box made = ivalue_from(call, call.arguments().value("value"));
  call.set("kind", kind_name(made));
  give_box(call, std::move(made));
}

void core_ivalue_to(Call& call) {
  const std::shared_ptr<Box> held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(to_waist(held->toScalar()));
  if (kind == "Double") return call.result(Value(held->toDouble()));
  if (kind == "Int") return call.result(Value(held->toInt()));
  if (kind == "Tensor") return call.result(held->toTensor());
  expect_kind(*held, kind);
  call.result(value_of(call, *held));
}

void core_ivalue_copy(Call& call) { give_box(call, *box(call)); }

void core_ivalue_move(Call& call) {
  const std::shared_ptr<Box> from = box(call);
  Box moved = std::move(*from);
  call.set("moved_from", kind_name(*from));
  give_box(call, std::move(moved));
}

void core_ivalue_push(Call& call) {
  const std::shared_ptr<Box> list = box(call);
  list->toList().push_back(ivalue_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace assay::libtorch
