// Area core: scalars.
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

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

}  // namespace

void core_scalar(Call& call) {
  const Scalar made = call.has("value") ? call.scalar("value") : Scalar();
  call.set("kind", kind_of(made));
  call.set("value", value_of(made));
}

void core_scalar_to(Call& call) {
  const Dtype dtype = call.dtype("dtype");
  const Element element = to_element(call.scalar("value"), dtype, call.contract());
  const Tensor made = empty({}, dtype, home());
  write_elements(made, element.data());
  call.result(made);
}

void core_scalar_equal(Call& call) {
  call.result(Value(equal(call.scalar("a"), call.scalar("b"))));
}

void core_scalar_negate(Call& call) { call.result(value_of(negated(call.scalar("a")))); }

void core_item(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  check_item(tensor, call.release());
  call.result(value_of(from_element(read_elements(tensor).data(), tensor.dtype())));
}

}  // namespace assay::cuda
