// Area core: boxed values.
#include "reference/subject/command_table.hpp"
#include "reference/subject/ivalues.hpp"

namespace assay::reference {
namespace {

std::shared_ptr<IValue> box(Call& call) { return call.held<IValue>("ivalue", "ivalue"); }

void give_box(Call& call, IValue ivalue) {
  call.result(Object(std::make_shared<IValue>(std::move(ivalue)), "ivalue"));
}

}  // namespace

void core_ivalue(Call& call) {
  IValue made = ivalue_from(call, call.arguments().value("value"));
  call.set("kind", made.kind());
  give_box(call, std::move(made));
}

void core_ivalue_to(Call& call) {
  const std::shared_ptr<IValue> held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(to_protocol(held->to_scalar()));
  if (kind == "Double") return call.result(held->to_double());
  if (kind == "Int") return call.result(held->to_int());
  if (kind == "Tensor") return call.result(held->to_tensor());
  held->expect_kind(kind);
  call.result(value_of(call, *held));
}

void core_ivalue_copy(Call& call) { give_box(call, *box(call)); }

void core_ivalue_move(Call& call) {
  const std::shared_ptr<IValue> from = box(call);
  IValue moved = std::move(*from);
  call.set("moved_from", from->kind());
  give_box(call, std::move(moved));
}

void core_ivalue_push(Call& call) {
  const std::shared_ptr<IValue> list = box(call);
  list->push(ivalue_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace assay::reference
