// Area core: boxed values.
#include "cuda_impl/subject/boxed_values.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<Boxed> box(Call& call) { return call.held<Boxed>("ivalue", "boxed value"); }

void give_box(Call& call, Boxed boxed) {
  call.result(Object(std::make_shared<Boxed>(std::move(boxed)), "ivalue"));
}

}  // namespace

void core_ivalue(Call& call) {
  Boxed made = boxed_from(call, call.arguments().value("value"));
  call.set("kind", name_of(made.kind()));
  give_box(call, std::move(made));
}

void core_ivalue_to(Call& call) {
  const auto held = box(call);
  const std::string kind = call.arguments().text("kind");
  if (kind == "Scalar") return call.result(value_of(held->to_scalar()));
  held->expect(kind);
  if (held->is_tensor()) return call.result(held->tensor());
  call.result(value_of(call, *held));
}

void core_ivalue_copy(Call& call) { give_box(call, *box(call)); }

void core_ivalue_move(Call& call) {
  const auto from = box(call);
  Boxed moved = std::move(*from);
  call.set("moved_from", name_of(from->kind()));
  give_box(call, std::move(moved));
}

void core_ivalue_push(Call& call) {
  const auto list = box(call);
  list->push(boxed_from(call, call.arguments().value("value")));
  call.result(Object(list, "ivalue"));
}

}  // namespace assay::cuda
