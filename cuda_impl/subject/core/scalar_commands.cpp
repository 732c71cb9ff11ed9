// Area core: scalars.
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
  const Tensor made = empty({}, dtype, home());
  write_elements(made, element.data());
  call.result(made);
}

void scalar_equal(Call& call) { call.result(Value(equal(call.scalar("a"), call.scalar("b")))); }

void scalar_negate(Call& call) { call.result(value_of(negated(call.scalar("a")))); }

/// The errors of item(); 1.13 first checks whether the value can be a Python number.
void check_item(const Tensor& tensor, Release release) {
  const bool is_first = release == Release::k1_13;
  require(!tensor.is_meta(), is_first ? ErrorKind::kNotImplemented : ErrorKind::kError,
          [] { return "Tensor.item() cannot be called on meta tensors"; });  // CORE-23
  require(tensor.numel() == 1, is_first ? ErrorKind::kValue : ErrorKind::kError, [&] {
    return "a Tensor with " + std::to_string(tensor.numel()) +
           " elements cannot be converted to Scalar";
  });
}

void item(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  check_item(tensor, call.release());
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
