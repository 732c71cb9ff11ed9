// Area core: numbers without a tensor.
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

void scalar(Call& call) {
  const Scalar made = call.has("value") ? call.scalar("value") : Scalar();
  call.set("kind", kind_of(made));
  call.set("value", value_of(made));
}

void scalar_to(Call& call) {
  const Dtype dtype = call.dtype("dtype");
  const Element element = to_element(call.scalar("value"), dtype, call.contract());
  const Tensor made = empty({}, dtype, Session::home());
  write_elements(made, element.data());
  call.result(made);
}

void scalar_equal(Call& call) { call.result(Value(equal(call.scalar("a"), call.scalar("b")))); }

void scalar_negate(Call& call) { call.result(value_of(negated(call.scalar("a")))); }

void item(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  if (tensor.is_meta()) {
    const bool is_first = call.release() == Release::k1_13;  // CORE-23
    throw Error(is_first ? ErrorKind::kNotImplemented : ErrorKind::kError,
                "Tensor.item() cannot be called on meta tensors");
  }
  require(tensor.numel() == 1, [&] {
    return "a Tensor with " + std::to_string(tensor.numel()) +
           " elements cannot be converted to Scalar";
  });
  call.result(value_of(from_element(read_elements(tensor).data(), tensor.dtype())));
}

}  // namespace

void add_core_scalar_commands(CommandTable& table) {
  table.add("core.scalar", scalar);
  table.add("core.scalar_to", scalar_to);
  table.add("core.scalar_equal", scalar_equal);
  table.add("core.scalar_negate", scalar_negate);
  table.add("core.item", item);
}

}  // namespace assay::cuda
